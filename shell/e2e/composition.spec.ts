// The composition of a label: the order of menu and dashboard, and its promo.
import type { Page } from '@playwright/test';
import { test } from './demo';
import { desktop, expect, phone, rows } from './harness';
import { newLabel, waitForLabel } from './new-label';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Hoofdmenu' });
const tiles = (page: Page) =>
  page
    .locator('main [data-tile]:visible, main [data-promo]')
    .evaluateAll((all) => all.map((tile) => tile.getAttribute('data-tile') ?? 'promo'));

const promos = `promos: [
	{name: "later", from: "2026-11-21", until: "2026-12-31", title: {nl: "Nog niet", en: "Not yet"}},
	{
		name: "winter", from: "2026-11-20", until: "2026-11-30", picture: "logo.svg"
		title: {nl: "Een warme winter voor minder", en: "A warm winter for less"}
		text: {nl: "Zo stookt een gemiddeld huis in onze buurt tien procent zuiniger.", en: "How an average home near you uses ten per cent less heat."}
		link: {to: "/usage", text: {nl: "Bekijk je verbruik", en: "See your usage"}}
		slots: ["dashboard", "home", "account"]
	},
]`;

test(
  rows(['9-menu-order', '9-menu-hide', '9-dashboard-order'], 'menu and dashboard as the label composes them'),
  async ({ at, page, labels }, info) => {
    const key = `composed-w${info.parallelIndex}r${info.repeatEachIndex}`;
    const undo = newLabel(
      labels,
      key,
      '1042',
      (cue) => `${cue}
menu: {order: ["account.contact", "billing.periodical-payments"], hide: ["billing.invoices", "move.move"]}
slots: dashboard: {order: ["shell.quick-start", "account.service"], hide: ["shell.attention", "billing.latest"]}
`,
    );
    try {
      const portal = at(`${key}.localhost`);
      await page.setViewportSize(desktop);
      await waitForLabel(portal);
      await portal.signIn(await portal.customer({ sample: true }));
      await portal.open('/dashboard');
      await expect(menu(page).getByRole('link'), '9-menu-order').toHaveText([
        'Contact',
        'Termijnbedrag',
        'Contracten',
        'Verbruik',
        'Rekeningnummer',
      ]);
      await expect(async () =>
        expect(
          (await tiles(page)).filter((id) => id !== 'month'),
          '9-dashboard-order',
        ).toEqual(['quick-start', 'service', 'open', 'term-amount']),
      ).toPass();
      // hidden menu items are still pages
      const quick = page.getByRole('region', { name: 'Regel het zelf' });
      await quick.getByRole('link', { name: 'Factuur downloaden' }).click();
      await expect(portal.heading(), '9-menu-hide: by a link').toHaveText('Facturen');
      await portal.open('/move');
      await expect(page, '9-menu-hide: by its path').toHaveURL(/\/move\b/);
      await page.setViewportSize(phone);
      await portal.open('/dashboard');
      await expect(page.getByRole('navigation', { name: 'Ga naar' }).getByRole('link'), '9-menu-hide').toHaveText([
        'Contact',
        'Termijn',
        'Contracten',
      ]);
      const parts = page.locator('main button[aria-expanded]');
      await expect(parts.first(), '9-dashboard-order: on a phone').toHaveText(/Regel het zelf/);
      expect(await parts.evaluateAll((all) => all.slice(0, 3).map((b) => b.getAttribute('aria-expanded')))).toEqual([
        'true',
        'true',
        'false',
      ]);
    } finally {
      undo();
    }
  },
);

test(rows('9-menu-hide', 'with every item hidden, account and signing out remain'), async ({ at, page, labels }, info) => {
  const key = `bare-w${info.parallelIndex}r${info.repeatEachIndex}`;
  const all = [
    'account.contact',
    'billing.agreements',
    'billing.iban',
    'billing.invoices',
    'billing.periodical-payments',
    'move.move',
    'shell.dashboard',
    'usage.usage',
  ];
  const undo = newLabel(labels, key, '1042', (cue) => `${cue}\nmenu: hide: ${JSON.stringify(all)}\n`);
  try {
    const portal = at(`${key}.localhost`);
    await waitForLabel(portal);
    await portal.signIn(await portal.customer());
    for (const width of [1280, 900, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await portal.open('/dashboard');
      await expect(menu(page)).toHaveCount(0);
      await page.getByRole('button', { name: width === 390 ? 'Menu' : /^Je account/ }).click();
      await expect(page.getByText('Uitloggen'), `9-menu-hide: ${width}`).toBeVisible();
      await page.getByText('Account', { exact: true }).last().click();
      await expect(page, `9-menu-hide: ${width}`).toHaveURL(portal.url('/account'));
    }
  } finally {
    undo();
  }
});

test(rows('9-promo-close', 'the promo of today, first on its pages'), async ({ at, page, labels }, info) => {
  const key = `promo-w${info.parallelIndex}r${info.repeatEachIndex}`;
  const undo = newLabel(
    labels,
    key,
    '1042',
    (cue) =>
      `${cue}\n${promos}\nslots: {dashboard: order: ["shell.promo"], home: order: ["shell.promo"], account: order: ["shell.promo"]}\n`,
  );
  try {
    const portal = at(`${key}.localhost`);
    await page.setViewportSize(desktop);
    await waitForLabel(portal);
    await portal.signIn(await portal.customer({ sample: true }));
    for (const width of [1280, 390]) {
      // what is below the promo does not move when the promo's code, picture and button have loaded
      let release = () => {};
      const held = new Promise<void>((go) => {
        release = go;
      });
      await page.route(/\/promo\.[^/]*js/, async (route) => {
        await held;
        await route.continue();
      });
      await page.setViewportSize({ width, height: 900 });
      await portal.open('/dashboard');
      const place = page.locator('[data-promo="winter"]');
      await expect(place).toHaveCount(1);
      await expect(place, '9-promo-close: not before its code').toBeHidden();
      const before = await place.boundingBox();
      release();
      await expect(place).toBeVisible();
      expect(before?.height).toBeGreaterThan(120);
      expect(await place.boundingBox(), `9-promo-close: nothing moves at ${width}`).toEqual(before);
      await page.unroute(/\/promo\.[^/]*js/);
    }
    await portal.accessible();
    await page.setViewportSize(desktop);
    const promo = page.getByRole('region', { name: 'Een warme winter voor minder' });
    for (const at of ['/home', '/account']) {
      await portal.open(at);
      await expect(promo, `9-promo-close: ${at}`).toBeVisible();
    }
    await expect(page.getByText('Nog niet')).toHaveCount(0);
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await promo.getByRole('link', { name: 'Bekijk je verbruik' }).click();
    await expect(page, '9-promo-close: a page of the portal').toHaveURL(portal.url('/usage'));
    expect(await page.evaluate(() => 'sameDocument' in window), '9-promo-close: without a new document').toBe(true);
    await portal.open('/dashboard');
    await page.getByRole('button', { name: 'EN, English' }).click();
    const english = page.getByRole('region', { name: 'A warm winter for less' });
    await expect(english.getByRole('link', { name: 'See your usage' }), '9-promo-close: English').toBeVisible();
    await english.getByRole('button', { name: 'Do not show this again' }).focus();
    await page.keyboard.press('Enter');
    await expect(english, '9-promo-close').toHaveCount(0);
    await expect(portal.heading(), '9-promo-close: focus').toBeFocused();
    for (const at of ['/dashboard', '/home', '/account']) {
      await portal.open(at);
      await expect(page.locator('[data-promo]'), `9-promo-close: ${at} after it was closed`).toHaveCount(0);
    }
  } finally {
    undo();
  }
});
