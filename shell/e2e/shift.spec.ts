// Layout shifts on the pages of the demo's people while they load on a slow phone (9-pages-still).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../tools/workspace.mjs';
import { test } from './demo';
import { type Customer, desktop, expect, phone, rows } from './harness';

/** Maximum cumulative layout shift of a page. */
const maxShift = 0.05;

/** A layout shift entry, for which TypeScript has no type. */
interface Shift extends PerformanceEntry {
  value: number;
  sources?: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** People of every kind in labels with notices. */
const people = [
  ['1000', 'anouk.intveld'],
  ['1024', 'fenna.deboer'],
  ['1024', 'joost.vandervelde'],
  ['1024', 'sanne.klantenservice'],
  ['1042', 'baris.sahin'],
  ['1042', 'mieke.vandenbroek'],
  ['1060', 'wouter.dekker'],
  ['1071', 'yara.bakker'],
] as const;

for (const [label, username] of people)
  test(
    rows(['9-pages-still'], `every page of the menu of ${username} keeps its parts in their places`),
    async ({ at, page, server }) => {
      test.slow();
      const portal = at(`${label}.localhost`);
      await page.addInitScript(() => {
        const shifts = { sum: 0, parts: [] as string[], last: 0 };
        Object.assign(window, { shifts });
        new PerformanceObserver(() => {
          shifts.last = performance.now();
        }).observe({ type: 'resource', buffered: true });
        new PerformanceObserver((list) => {
          for (const e of list.getEntries() as Shift[]) {
            shifts.sum += e.value;
            shifts.last = performance.now();
            for (const { node, previousRect: before, currentRect: after } of e.sources ?? []) {
              const name = `${node?.nodeName.toLowerCase()} "${node?.textContent?.trim().slice(0, 30)}"`;
              const box = (r: DOMRectReadOnly) => `${Math.round(r.top)}+${Math.round(r.height)}`;
              shifts.parts.push(`${e.value.toFixed(3)} ${name} ${box(before)} → ${box(after)}`);
            }
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const { body } = (await server.call('localhost', 'GET', '/dev/people')) as { body: (Customer & { username: string })[] };
      await portal.signIn(body.find((one) => one.username === username));
      await page.setViewportSize(desktop);
      await portal.open('/account');
      const menu = await page.locator('nav a[href^="/"]').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
      const paths = [...new Set([...menu, '/account'])];
      expect(paths.length, 'the pages of the menu').toBeGreaterThan(4);

      await page.setViewportSize(phone);
      const cpu = await page.context().newCDPSession(page);
      await cpu.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      // Delays the notices until everything else has loaded.
      await page.route('**/notices*', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
      const seen: Record<string, number> = {};
      for (const to of paths) {
        await page.goto(portal.url(to));
        await expect(page.locator('main h1').first()).toBeVisible();
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        // everything has loaded: no request or shift for longer than the wait for content below the viewport
        await page.waitForFunction(
          () => performance.now() - (window as unknown as { shifts: { last: number } }).shifts.last > 2500,
          undefined,
          { polling: 250 },
        );
        const { sum, parts } = await page.evaluate(
          () => (window as unknown as { shifts: { sum: number; parts: string[] } }).shifts,
        );
        seen[to] = Math.round(sum * 1000) / 1000;
        expect.soft(sum, `9-pages-still ${to}: ${parts.join(', ')}`).toBeLessThanOrEqual(maxShift);
      }
      const folder = path.join(root, 'test-results');
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `shift-${label}-${username}.json`), JSON.stringify(seen, undefined, 2));
    },
  );
