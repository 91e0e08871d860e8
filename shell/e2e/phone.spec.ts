// The bar at the bottom of a phone, and what is open on the dashboard.
import type { Page } from '@playwright/test';
import { customers, expect, narrow, participants, phone, rows, test } from './harness';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Ga naar' });
const box = async (page: Page) => (await bar(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

test(
  rows('9-phone-bar', 'three items of the menu and the whole menu, with fingers, keys and a screen reader'),
  async ({ at, page }) => {
    const portal = at(customers);
    await page.setViewportSize(phone);
    await portal.signIn(await portal.customer({ sample: true }));
    await portal.open('/dashboard');
    const links = bar(page).getByRole('link');
    const menu = bar(page).getByRole('button', { name: 'Menu' });
    await expect(links, '9-phone-bar').toHaveCount(3);
    await expect(links.first()).toHaveText('Overzicht');
    await expect(links.first(), '9-phone-bar').toHaveAttribute('aria-current', 'page');
    await expect(menu).toHaveAttribute('aria-haspopup', 'dialog');
    const at390 = await box(page);
    expect(at390.y + at390.height, 'at the bottom of the window').toBe(phone.height);
    expect([at390.x, at390.width]).toEqual([0, phone.width]);
    await portal.accessible({ otherWidth: false });

    // the end of a page and the focused element are above the bar
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const last = await page.getByRole('contentinfo').boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0), '9-phone-bar: the footer').toBeLessThanOrEqual(at390.y + 1);
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('main').focus();
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      const rect = await page.evaluate(() => {
        const e = document.activeElement as HTMLElement;
        return { y: e.getBoundingClientRect().bottom, inBar: e.closest('nav') !== null, text: e.textContent };
      });
      if (!rect.inBar) expect(rect.y, `9-phone-bar: ${rect.text}`).toBeLessThanOrEqual(at390.y);
    }

    // in the tab order after the content, from left to right
    await page.getByRole('contentinfo').getByRole('link').last().focus();
    for (const name of await links.allTextContents()) {
      await page.keyboard.press('Tab');
      await expect(links.filter({ hasText: name })).toBeFocused();
    }
    await page.keyboard.press('Tab');
    await expect(menu).toBeFocused();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await expect(sheet.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Termijnbedrag' })).toBeVisible();
    await expect(sheet.getByRole('button', { name: 'Uitloggen' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(menu, '9-phone-bar: focus returns').toBeFocused();
    await links.nth(1).click();
    await expect(links.nth(1)).toHaveAttribute('aria-current', 'page');
    await expect(links.first()).not.toHaveAttribute('aria-current', 'page');

    // not shown on a wider screen, without a relation or without a session
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(bar(page), '9-phone-bar').toHaveCount(0);
    await page.setViewportSize(phone);
    await expect(bar(page)).toBeVisible();
    await page.route('**/api/v0/relations', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
    );
    await page.goto(portal.url('/dashboard'));
    await expect(portal.heading()).toHaveText('Je gegevens zijn niet beschikbaar');
    await expect(bar(page), '9-phone-bar: no relation').toHaveCount(0);
    await page.context().clearCookies();
    for (const path of ['/accessibility', '/under-construction', '/dashboard']) {
      await page.goto(portal.url(path));
      await expect(portal.heading()).toBeVisible();
      await expect(bar(page), `9-phone-bar: ${path} without a session`).toHaveCount(0);
    }
  },
);

test(rows('9-phone-bar', 'the items that the label names, and the banner of an impersonation'), async ({ at, page }) => {
  const portal = at('1060.localhost');
  await page.setViewportSize(phone);
  const who = await portal.customer({ impersonator: true });
  await page.goto(portal.url(`/#impersonate=${who.impersonation_code}`));
  await expect(page.getByText(`Je kijkt mee als ${who.name}.`), '9-phone-bar').toBeVisible();
  await expect(bar(page).getByRole('link'), '9-phone-bar').toHaveText(['Start', 'Mijn delen', 'Aanbod']);
  await bar(page).getByRole('link', { name: 'Mijn delen' }).click();
  await expect(page).toHaveURL(/participation/);
  await expect(page.getByText(`Je kijkt mee als ${who.name}.`), '9-phone-bar').toBeVisible();
});

test(rows('9-dashboard-two-open', '@daily the first two parts are open, attention is not folded'), async ({ portal, page }) => {
  await page.setViewportSize(phone);
  await portal.signIn(await portal.customer({ sample: true }));
  await portal.open('/dashboard');
  const parts = page.locator('main button[aria-expanded]');
  await expect(async () => expect(await parts.count()).toBeGreaterThan(3)).toPass();
  const attention = page.getByRole('region', { name: 'Dit vraagt je aandacht' });
  await expect(attention.getByRole('link', { name: /toestemming/ }), '9-dashboard-two-open').toBeVisible();
  const open = await parts.evaluateAll((all) => all.map((b) => [b.textContent, b.getAttribute('aria-expanded')] as const));
  expect(open, '9-dashboard-two-open').toEqual(open.map(([name], i) => [name, String(i < 2)]));
});

test(
  rows('9-phone-bar', 'a page without the bar at 320 px: the logo can be read, and the language is one button'),
  async ({ at, page }) => {
    const portal = at(participants);
    await page.setViewportSize(narrow);
    await portal.signIn(await portal.customer({ sample: true }));
    for (const path of ['/checkout', '/move']) {
      await portal.open(path);
      const header = page.getByRole('banner');
      await expect(header.getByRole('link', { name: 'Stoppen en terug' }), '9-phone-bar').toBeVisible();
      await expect(header.getByRole('link', { name: /^Berichten/ })).toBeVisible();
      const logo = await header.getByRole('img').boundingBox();
      expect(logo?.width, `9-phone-bar: ${path}`).toBeGreaterThanOrEqual(72);
      // the button keeps focus, and offers the way back
      await expect(header.getByRole('button', { name: 'NL, Nederlands' })).toBeHidden();
      await header.getByRole('button', { name: 'EN, English' }).press('Enter');
      await expect(page.locator('html'), '9-phone-bar').toHaveAttribute('lang', 'en');
      await expect(header.getByRole('button', { name: 'NL, Nederlands' }), '9-phone-bar').toBeFocused();
      await expect(header.getByRole('button', { name: 'EN, English' })).toBeHidden();
      await page.keyboard.press('Enter');
      await expect(page.locator('html'), '9-phone-bar').toHaveAttribute('lang', 'nl');
    }
    await page.setViewportSize(phone);
    for (const name of ['NL, Nederlands', 'EN, English'])
      await expect(page.getByRole('banner').getByRole('button', { name }), '9-phone-bar').toHaveCount(1);
  },
);

test(rows('9-overlay-scroll', 'the text of an overlay scrolls with the arrow keys'), async ({ portal, page }) => {
  await page.setViewportSize(narrow);
  await portal.signIn(await portal.customer({ sample: true }));
  await portal.open('/periodical-payments/monthly-amount-info');
  const sheet = page.getByRole('dialog');
  const name = (await sheet.getByRole('heading', { level: 2 }).textContent()) ?? '';
  const text = sheet.getByRole('group', { name, exact: true });
  await expect(sheet).toBeVisible();
  await sheet.getByRole('button', { name: 'Sluiten' }).focus();
  await page.keyboard.press('Tab');
  await expect(text, '9-overlay-scroll').toBeFocused();
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowDown');
  await expect(async () => expect(await text.evaluate((e) => e.scrollTop), '9-overlay-scroll').toBeGreaterThan(0)).toPass();
  // a window with space for the whole text needs no tab stop
  await page.setViewportSize({ width: 1280, height: 1400 });
  await expect(text, '9-overlay-scroll').toHaveCount(0);
  // controls are tab stops themselves
  await page.setViewportSize({ width: 320, height: 400 });
  await expect(text, '9-overlay-scroll').toHaveCount(1);
  await portal.open('/account');
  await page.getByRole('button', { name: 'Telefoonnummer wijzigen' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible();
  await expect(page.getByRole('dialog').locator('[role=group][tabindex="0"]'), '9-overlay-scroll').toHaveCount(0);
});
