import { expect, type Page, test } from '@playwright/test';

async function signIn(page: Page, username: string) {
  await page.goto('/');
  await page.getByLabel('Gebruikersnaam').fill(username);
  await page.getByRole('textbox', { name: 'Wachtwoord' }).fill('Wattle2026');
  await page.getByRole('button', { name: 'Inloggen' }).click();
  await expect(page.getByRole('textbox', { name: 'Wachtwoord' })).toBeHidden();
}

test('a customer adds a note', async ({ page }) => {
  await signIn(page, 'demo.klant');
  // {tile}
  await expect(page.getByRole('link', { name: 'Bekijk alles' })).toBeVisible();
  // {/tile}
  await page.getByRole('link', { name: 'My module', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Notitie' }).fill('Bel mij.');
  await page.getByRole('button', { name: 'Toevoegen' }).click();
  await expect(page.getByRole('main').getByText('Bel mij.', { exact: true })).toBeVisible();
});
// {staff}

test('staff see it', async ({ page }) => {
  await signIn(page, 'demo.staf');
  await page.getByRole('link', { name: 'My module', exact: true }).first().click();
  await expect(page.getByRole('cell', { name: 'Bel mij.' })).toBeVisible();
});
// {/staff}
