// What the dashboard shows first: what is open, and what needs attention.
import { household } from './billing-records';
import { expect, phone, rows, test } from './harness';

test(
  rows(
    ['9-dashboard-open', '9-dashboard-attention', '9-dashboard-order'],
    'what is open and what needs attention, as tiles and as an accordion',
  ),
  async ({ portal, page }) => {
    const who = await portal.signIn(await portal.customer(household));
    await page.setViewportSize({ width: 1280, height: 900 });
    const asked = Promise.all(
      [
        '/periodicalPayments',
        '/relations/bankAccountNumber',
        '/relations/email',
        '/smartmeterreadings/historicaldata',
        '/moves',
      ].map((path) => page.waitForResponse((r) => new URL(r.url()).pathname.endsWith(path))),
    );
    await portal.open('/dashboard');
    const open = page.locator('[data-tile="open"]');
    await expect(open.getByRole('listitem').first(), '9-dashboard-open').toContainText('Te laat');
    await expect(open, '9-dashboard-open').toContainText(/€\s[\d.,]+\s*(waarvan|alles)/);
    await expect(open, '9-dashboard-open: the title says it').not.toContainText('te betalen');
    const attention = page.locator('[data-tile="attention"]');
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    await asked;
    await expect(attention, '9-dashboard-attention: nothing').toBeHidden();
    await portal.open(`/periodical-payments/update/${who.id}-2`);
    await page.getByRole('dialog').getByRole('textbox').fill('140');
    await page.getByRole('button', { name: 'Opslaan' }).click();
    await expect(page.getByText('Wordt gewijzigd in').first()).toBeVisible();
    await portal.open('/dashboard');
    await expect(
      attention.getByRole('link', { name: /Je termijnbedrag wordt gewijzigd in € 140,00/ }),
      '9-dashboard-attention',
    ).toBeVisible();
    const box = await attention.boundingBox();
    const amount = await page.locator('[data-tile="term-amount"]').boundingBox();
    expect(box?.height, '9-dashboard-attention: one slim line').toBeLessThan(80);
    expect(box?.width, '9-dashboard-attention: as wide as the page').toBeGreaterThanOrEqual(amount?.width ?? 0);
    await portal.accessible();
    const order = ['open', 'attention', 'term-amount', 'latest', 'quick-start', 'service'];
    await expect(async () => {
      const shown = await page
        .locator('[data-tile]:visible')
        .evaluateAll((all) => all.map((tile) => tile.getAttribute('data-tile')));
      expect(
        shown.filter((id) => order.includes(id ?? '')),
        '9-dashboard-order',
      ).toEqual(order);
    }).toPass();
    await page.setViewportSize(phone);
    const strip = page.getByRole('region', { name: 'Dit vraagt je aandacht' });
    await expect(strip.getByRole('link', { name: /Je termijnbedrag wordt/ }), '9-dashboard-attention').toBeVisible();
    await expect(page.getByRole('heading', { name: 'Openstaand' }), '9-dashboard-open').toBeVisible();
    await expect(page.getByText('Te laat').first(), '9-dashboard-open: not folded').toBeVisible();
    await portal.accessible();
  },
);

test(
  rows(['9-dashboard-hero', '9-dashboard-lead'], '@daily what is to be paid, and what this month costs'),
  async ({ portal, page }) => {
    const calls = [{ method: 'GET' as const, module: 'usage', path: '/smartmeterreadings/historicaldata?consentGiven=true' }];
    await portal.signIn(await portal.customer({ sample: true, calls }));
    await page.setViewportSize({ width: 1280, height: 900 });
    const month = page.getByRole('region', { name: 'Deze maand' });
    await expect(async () => {
      await portal.open('/dashboard'); // the measurements that the consent allows are being retrieved
      await expect(month, '9-dashboard-hero').toContainText(/€\s\d+,\d\d\s*((deels )?geschat, )?tot en met 19-11-2026/, {
        timeout: 5_000,
      });
    }).toPass();
    await expect(month, '9-dashboard-hero').toContainText(
      /Naar verwachting wordt het deze maand €\s\d+, tussen €\s\d+ en €\s\d+/,
    );
    await expect(month.getByRole('listitem'), '9-dashboard-hero').toHaveText([/Stroom.*€.*kWh/s, /Gas.*€.*m³/s]);
    const cents = (text: string) => Number(/€\s([\d.]+,\d\d)/.exec(text)?.[1]?.replace(/\D/g, ''));
    const parts = (await month.getByRole('listitem').allInnerTexts()).map(cents);
    expect(
      parts.reduce((a, b) => a + b),
      '9-dashboard-hero: the parts add up',
    ).toBe(cents(await month.locator('p').first().innerText()));
    const order = () => page.locator('[data-tile]').evaluateAll((all) => all.slice(0, 2).map((e) => e.getAttribute('data-tile')));
    expect(await order(), '9-dashboard-lead').toEqual(['open', 'month']);
    const open = page.locator('[data-tile="open"]');
    await expect(open.getByRole('heading', { name: 'Openstaand' })).toBeVisible();
    const boxes = async () => [await open.boundingBox(), await page.locator('[data-tile="month"]').boundingBox()] as const;
    await expect(async () => {
      const [due, usage] = await boxes();
      expect(due?.y, '9-dashboard-lead: side by side').toBe(usage?.y);
      expect(due?.height, '9-dashboard-lead').toBeCloseTo(usage?.height ?? 0, 0);
      expect(due?.x, '9-dashboard-lead').toBeLessThan(usage?.x ?? 0);
    }).toPass();
    await portal.accessible();
    await page.route(/\/api\/v0\/openInvoices$/, (route) =>
      route.fulfill({ json: { invoices: [], amount: 0, overdue_amount: 0 } }),
    );
    await portal.open('/dashboard');
    await expect(open).toContainText(/Alles is betaald|Geen open facturen/);
    await expect(month).toContainText(/€\s\d+,\d\d/);
    await expect(async () => {
      const [line, usage] = await boxes();
      expect((line?.y ?? 0) + (line?.height ?? 0), '9-dashboard-lead: above it').toBeLessThanOrEqual(usage?.y ?? 0);
      expect(line?.width, '9-dashboard-lead').toBeCloseTo(usage?.width ?? 0, 0);
      expect(line?.height, '9-dashboard-lead: one line').toBeLessThan(100);
    }).toPass();
  },
);

test(
  rows('9-dashboard-hero', 'without consent the tile is called and has what the last month cost'),
  async ({ portal, page }) => {
    await portal.signIn(await portal.customer({ sample: true }));
    await page.setViewportSize({ width: 1280, height: 900 });
    await portal.open('/dashboard');
    const month = page.locator('[data-tile="month"]');
    await expect(month.getByRole('heading', { name: 'Vorige maand' }), '9-dashboard-hero').toBeVisible();
    await expect(month, '9-dashboard-hero').toContainText(/€\s\d+,\d\d\s*kostte je verbruik in oktober 2026/);
    await expect(month.getByRole('listitem'), '9-dashboard-hero').toHaveText([
      /Stroom.*€\s\d+.*kWh.*oktober 2025/s,
      /Gas.*€\s\d+.*m³.*oktober 2025/s,
    ]);
    await expect(month).not.toContainText('Meterstand');
    await portal.accessible();
    await page.getByRole('banner').getByRole('button', { name: 'EN' }).click();
    await expect(month.getByRole('heading', { name: 'Last month' }), 'in the other language').toBeVisible();
  },
);
