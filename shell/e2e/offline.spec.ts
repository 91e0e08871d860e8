// What a customer sees when the connection is lost and restored.
import { test } from './demo';
import { type Customer, desktop, expect, rows } from './harness';

test(rows('9-offline', 'the connection goes away and comes back'), async ({ at, page, server }) => {
  await page.setViewportSize(desktop);
  const portal = at('1042.localhost');
  const { body } = (await server.call('localhost', 'GET', '/dev/people')) as { body: (Customer & { username: string })[] };
  await portal.signIn(body.find((one) => one.username === 'baris.sahin'));
  await portal.open('/dashboard');
  const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });
  await expect(page.getByText('van ongeveer').first()).toBeVisible();
  await portal.open('/account/change-phonenumber');
  const sheet = page.getByRole('dialog');
  const phone = sheet.getByRole('textbox').first();
  await phone.fill('0698765432');
  await expect(sheet.getByRole('button', { name: 'Opslaan' })).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape'); // fetches the question while there is a connection
  await page.getByRole('button', { name: 'Verder bewerken' }).click();
  const sent: string[] = [];
  page.on('request', (r) => r.method() !== 'GET' && sent.push(`${r.method()} ${new URL(r.url()).pathname}`));

  await page.context().setOffline(true);
  const said = page.getByRole('status').filter({ hasText: 'Je hebt geen verbinding. Wat je al had geopend' });
  await expect(said, '9-offline: says so').toBeAttached();
  await sheet.getByRole('button', { name: 'Opslaan' }).click();
  await expect(sheet.getByText('Er is geen verbinding.'), '9-offline: refused at once').toBeVisible();
  await expect(phone, '9-offline: kept').toHaveValue('0698765432');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Niet opslaan' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(said).toBeVisible();

  await menu.getByRole('link', { name: 'Facturen' }).click();
  const failed = page.locator('main').getByRole('alert').first();
  await expect(failed, '9-offline: the page says so').toContainText('Je hebt geen verbinding');
  await expect(failed).not.toContainText('rest van het portaal');
  const broken = () =>
    page.locator('img').evaluateAll((all) => all.filter((i) => !(i as HTMLImageElement).naturalWidth).map((i) => i.outerHTML));
  await expect.poll(broken, '9-offline: no broken picture').toEqual([]);
  await page.goBack();

  await menu.getByRole('link', { name: 'Facturen' }).click();
  const before = sent.length;
  await page.context().setOffline(false);
  await expect(said, '9-offline: no longer').toHaveCount(0);
  await expect(page.locator('main').getByText('Jaarafrekening').first(), '9-offline: loads by itself').toBeVisible();
  expect(
    sent.slice(before).filter((s) => s.includes('phone')),
    '9-offline: nothing is sent later',
  ).toEqual([]);
});
