import { expect, type Page, test } from '@playwright/test';

async function signIn(page: Page, username: string) {
  await page.goto('/');
  await page.getByLabel('Gebruikersnaam').fill(username);
  await page.getByRole('textbox', { name: 'Wachtwoord' }).fill('Wattle2026');
  await page.getByRole('button', { name: 'Inloggen' }).click();
  await expect(page.getByRole('textbox', { name: 'Wachtwoord' })).toBeHidden();
}

test('a customer sees the tile and the banner, what is known, and switches mails on', async ({ page }) => {
  await signIn(page, 'demo.klant');
  await expect(page.getByRole('heading', { name: 'Storingen', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Bekijk wat we weten' }).click();

  await expect(page.getByRole('heading', { name: 'Stroomstoring' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Gepland werk aan gas' })).toBeVisible();
  await expect(page.getByText('Een kabel is geraakt bij graafwerk.')).toBeVisible();
  await page.getByRole('button', { name: 'Mails aanzetten' }).click();
  await expect(page.getByRole('button', { name: 'Mails uitzetten' })).toBeVisible();
});

test('what staff report, the customer sees, until staff say that it is over', async ({ browser, page }) => {
  await signIn(page, 'demo.staf');
  await page.getByRole('link', { name: 'Storingen', exact: true }).first().click();
  await page.getByRole('link', { name: 'Storing melden' }).click();
  await page.getByLabel('Wat is onderbroken').selectOption('gas');
  await page.getByLabel('Postcodes').fill('2555 BX');
  await page.getByLabel('Wat er aan de hand is, in het Nederlands').fill('Er komt geen gas uit de leiding.');
  await page.getByRole('button', { name: 'Melden', exact: true }).click();
  await expect(page.getByRole('cell', { name: '2555BX' }).first()).toBeVisible();

  const customer = await (await browser.newContext()).newPage();
  await signIn(customer, 'demo.klant');
  await customer.goto('/outages');
  const mine = customer.getByRole('listitem').filter({ hasText: 'Er komt geen gas uit de leiding.' });
  await expect(mine).toContainText('Nu');
  await page.getByRole('row').filter({ hasText: 'Gasstoring' }).getByRole('button', { name: 'Is voorbij' }).click();
  await customer.reload();
  await expect(mine).toContainText('Voorbij');
});
