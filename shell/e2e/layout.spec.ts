// The left edge of pages: one for signed-in pages, one layout for public ones.
import type { Page } from '@playwright/test';
import { test } from './demo';
import { type Customer, customers, desktop, expect, narrow, participants, phone, rows } from './harness';

const scale = [4, 8, 12, 16, 24, 32, 48, 64];
const wide = { width: 1920, height: 1080 };
const tablet = { width: 900, height: 1000 };

/** Returns the paths of the main menu. */
const menuOf = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Hoofdmenu' })
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));

/** Measures the current page, in pixels from the left edge of the window. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const round = (n: number) => Math.round(n * 2) / 2;
    const column = document.querySelector('main [data-width]');
    // a label may have a photo above the title
    const parts = [...(column?.children ?? [])];
    const at = parts.findIndex((e) => e.matches('h1') || e.querySelector('h1'));
    const [top, body] = parts.slice(Math.max(at, 0));
    if (!column || !top || !body) throw new Error('the page has no column with title and content');
    const shown = (e: Element) => e.getBoundingClientRect().height > 0;
    const { left, right } = column.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(column);
    const edges = [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
    const blocks = [...body.children].filter(shown).map((e) => e.getBoundingClientRect());
    const tiles = [...document.querySelectorAll('[data-tile]')].filter(shown).map((e) => e.getBoundingClientRect());
    const across = tiles.slice(1).map((t, i) => t.left - (tiles[i] as DOMRect).right);
    const down = blocks.slice(1).map((b, i) => b.top - (blocks[i] as DOMRect).bottom);
    return {
      title: round(document.querySelector('h1')?.getBoundingClientRect().left ?? -1),
      content: round(body.getBoundingClientRect().left),
      outside: [...body.querySelectorAll('section, table, form, h2')]
        .filter(shown)
        .filter(
          (e) =>
            e.getBoundingClientRect().left < (edges[0] ?? 0) - 16.5 || e.getBoundingClientRect().right > (edges[1] ?? 0) + 16.5,
        )
        .map((e) => e.textContent?.slice(0, 40)),
      below: round(body.getBoundingClientRect().top - top.getBoundingClientRect().bottom),
      gaps: [...down.filter((g) => g > 0), ...across.filter((g) => g > 0)].map(round),
    };
  });

test(rows(['9-one-left-edge', '9-one-rhythm'], 'on all pages of the menu, in four widths'), async ({ at, page }) => {
  for (const host of [customers, participants]) {
    const portal = at(host);
    await page.context().clearCookies();
    await page.setViewportSize(desktop);
    await portal.signIn(await portal.customer({ sample: true }));
    await portal.open('/account');
    const paths = ['/account', ...(await menuOf(page))];
    expect(paths.length).toBeGreaterThan(7);
    for (const path of paths) {
      await page.setViewportSize(desktop);
      await portal.open(path);
      for (const size of [desktop, phone, tablet, wide]) {
        await page.setViewportSize(size);
        // the frame's left edge: 248 px of menu and 32 px of margin, centered in a wide window
        const x = size === phone ? 16 : size === tablet ? 24 : Math.max(0, (size.width - 1392) / 2) + 280;
        const where = `${host} ${path} at ${size.width}`;
        await expect.poll(async () => (await measure(page)).title, `9-one-left-edge: ${where}`).toBe(x);
        const found = await measure(page);
        expect(found.content, `9-one-left-edge: ${where}`).toBe(x);
        expect(found.outside, `9-one-left-edge: ${where}`).toEqual([]);
        expect(found.below, `9-one-rhythm: ${where}`).toBe(24);
        for (const gap of found.gaps) expect(scale, `9-one-rhythm: ${where}`).toContain(gap);
      }
    }
    // the logo is aligned with the menu's content
    const logo = await page.getByRole('banner').getByRole('img').first().boundingBox();
    const icon = await page.getByRole('navigation', { name: 'Hoofdmenu' }).locator('svg').first().boundingBox();
    expect(logo?.x, '9-one-left-edge').toBe(icon?.x);
  }
});

test(rows('9-public-layout', '@daily on sign-in and on all public pages'), async ({ at, page }) => {
  const pages = [
    '/',
    '/register',
    '/pending-page',
    '/reactivation?token=x',
    '/unsubscribe?token=x',
    '/verify/x',
    '/accessibility',
  ];
  const others = ['/under-construction', '/thank-you', '/payment-cancelled'];
  const portal = at(participants);
  for (const [size, x, picture] of [
    [desktop, 64, 688],
    [phone, 16, undefined],
  ] as const) {
    await page.setViewportSize(size);
    for (const path of [...pages, ...others]) {
      await portal.open(path);
      const where = `9-public-layout: ${path} at ${size.width}`;
      const left = async (what: ReturnType<Page['locator']>) => (await what.boundingBox())?.x;
      // a page may replace its heading when its response arrives
      await expect.poll(() => left(portal.heading()), where).toBe(x);
      expect(await left(page.getByRole('banner').getByRole('img')), where).toBe(x);
      expect(await left(page.getByRole('contentinfo').locator(':scope > *').first()), where).toBe(x);
      const language = await page.getByRole('banner').getByRole('button', { name: 'EN' }).boundingBox();
      const band = picture === undefined ? 176 : 0;
      expect(language?.y, where).toBeLessThan(64 + band);
      expect(language?.x, where).toBeGreaterThan(size.width / 4);
      const drawing = page.locator('[aria-hidden]:has(> img[src*="/illustration"])');
      if (picture === undefined) {
        // a low band on top, as wide as the window
        const { x: from, y, width, height } = (await drawing.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
        expect([from, y, width], where).toEqual([0, 0, size.width]);
        expect(height, where).toBeLessThanOrEqual(176);
        expect(height, where).toBeGreaterThanOrEqual(48);
      } else expect(await left(drawing), where).toBe(picture);
    }
  }
});

test(
  rows(['9-glance-line', '9-invoices-two-lines'], 'the figures and the latest invoices of a member, on two phones'),
  async ({ at, browser, server }) => {
    const { body: people } = (await server.call('localhost', 'GET', '/dev/people')) as {
      body: (Customer & { username: string })[];
    };
    for (const locale of ['nl-NL', 'en-GB']) {
      const context = await browser.newContext({ locale });
      const portal = at(participants, await context.newPage());
      const { page } = portal;
      await portal.signIn(
        people.find((one) => one.username === 'fenna.deboer'),
        context,
      );
      for (const size of [phone, narrow])
        for (const path of ['/home', '/account']) {
          const where = `${path} in ${locale} at ${size.width}`;
          await page.setViewportSize(size);
          await portal.open(path);
          await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
          const figures = page.locator('main dl').first();
          const terms = await figures.locator('dt').evaluateAll((all) =>
            all.map((e) => {
              const { top, height } = e.getBoundingClientRect();
              return { top: Math.round(top), lines: Math.round(height / 21) };
            }),
          );
          expect(terms, `9-glance-line: ${where}`).toHaveLength(3);
          for (const term of terms) expect(term, `9-glance-line: ${where}`).toEqual({ top: terms[0]?.top, lines: 1 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(wide, `9-glance-line: ${where}`).toBeLessThanOrEqual(size.width);
          if (path !== '/home' || size !== phone) continue;
          const invoices = page.getByRole('region', { name: /^(Laatste facturen|Latest invoices)$/ }).getByRole('listitem');
          await expect(invoices.first()).toBeVisible();
          const heights = await invoices.evaluateAll((all) => all.map((e) => e.getBoundingClientRect().height));
          for (const height of heights) expect(height, `9-invoices-two-lines: ${where}`).toBeLessThanOrEqual(66);
        }
      await context.close();
    }
  },
);

test(
  rows(
    [
      '9-notice-still',
      '9-pages-still',
      '9-notice-fold',
      '9-notice-one',
      '9-home-number',
      '9-glance-due',
      '9-account-landing',
      '9-account-sections',
    ],
    'on a phone',
  ),
  async ({ at, page, server }) => {
    await page.setViewportSize(phone);
    await page.addInitScript(() => {
      const shifts = { sum: 0, first: 0 };
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.sum += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const { body: people } = (await server.call('localhost', 'GET', '/dev/people')) as {
      body: (Customer & { username: string })[];
    };
    // Delays the notices until everything else has loaded.
    await page.route('**/sustainable/notices*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    for (const [host, username, paths] of [
      [customers, 'baris.sahin', ['/dashboard', '/usage', '/account']],
      [participants, 'fenna.deboer', ['/home', '/account', '/overview', '/offers']],
    ] as const) {
      const portal = at(host);
      await page.context().clearCookies();
      await portal.signIn(people.find((one) => one.username === username));
      for (const path of paths) {
        await page.goto(portal.url(path));
        await expect(page.locator('main [data-width] h1')).toBeVisible();
        const notices = await page.getByRole('region', { name: 'Mededelingen' }).count();
        if (path === '/home') expect(notices, '9-notice-still: drawn with the title').toBe(1);
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        const { sum } = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts);
        expect(sum, `9-pages-still ${path}`).toBeLessThanOrEqual(0.1);
        if (path !== '/home' && (path !== '/account' || host !== participants)) continue;
        const where = `${path} of members`;
        if (path === '/account') {
          const band = await page.getByRole('region', { name: 'Mijn delen in één oogopslag' }).boundingBox();
          expect(band?.height, '9-account-landing: one row').toBeLessThanOrEqual(300);
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          expect(height, '9-account-landing: the whole page').toBeLessThanOrEqual(3000);
          expect((await page.getByText('€ 310,00').all()).length, '9-account-to-pay: the amount once').toBe(1);
          const iban = page.getByRole('button', { name: /^Betaalgegevens [• ]*11 17$/ });
          await expect(iban, '9-account-sections').toHaveAttribute('aria-expanded', 'false');
          await iban.click();
          await expect(page.getByRole('link', { name: 'Rekeningnummer wijzigen' }), '9-account-sections').toBeVisible();
        }
        const notice = page.getByRole('region', { name: 'Mededelingen' });
        const glance = page.getByRole('region', { name: 'Mijn delen in één oogopslag' });
        const onHome = path === '/home';
        const due = page.getByRole('region', { name: 'Te betalen' }).getByRole('button', { name: /^Betalen/ });
        const made = glance.getByText(onHome ? 'dit jaar opgewekt met je delen' : 'Dit jaar');
        const texts = [made, due, notice.getByRole('listitem').first()];
        const [number, pay, first] = await Promise.all(texts.map((l) => l.evaluate((e) => e.getBoundingClientRect().bottom)));
        expect(pay, `9-home-number: ${where}`).toBeGreaterThan(number ?? 0);
        expect(first, `9-home-number: ${where}`).toBeGreaterThan(pay ?? 0);
        expect(pay, `9-home-number: within the first screen of ${where}`).toBeLessThan(phone.height - 69);
        const titles = await page.locator('main [data-width] section h2').allTextContents();
        expect(titles.slice(0, 2), `9-glance-due: on ${where}`).toEqual(['Mijn delen in één oogopslag', 'Te betalen']);
        const fontSize = (l: typeof made) => l.evaluate((e) => Number.parseFloat(getComputedStyle(e).fontSize));
        const figure = onHome ? glance.getByText(/^[\d.]+ kWh$/).first() : glance.locator('dd').first();
        const amount = page.getByRole('region', { name: 'Te betalen' }).getByText('€ 310,00');
        expect(await fontSize(amount), `9-glance-due: no larger on ${where}`).toBeLessThanOrEqual(await fontSize(figure));
        const lines = notice.getByRole('listitem');
        for (const size of [phone, desktop]) {
          await page.setViewportSize(size);
          await expect(lines, `9-notice-one: ${where}`).toHaveCount(1);
          expect((await lines.first().boundingBox())?.height, `9-notice-one: ${where}`).toBeLessThanOrEqual(56);
          await notice.getByRole('button', { name: 'Nog 1 mededeling' }).click();
          await expect(lines, '9-notice-one: the others too').toHaveCount(2);
          const text = notice.getByText('netbeheerkosten').first();
          await expect(text, `9-notice-fold: ${where}`).toBeHidden();
          const title = notice.getByRole('button', { name: /^Je stroomrekening verandert/ });
          await title.click();
          await expect(text, `9-notice-fold: ${where}`).toBeVisible();
          await title.click();
          await expect(text, `9-notice-fold: ${where}`).toBeHidden();
          await notice.getByRole('button', { name: 'Minder mededelingen' }).click();
        }
        await page.setViewportSize(phone);
      }
    }
  },
);
