import { serve } from '../../tools/server.mjs';
import { customers, expect, Portal, test } from './harness';
import { accountPlugin } from './setup';

// One contract, two transports: neither the customer nor the remote can tell where a module runs.
for (const [where, args] of [
  ['inside the program', []],
  ['as a process of its own', ['--plugins', accountPlugin]],
] as const)
  test(`the account module ${where}: signs in and changes a phone number`, async ({ page }) => {
    const server = await serve({ args: [...args] });
    try {
      const portal = new Portal(page, server, customers);
      const who = await portal.customer();
      await portal.open('/');
      await page.getByLabel('Gebruikersnaam').fill(who.username);
      await page.getByRole('textbox', { name: 'Wachtwoord' }).fill(who.password);
      await page.keyboard.press('Enter');
      await page.waitForURL(portal.url('/dashboard'));
      await portal.open('/account/change-phonenumber');
      const sheet = page.getByRole('dialog', { name: 'Telefoonnummer wijzigen' });
      await sheet.getByLabel('Nieuw telefoonnummer').fill('0687654321');
      await sheet.getByRole('button', { name: 'Opslaan' }).click();
      await expect(page.getByText('wordt gewijzigd in 0687654321')).toBeVisible();
    } finally {
      await server.stop();
    }
  });
