import { customers, expect, narrow, participants, phone, rows, test } from './harness';

test(
  rows(
    '10-reference-gallery',
    '@axe the gallery: each group with props and sources open, on a phone, by keyboard and by address',
  ),
  async ({ at, page }) => {
    if (process.env.A11Y === 'all') test.setTimeout(20 * 60_000); // axe checks each of its groups twice
    const all = [
      [customers, 'nl', phone, 'Eigenschappen', 'Broncode van het voorbeeld', 'Toon als tabel', 'Groep'],
      [participants, 'en', { width: 1280, height: 900 }, 'Props', 'Source of the example', 'Show as table', 'Group'],
    ] as const;
    for (const [host, locale, size, props, source, table, choice] of process.env.A11Y === 'all' ? all : all.slice(0, 1)) {
      const portal = at(host);
      await page.setViewportSize(size);
      await page.addInitScript((l) => localStorage.setItem('wattle:locale', l), locale);
      await portal.open('/dev/kit');
      const tabs = page.getByRole('group', { name: choice }).getByRole('button');
      for (let n = 0; n < (await tabs.count()); n++) {
        await tabs.nth(n).focus();
        await page.keyboard.press('Enter');
        await expect(tabs.nth(n)).toHaveAttribute('aria-pressed', 'true');
        for (const name of [props, source, table]) {
          const closed = page.getByRole('main').getByRole('button', { name, expanded: false });
          while ((await closed.count()) > 0) await closed.first().click();
        }
        if ((await page.locator('#PeriodChart').count()) > 0) {
          // charts are drawn when they are near the viewport
          for (const id of ['PeriodChart', 'ChartBox'])
            await page.locator(`#${id} [data-variants]`).evaluate((e) => e.scrollIntoView());
          await expect(page.locator('#PeriodChart [data-variants] [data-chart]')).toHaveCount(4);
          await expect(page.locator('.recharts-pie')).toBeVisible();
        }
        await portal.accessible({ otherWidth: false });
      }
      await page.setViewportSize(narrow);
      await portal.open('/dev/kit#DataTable');
      await expect(page.locator('#DataTable'), '10-reference-gallery').toBeInViewport();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), '10-reference-gallery').toBeLessThanOrEqual(
        narrow.width,
      );
    }
  },
);

test('a chart keeps its height while its code is fetched, and its card stays inside a phone', async ({ at, page }) => {
  const portal = at(customers);
  await page.setViewportSize(phone);
  await page.route(/plot[^/]*\.js/, async (route) => {
    await page.evaluate(() => document.querySelector('#PeriodChart [data-variants]')?.scrollIntoView());
    await route.continue();
  });
  await portal.open('/dev/kit#PeriodChart');
  const chart = page.locator('#PeriodChart [data-variants]');
  await chart.evaluate((e) => e.scrollIntoView()); // the drawing is fetched when it is near the viewport
  const frame = chart.locator('[data-chart]').first();
  const periods = frame.locator('[data-point]');
  await expect(periods.first()).toBeVisible();
  expect((await frame.boundingBox())?.height).toBe(300);
  for (const [place, name] of [
    [0, 'zondag 1 november 2026'],
    [19, 'vrijdag 20 november 2026'],
    [29, 'maandag 30 november 2026'],
  ] as const) {
    const shown = chart.getByText(name, { exact: true }).first();
    await expect(async () => {
      await periods.nth(place).focus(); // a chart that has been drawn again has lost focus
      await expect(shown).toBeVisible({ timeout: 1000 });
    }).toPass();
    const card = await shown.locator('..').boundingBox();
    expect(card?.x).toBeGreaterThanOrEqual(0);
    expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(phone.width);
  }
});

test('Tab reaches the link in a tip, and Escape returns focus', async ({ at, page }) => {
  await at(customers).open('/dev/kit#Tip');
  const tip = page.getByRole('button', { name: 'Over je verwachte jaarverbruik' });
  await tip.focus();
  const link = page.getByRole('link', { name: 'je verbruik van vorig jaar' });
  await expect(link).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(tip).toBeFocused();
  await tip.hover();
  await expect(link).toBeVisible();
  await link.hover();
  await expect(link).toBeVisible();
});
