// The demo's page on plain localhost.
import { test } from './demo';
import { desktop, expect, phone, rows } from './harness';

interface Person {
  label: string;
  username: string;
  role: string;
  temporary: boolean;
}
/** Maximum height of /usage in pixels: two screens of a large monitor, and three of a phone. */
const maxHeights = [
  [desktop, 2000],
  [phone, 2800],
] as const;

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
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Barış');
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

test(rows('9-usage-height', '/usage of everybody is a few screens high'), async ({ page, server, at }) => {
  const home = new URL('/', server.origin('localhost')).href;
  const all = (await (await page.request.get(`${home}api/v0/dev/people`)).json()) as Person[];
  const people = all.filter((p) => ['customer', 'member'].includes(p.role) && !p.temporary);
  let measured = 0;
  for (const { label, username } of people) {
    const portal = at(`${label}.localhost`);
    await page.context().clearCookies();
    await page.goto(portal.url(`/dev/sign-in?username=${username}`));
    await expect(portal.heading()).toBeVisible();
    for (const [size, limit] of maxHeights) {
      await page.setViewportSize(size);
      await page.goto(portal.url('/usage'));
      await expect(portal.heading()).toBeVisible();
      const blocks = page.getByRole('main').getByRole('heading', { level: 2 });
      await expect(blocks.first().or(page.getByText('Je hebt nog geen contract'))).toBeVisible();
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height, `9-usage-height: ${label} ${username} at ${size.width} px`).toBeLessThanOrEqual(limit);
      measured++;
    }
  }
  expect(measured).toBeGreaterThan(30);
});
