// The texts of a page: no sentence occurs three times, and each empty list has its own text.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/workspace.mjs';
import { test } from './demo';
import { type Customer, customers, desktop, expect, type Portal, participants, rows } from './harness';

/** Returns whether the label has the module. */
const hasNotifications = (key: string) =>
  /^\tnotifications:/m.test(readFileSync(path.join(root, 'labels', key, 'label.cue'), 'utf8'));

/** The first two customers in a label's demo, who have the most agreements, shares, requests and orders. */
const firstCustomers = (host: string): Pick<Customer, 'username' | 'password'>[] =>
  readFileSync(path.join(root, 'labels', host.split('.')[0] ?? '', 'demo/account.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { username: string; password: string; role: string })
    .filter((a) => a.role === 'customer')
    .slice(0, 2);

/** Returns the visible sentences of a page with their counts. Single words and numbers do not count. */
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

// three tests, so that both workers are busy until the end
for (const host of [customers, participants, '1060.localhost'])
  test(rows('9-no-sentence-thrice', `on every page of a customer and of a member of ${host}`), async ({ at, page, context }) => {
    await page.setViewportSize(desktop);
    let found = 0;
    const thrice: string[] = [];
    const portal = at(host);
    for (const who of firstCustomers(host)) {
      await context.clearCookies();
      await portal.signIn(who as Customer);
      await portal.open('/contact');
      const paths = await page.evaluate(() => {
        const { remotes } = JSON.parse(document.getElementById('portal')?.textContent ?? '{}') as {
          remotes: { manifest: { routes: { path: string; access?: string }[] } }[];
        };
        return remotes.flatMap((r) => r.manifest.routes).flatMap((r) => (r.access || r.path.includes(':') ? [] : [r.path]));
      });
      expect(paths).toContain('/usage');
      for (const to of ['/dashboard', '/home', ...paths]) {
        await portal.visit(to);
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        for (const { text, times } of await sentences(portal)) {
          found++;
          if (times > 2) thrice.push(`${host}${to}, ${who.username}: ${text}`);
        }
      }
    }
    expect(thrice, '9-no-sentence-thrice').toEqual([]);
    expect(found, 'sentences that were looked at').toBeGreaterThan(20);
  });

test(
  rows('8-msg-empty-lists', '@daily no orders, offers, personal offers, invoices, notifications: each has its own text'),
  async ({ at, page }) => {
    const portal = at('1060.localhost'); // this label has no offers for a new customer
    const [bare, member] = [await portal.customer({}), await portal.customer({ sample: true })];
    const said = new Map<string, string>();
    const lists = [
      ['/my-orders', 'Je hebt geen bestellingen', member],
      ['/offers', 'Er is nu geen aanbod', member],
      ['/personal-offers', 'Er is nu geen aanbod voor jou', member],
      ['/invoices', 'Er zijn nog geen facturen', bare],
      ...(hasNotifications('1060') ? ([['/notifications', 'Je hebt nog geen berichten', bare]] as const) : []),
    ] as const;
    for (const [to, title, who] of lists) {
      await page.context().clearCookies();
      await portal.signIn(who);
      if (to === '/offers')
        await page.route(/\/sustainable\/market(\?|$)/, (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({ json: { content: [], number: 0, size: 10, totalElements: 0, totalPages: 1 } })
            : route.continue(),
        );
      if (to === '/notifications') await page.route(/\/sustainable\/notifications(\?|$)/, (route) => route.fulfill({ json: [] })); // the demo sends messages to all customers
      await portal.open(to);
      await expect(page, `8-msg-empty-lists: ${to}`).toHaveURL(portal.url(to));
      await expect(page.locator('main').getByText(title, { exact: true }), `8-msg-empty-lists: ${to}`).toBeVisible();
      said.set(to, (await page.locator('main').innerText()).trim());
    }
    expect(new Set(said.values()).size, '8-msg-empty-lists').toBe(lists.length);
  },
);
