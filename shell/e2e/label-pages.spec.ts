// A label's legal and help pages.
import { customers, desktop, expect, participants, phone, rows, test } from './harness';

test(
  rows(['9-label-pages', '9-label-pages-places', '2.5-footer-privacy'], '@daily a visitor reads the terms and finds the help'),
  async ({ at, page }) => {
    await page.setViewportSize(desktop);
    const portal = at(customers);
    await page.goto(portal.url('/'));
    await page.getByRole('link', { name: 'Voorwaarden' }).click();
    await expect(page.getByRole('heading', { level: 1 }), '9-label-pages').toHaveText('Voorwaarden');
    await expect(page).toHaveTitle(/^Voorwaarden \|/);
    const heading = page.getByRole('heading', { level: 2, name: 'Verhuizen of opzeggen' });
    await expect(heading).not.toBeInViewport();
    await page.getByRole('link', { name: 'Verhuizen of opzeggen' }).click();
    await expect(heading, '9-label-pages-places: a link to a heading').toBeInViewport();
    await expect(page.getByRole('table')).toContainText('Jaarafrekening');
    await page.getByRole('button', { name: 'EN, English' }).click();
    await expect(page.getByRole('heading', { level: 1 }), '9-label-pages: the other language').toHaveText('Terms');
    await expect(page.getByRole('heading', { level: 2, name: 'Moving home or leaving us' })).toBeVisible();
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();

    const footer = page.getByRole('contentinfo');
    await footer.getByRole('link', { name: 'Privacy en cookies' }).click();
    await expect(page, '2.5-footer-privacy: a page of the label').toHaveURL(portal.url('/pages/privacy'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
    await footer.getByRole('link', { name: 'Hulp' }).click();
    await page.setViewportSize(phone);
    await page.getByRole('main').getByRole('link', { name: 'Je eerste factuur' }).click();
    await expect(page.getByRole('heading', { level: 2 }).first(), '9-label-pages-places: the list of help').toHaveText(
      'Waarom is het bedrag deze maand anders?',
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no sideways scrolling').toBeLessThanOrEqual(
      phone.width,
    );
    await portal.accessible();
  },
);

test(rows(['9-label-pages', '9-label-pages-places'], 'a page that is not public'), async ({ at, page }) => {
  await page.setViewportSize(desktop);
  const portal = at(participants);
  await page.goto(portal.url('/pages/meeting'));
  await expect(page.getByRole('heading', { level: 1 }), '9-label-pages: a visitor gets the sign-in form').toHaveText('Inloggen');
  await expect(page.getByRole('link', { name: 'Ledenvergadering' }), '9-label-pages-places: not linked').toHaveCount(0);
  await portal.signIn(await portal.customer({ sample: true }));
  await portal.open('/account');
  await page.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Ledenvergadering' }).click();
  await expect(page.getByRole('main'), '9-label-pages-places: in the menu').toContainText('Alle leden zijn welkom');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Voorwaarden' }).click();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('main').getByRole('link', { name: 'Opbrengst' }).last().click();
  await expect(page).toHaveURL(portal.url('/overview'));
  expect(await page.evaluate(() => 'sameDocument' in window), '9-label-pages-places: without a new document').toBe(true);
});
