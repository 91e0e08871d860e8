// The page of the demo, on plain localhost.
import { test } from './demo';
import { desktop, expect, phone, rows } from './harness';

test(rows('9-demo-sign-in', 'one click signs in as anybody, grouped by what they show'), async ({ page, server, at }) => {
  await page.setViewportSize(desktop);
  const home = new URL('/', server.origin('localhost')).href;
  await page.goto(home);
  const groups = page.locator('main section');
  await expect(groups.getByRole('heading', { level: 2 }), '9-demo-sign-in').toHaveText([
    'Gewone huishoudens',
    'Met zonnepanelen',
    'Delen in wind en zon',
    'Bedrijven',
    'Samen op één contract of adres',
    'Nieuwe klanten',
    'Beëindigde contracten',
    'Klantenservice',
  ]);
  const known = (await (await page.request.get(`${home}api/v0/dev/people`)).json()) as { username: string; role: string }[];
  await expect(groups.getByRole('link'), '9-demo-sign-in: everybody').toHaveCount(known.length);
  for (const link of await groups.getByRole('link').all()) await expect(link.getByRole('img')).toHaveAttribute('alt', /./);

  await groups.first().locator('a[href*="baris.sahin"]').click();
  await expect(page, '9-demo-sign-in').toHaveURL(at('1042.localhost').url('/dashboard'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ahin');
  await page.setViewportSize(phone);
  await page.goto(home);
  await groups.getByRole('link', { name: /Medewerker klantenservice: keurt/ }).click();
  await expect(page, '9-demo-sign-in: staff').toHaveURL(/1024\.localhost.*\/staff$/);
  await page.goto(home);
  const fresh = groups.filter({ hasText: 'Nieuwe klanten' }).getByRole('link').first();
  await expect(fresh.locator('code')).toHaveCount(2);
  await fresh.click();
  await expect(page.getByLabel('Gebruikersnaam'), '9-demo-sign-in: a temporary password').toBeVisible();
  await page.goto(home);
  await groups
    .getByRole('link', { name: /Kijkt mee als [A-Z]/ })
    .first()
    .click();
  await expect(page.getByText(/Je kijkt mee als/), '9-demo-sign-in: impersonation').toBeVisible();
});
