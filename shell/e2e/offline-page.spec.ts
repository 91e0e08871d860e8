// What somebody sees who opens or reloads a page without a connection.
import { customers, expect, phone, rows, test } from './harness';

test.use({ serviceWorkers: 'allow' });

test(rows('9-offline-page', 'a reload without a connection shows the label, and the page comes back'), async ({ at, page }) => {
  const portal = at(customers);
  await page.setViewportSize(phone);
  await portal.signIn();
  await portal.open('/invoices');
  await page.evaluate(async () => navigator.serviceWorker.ready);
  const kept = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map((r) => new URL(r.url).pathname + new URL(r.url).search);
    });
  await expect.poll(kept, '9-offline-page: nothing of the portal is kept').toEqual(['/offline.html?locale=nl']);

  await page.context().setOffline(true);
  await page.reload();
  const title = page.getByRole('heading', { level: 1, name: 'Je portaal is nu niet bereikbaar' });
  await expect(title, '9-offline-page').toBeVisible();
  await expect(page.getByRole('img', { name: 'Haardlicht' })).toBeVisible();
  const logo = page.getByRole('img');
  await expect.poll(() => logo.evaluate((i: HTMLImageElement) => i.naturalWidth), '9-offline-page: logo').toBeGreaterThan(0);
  await expect(page.getByRole('link', { name: /^[0-9 ]+$/ }), '9-offline-page').toHaveAttribute('href', /^tel:\d+$/);
  await portal.accessible();
  await page.getByRole('link', { name: 'Probeer het opnieuw' }).click();
  await expect(title).toBeVisible();

  await page.context().setOffline(false);
  await expect(portal.heading(), '9-offline-page: opens by itself').toHaveText('Facturen');
  await expect(page).toHaveURL(portal.url('/invoices'));
});
