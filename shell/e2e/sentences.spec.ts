// What is read on a page: nothing three times, and a message of its own for each empty list.
import { customers, desktop, expect, type Portal, participants, rows } from './harness';
import { test } from './plain';

/** Sentences of a page that can be seen, with how often they stand there. Words and figures are none. */
const sentences = (portal: Portal) =>
  portal.page.locator('body').evaluate((body) => {
    const seen = new Map<string, number>();
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT);
    for (let e = walker.nextNode() as HTMLElement | null; e; e = walker.nextNode() as HTMLElement | null) {
      const blocks = [...e.children].some((c) => !getComputedStyle(c).display.startsWith('inline'));
      const parent = e.parentElement;
      const inline = getComputedStyle(e).display === 'inline' && parent !== null;
      if (blocks || inline || e.closest('script, style, template, svg')) continue;
      const box = e.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      for (const s of (e.innerText ?? '').split(/(?<=[.?!])\s+/)) {
        const text = s.trim();
        if (text.split(/\s+/).length >= 5 && /[.?!]$/.test(text)) seen.set(text, (seen.get(text) ?? 0) + 1);
      }
    }
    return [...seen].map(([text, times]) => ({ text, times }));
  });

test(rows('9-no-sentence-thrice', 'on every page of a customer and of a member'), async ({ at, page, context }) => {
  await page.setViewportSize(desktop);
  let found = 0;
  for (const host of [customers, participants, '1060.localhost']) {
    const portal = at(host);
    await context.clearCookies();
    await portal.signIn(await portal.customer({ sample: true, company: true, addresses: 4 }));
    await portal.open('/contact');
    const paths = await page.evaluate(() => {
      const { remotes } = JSON.parse(document.getElementById('portal')?.textContent ?? '{}') as {
        remotes: { manifest: { routes: { path: string; access?: string }[] } }[];
      };
      return remotes.flatMap((r) => r.manifest.routes).flatMap((r) => (r.access || r.path.includes(':') ? [] : [r.path]));
    });
    expect(paths).toContain('/usage');
    for (const path of ['/dashboard', '/home', ...paths]) {
      await portal.open(path);
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
      const all = await sentences(portal);
      found += all.length;
      expect(
        all.filter((s) => s.times > 2),
        `9-no-sentence-thrice: ${host}${path}`,
      ).toEqual([]);
    }
  }
  expect(found, 'sentences that were looked at').toBeGreaterThan(60);
});

test(
  rows('8-msg-empty-lists', 'no orders, offers, personal offers, invoices, notifications: each in its own words'),
  async ({ at, page }) => {
    const portal = at('1060.localhost'); // nobody sells there to a newcomer
    await portal.signIn(await portal.customer({}));
    const said = new Map<string, string>();
    for (const [path, title] of [
      ['/my-orders', 'Je hebt geen bestellingen'],
      ['/offers', 'Er is nu geen aanbod'],
      ['/personal-offers', 'Er is nu geen aanbod voor jou'],
      ['/invoices', 'Er zijn nog geen facturen'],
      ['/notifications', 'Je hebt nog geen berichten'],
    ] as const) {
      if (path === '/offers')
        await page.route('**/sustainable/market*', (route) =>
          route.fulfill({ json: { content: [], number: 0, size: 10, totalElements: 0, totalPages: 1 } }),
        );
      await portal.open(path);
      await expect(page, `8-msg-empty-lists: ${path}`).toHaveURL(portal.url(path));
      await expect(page.locator('main').getByText(title, { exact: true }), `8-msg-empty-lists: ${path}`).toBeVisible();
      said.set(path, (await page.locator('main').innerText()).trim());
    }
    expect(new Set(said.values()).size, '8-msg-empty-lists').toBe(5);
  },
);
