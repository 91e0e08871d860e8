import { globSync, statSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { dist } from '../../tools/workspace.mjs';
import { customers, expect, participants, rows, test } from './harness';
import { consentHome } from './usage-records';

/** Returns the names of the drawing's files that the page has fetched. */
const drawing = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((e) => new URL(e.name).pathname.split('/').at(-1) ?? '')
      .filter((name) => /^(plot|recharts)\..*\.js$/.test(name))
      .map((name) => name.split('.')[0])
      .sort(),
  );

test(
  rows('9-charts-lazy', 'dashboard, home and account fetch no drawing; a page with a chart fetches it once'),
  async ({ portal, page, at }) => {
    await portal.signIn(await portal.customer(consentHome));
    await portal.open('/dashboard');
    await expect(page.getByRole('region', { name: 'Deze maand' }).getByRole('img')).toBeVisible(); // the sparkline
    expect(await drawing(page), '9-charts-lazy').toEqual([]);
    await portal.open('/account');
    await expect(portal.heading()).toBeVisible();
    expect(await drawing(page)).toEqual([]);
    await portal.open('/usage');
    await expect(page.locator('[data-chart]').first()).toBeVisible();
    expect(await drawing(page)).toEqual(['plot', 'recharts']);
    const files = globSync(`${dist}/shell/{plot,recharts}.*.js.br`);
    expect(files, '9-charts-lazy: the files of the drawing').toHaveLength(2);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes, '9-charts-lazy: 110 KB').toBeLessThanOrEqual(110 * 1024);
    const member = at(participants);
    await member.signIn(await member.customer({ sample: true }));
    await member.open('/home');
    await expect(member.heading()).toBeVisible();
    expect(await drawing(page)).toEqual([]);
  },
);

test(
  rows(['9-charts-recharts', '9-charts-range'], 'a chart of recharts in the colors of the label; a year of hours on one chart'),
  async ({ at, page }) => {
    const portal = at(customers);
    await portal.open('/dev/kit#ChartBox');
    // what recharts draws for a remote has the label's color
    const pie = page.getByRole('img', { name: /^Waar je bedrag uit bestaat: / });
    const slice = pie.locator('.recharts-pie-sector path').first();
    await expect(slice).toHaveAttribute('fill', 'var(--w-chart-1)');
    const color = await slice.evaluate((e) => getComputedStyle(e).fill);
    expect(color, '9-charts-recharts').toBe(
      await page.evaluate(() => {
        const probe = document.createElement('i');
        probe.style.color = 'var(--w-chart-1)';
        document.body.append(probe);
        return getComputedStyle(probe).color;
      }),
    );
    // if only the first day of the year is selected, every hour is drawn; the keyboard can move beyond it
    await page.locator('#PeriodChart').evaluate((e) => e.scrollIntoView()); // its charts are drawn when they are near the viewport
    const chart = page.getByRole('group', { name: 'Verbruik per uur in 2026' });
    await chart.scrollIntoViewIfNeeded();
    await expect(chart.locator('path.recharts-area-area')).toHaveCount(2);
    const until = page.getByRole('slider', { name: 'Tot en met' });
    await until.press('Home');
    await expect(until, '9-charts-range').toHaveAttribute('aria-valuetext', /^vrijdag 2 januari 2026, 00:00$/);
    await expect(chart.locator('[data-point]')).toHaveCount(25);
    await chart.locator('[data-point="24"]').focus();
    await page.keyboard.press('ArrowRight');
    await expect(chart.getByRole('img', { name: /^vrijdag 2 januari 2026, 01:00: / })).toBeFocused();
    await page.keyboard.press('End');
    await expect(chart.getByRole('img', { name: /^donderdag 31 december 2026, 23:00: / })).toBeFocused();
  },
);

test(
  rows('9-charts-motion', 'bars grow where motion is wanted, and are there at once where it is not'),
  async ({ browser, at }) => {
    for (const [reducedMotion, moves] of [
      ['no-preference', true],
      ['reduce', false],
    ] as const) {
      const context = await browser.newContext({ reducedMotion, locale: 'nl-NL' });
      const page = await context.newPage();
      await at(customers, page).open('/dev/kit#PeriodChart');
      const chart = page.getByRole('group', { name: 'Kosten per maand' });
      await chart.scrollIntoViewIfNeeded();
      await expect(chart.locator('[data-series="2026"], [data-series=cost]').first()).toBeVisible();
      const hide = page.getByRole('group', { name: 'Legenda' }).getByRole('button', { name: '2026', exact: true });
      await hide.click();
      await expect(chart.locator('[data-series=cost]')).toHaveCount(0);
      // heights of the first bar, frame by frame, while the series reappears
      const heights = await hide.evaluate(async (button) => {
        (button as HTMLElement).click();
        const seen = new Set<number>();
        let end = Number.POSITIVE_INFINITY; // the growth is timed from the first frame with the bar
        while (performance.now() < end) {
          await new Promise(requestAnimationFrame);
          const bar = document.querySelector('[aria-label="Kosten per maand"] [data-series=cost] path');
          if (!bar) continue;
          if (seen.size === 0) end = performance.now() + 600;
          seen.add(Math.round((bar as SVGPathElement).getBBox().height));
        }
        return [...seen];
      });
      expect(heights.length > 2, `9-charts-motion: ${reducedMotion}, heights ${heights}`).toBe(moves);
      await context.close();
    }
  },
);
