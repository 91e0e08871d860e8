import type { Page } from '@playwright/test';
import { type Customer, type CustomerSpec, expect, type Portal, phone, rows, test } from './harness';
import { consentHome, euroHome, smartHome } from './usage-records';

const running = (who: Customer) => `${who.id}-2`;
const ended = (who: Customer) => `${who.id}A-1`;
const block = (page: Page, name: string) => page.getByRole('heading', { level: 2 }).getByRole('button', { name });
/** Returns a customer's EAN codes, in the order of its connections. */
const eans = (who: Customer) =>
  (who.records ?? []).filter((r) => r.kind === 'connection').map((r) => String(r.data.ean_code)) as [string, string, string];
const signedIn = async (portal: Portal, wanted: CustomerSpec = smartHome): Promise<Customer> =>
  portal.signIn(await portal.customer(wanted));
/** Calls the API as the customer. */
async function asCustomer(portal: Portal, who: Customer, method: 'get' | 'post', path: string) {
  const { id_token } = (
    await portal.post<{ id_token: string }>('/auth/sign-in', { username: who.username, password: who.password })
  ).body;
  const headers = { Host: `${portal.host}:${portal.server.port}`, Authorization: `Bearer ${id_token}` };
  const answer = await portal.page.request[method](`http://127.0.0.1:${portal.server.port}/api/v0${path}`, { headers });
  return { status: answer.status(), body: await answer.text() };
}
/** Opens everything that is initially closed. */
const unfold = (page: Page, name: string) => page.getByRole('button', { name, exact: true, expanded: false }).click();
const giveConsent = (portal: Portal, who: Customer) =>
  asCustomer(portal, who, 'get', '/smartmeterreadings/historicaldata?consentGiven=true');

test(
  rows(
    ['2.1-usage-route', '2.1-usage-first-expanded', '2.1-usage-deeplink', '2.1-usage-toggle-smart-only'],
    '@daily usage by agreement, and a link to one of them',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal, consentHome);
    await portal.open('/usage');
    await expect(block(page, 'Zeker groen'), '2.1-usage-first-expanded').toHaveAttribute('aria-expanded', 'true');
    await expect(block(page, 'Modelcontract')).toHaveAttribute('aria-expanded', 'false');
    await unfold(page, 'Meterstanden');
    const readings = page.getByRole('table', { name: 'Meterstanden Stroom' });
    await expect(readings.getByRole('row'), '2.1-usage-route').toHaveCount(4);
    await expect(readings.getByRole('row').nth(1)).toContainText('01-11-2026');
    await expect(readings.getByRole('row').nth(1)).toContainText('13.820');
    await expect(page.getByText('Er zijn geen meterstanden van deze meter')).toBeVisible(); // gas
    await unfold(page, 'Weergave');
    await expect(page.getByRole('radio', { name: 'Teruglevering' })).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'Verbruik Stroom, november 2026' }).getByRole('group').first()).toBeVisible();
    for (const id of [ended(who), running(who)]) {
      await portal.open(`/usage/${id}`);
      await expect(page.locator('h1')).toHaveText('Verbruik');
      await expect(block(page, 'Modelcontract'), '2.1-usage-deeplink').toHaveAttribute(
        'aria-expanded',
        String(id === ended(who)),
      );
      await expect(block(page, 'Zeker groen')).toHaveAttribute('aria-expanded', String(id === running(who)));
    }
    await portal.open(`/usage/${ended(who)}`);
    await expect(page.getByText('Geen grafiek voor deze meter')).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Teruglevering' }), '2.1-usage-toggle-smart-only').toHaveCount(0);
  },
);

test('charts by hour, day, week, month and year, kept after a reload and the back button', async ({ portal, page }) => {
  await signedIn(portal, consentHome);
  await portal.open('/usage?day=2026-10-25');
  await unfold(page, 'Weergave');
  // its table is a region with the same name, so that keyboard users can scroll it
  const chart = (what: string) => page.getByRole('region', { name: `Verbruik Stroom, ${what}` }).first();
  await expect(chart('oktober 2026')).toContainText(/\d kWh/);
  await page.getByRole('radio', { name: 'Dag', exact: true }).click();
  await expect(chart('zondag 25 oktober 2026')).toBeVisible();
  // The hour that occurs twice is listed twice, and the day has 25 hours.
  await chart('zondag 25 oktober 2026').getByRole('button', { name: 'Toon als tabel' }).click();
  const table = chart('zondag 25 oktober 2026').getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(1 + 25 + 1);
  await expect(table.getByText('02:00–03:00 zomertijd')).toBeVisible();
  await expect(table.getByText('02:00–03:00 wintertijd')).toBeVisible();
  await portal.accessible();
  for (const [span, unit, what] of [
    ['Week', 'uur', '19 – 25 okt 2026'],
    ['Maand', 'week', 'oktober 2026'],
    ['Jaar', 'week', '2026'],
    ['Alle jaren', 'maand', '2024–2026'],
  ] as const) {
    await page.getByRole('radio', { name: span, exact: true }).click();
    await page.getByRole('radio', { name: unit, exact: true }).click();
    await expect(chart(what)).toContainText(/\d kWh/);
  }
  await page.getByRole('radio', { name: 'Jaar', exact: true }).click();
  await page.getByRole('button', { name: 'Vorige periode' }).click();
  await page.getByRole('radio', { name: 'Teruglevering' }).click();
  const fed = page.getByRole('region', { name: 'Teruggeleverde stroom, 2025' }).first();
  await expect(fed).toContainText(/\d kWh/);
  await expect(page).toHaveURL(/span=year/);
  await page.reload();
  await expect(fed).toContainText(/\d kWh/);
  await page.getByRole('link', { name: 'Meterstanden' }).click();
  await expect(page.locator('h1')).toHaveText('Meterstanden');
  await page.goBack();
  await expect(fed).toContainText(/\d kWh/);
});

test(
  rows(
    ['9-usage-euro-switch', '9-usage-euro-headline', '9-usage-euro-unknown', '9-usage-euro-comparison', '9-usage-number-high'],
    'usage in euros: remembered, explained, unknown without a price, and a year without net metering',
  ),
  async ({ portal, page }) => {
    const costs = (what: string, when = 'oktober 2026') =>
      page.getByRole('region', { name: `Kosten ${what}, ${when}`, exact: true }).first();
    // A home lacks data for a few days. Readings complete a single gap in a month. With two gaps they only give the sum, so try
    // another home.
    do {
      await signedIn(portal, euroHome);
      await portal.open('/usage?day=2026-10-15');
      await expect(costs('stroom')).toContainText('Hoogste');
    } while ((await costs('stroom').getByText('kosten niet bekend').count()) > 0);
    const choice = page.getByRole('radiogroup', { name: 'Toon', exact: true });
    await expect(choice.getByRole('radio')).toHaveCount(3);
    // there are prices and daily values
    await expect(choice.getByRole('radio', { name: 'Kosten' }), '9-usage-euro-switch').toBeChecked();
    await expect(costs('gas'), '9-usage-euro-switch').toContainText(/€\s\d/);

    const cents = (text: string) => Number(text.replace(/[^\d-]/g, ''));
    const amounts = async (table: ReturnType<Page['getByRole']>, column = 'td:last-child') =>
      (await table.getByRole('row').locator(column).allInnerTexts()).map(cents);
    const power = costs('stroom');
    const rowsOf = power.getByRole('table', { name: /^Waar dit uit bestaat/ });
    await power.getByRole('button', { name: /tot stand$/, expanded: false }).click();
    await expect(rowsOf).toContainText('Normaaltarief');
    const [total, ...parts] = (await amounts(rowsOf)).reverse();
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.reduce((a, b) => a + b)).toBe(total);
    const sums = page.getByRole('region', { name: 'Kosten van alles samen' });
    const headline = sums.getByRole('listitem').filter({ hasText: 'Stroom' }).locator('strong');
    expect(cents(await headline.innerText()), '9-usage-euro-headline').toBe(total);
    await power.getByRole('button', { name: 'Toon als tabel' }).click();
    const bars = power.getByRole('table', { name: 'Kosten stroom, oktober 2026', exact: true });
    await expect(bars.getByRole('row')).toHaveCount(1 + 31 + 1);
    expect((await amounts(bars, ':scope > :nth-child(2)')).at(-1), 'the bars add up to the same').toBe(total);
    await expect(sums).toContainText('oktober 2026');
    await portal.accessible();

    const compared = page.getByRole('region', { name: 'Wat er verandert zonder salderen' });
    await compared.getByRole('button', { expanded: false }).click();
    await expect(compared, '9-usage-euro-comparison').toContainText(/€\s\d+,\d\d\smeer per jaar zonder salderen/);
    await expect(compared).toContainText(/Met salderen\s*€\s-?[\d.]+,\d\d\s*Zonder salderen\s*€\s-?[\d.]+,\d\d/);
    await expect(compared).toContainText('€\u00a00,06 terugleverkosten');
    await expect(compared).toContainText('1 november 2025 t/m 31 oktober 2026');

    await page.reload();
    await expect(choice.getByRole('radio', { name: 'Kosten' }), '9-usage-euro-switch').toBeChecked();
    await expect(costs('stroom')).toContainText(/€\s\d/);

    // On a phone, the number is above the options.
    const desktop = page.viewportSize();
    await page.setViewportSize(phone);
    await portal.open('/usage?day=2026-10-15');
    const together = page.getByRole('region', { name: 'Kosten van alles samen' });
    await expect(together.getByRole('listitem'), '9-usage-euro-headline').toHaveText([/Stroom.*kWh.*€/s, /Gas.*m³.*€/s]);
    const title = await portal.heading().boundingBox();
    const number = await together.locator('p').first().boundingBox();
    expect(number?.y, '9-usage-number-high').toBeLessThan((title?.y ?? 0) + (title?.height ?? 0) + 400);
    const choices = page.getByRole('radiogroup', { name: 'Een staaf per' });
    await expect(choices, '9-usage-number-high').toBeHidden();
    const display = page.getByRole('button', { name: 'Weergave', exact: true });
    const controls = await display.boundingBox();
    expect(controls?.y, '9-usage-number-high: the number is above the controls').toBeGreaterThan(number?.y ?? 0);
    const middle = async (of: ReturnType<Page['getByRole']>) => {
      const box = await of.boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
    };
    expect(await middle(choice), '9-usage-number-high: the first row').toBeCloseTo(await middle(display), -1);
    const period = await middle(page.getByRole('combobox', { name: 'Periode' }));
    for (const name of [/^Vorige periode/, /^Volgende periode/])
      expect(await middle(page.getByRole('button', { name })), '9-usage-number-high: the second row').toBeCloseTo(period, -1);
    await display.click();
    await expect(choices, '9-usage-number-high').toBeVisible();
    await portal.accessible();
    if (desktop) await page.setViewportSize(desktop);

    await portal.open('/usage?day=2025-06-10'); // before the first prices
    const unknown = costs('stroom', 'juni 2025');
    await expect(unknown, '9-usage-euro-unknown').toContainText('Voor juni 2025 kennen we geen prijs: vaste leveringskosten.');
    await expect(unknown).not.toContainText('€');
    await portal.accessible();
  },
);

test(
  rows('2.1-usage-tooltip', '@daily a tip with a link to the invoices, on hover, focus and tap; it stays for 100 ms'),
  async ({ portal, page, browser, at }) => {
    const who = await signedIn(portal);
    await page.clock.install({ time: new Date('2026-11-20T10:00:00Z') });
    await portal.open('/usage');
    const trigger = page.getByRole('button', { name: 'Wat kost dit?' });
    const link = page.getByRole('link', { name: 'Naar je facturen' });
    const away = () => page.mouse.move(2, 2);
    await page.clock.pauseAt(new Date('2026-11-20T12:00:00Z'));

    // Hover: the pointer is on the trigger, then on the tip, then leaves both.
    await trigger.hover();
    await expect(link).toBeVisible();
    await link.hover();
    await page.clock.runFor(1_000);
    await expect(link).toBeVisible();
    await away();
    await page.clock.runFor(99);
    await expect(link).toBeVisible();
    await page.clock.runFor(1);
    await expect(link).toHaveCount(0);

    // Focus: it moves from the trigger into the tip, then leaves both.
    await trigger.focus();
    await expect(link).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(link).toBeFocused();
    await page.clock.runFor(1_000);
    await expect(link).toBeVisible();
    await page.keyboard.press('Tab');
    await page.clock.runFor(99);
    await expect(link).toBeVisible();
    await page.clock.runFor(1);
    await expect(link).toHaveCount(0);

    await trigger.hover();
    await link.click();
    await expect(page).toHaveURL(/\/invoices$/);

    // Tap.
    const context = await browser.newContext({ hasTouch: true, viewport: phone, locale: 'nl-NL' });
    await portal.signIn(who, context);
    const touched = await context.newPage();
    await touched.goto(portal.url('/usage'));
    await touched.getByRole('button', { name: 'Wat kost dit?' }).tap();
    await expect(touched.getByRole('link', { name: 'Naar je facturen' })).toBeVisible();
    await at(portal.host, touched).accessible();
    await context.close();
  },
);

test(
  rows(
    ['2.3-overlay-usage-history', '2.3-usage-history-encoding', '9-usage-history-table'],
    'all readings of a connection above the page; an invalid id closes the overlay',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal);
    await portal.open('/usage?span=year');
    await unfold(page, 'Meterstanden');
    await page.getByRole('button', { name: 'Alle meterstanden stroom' }).click();
    const sheet = page.getByRole('dialog', { name: 'Alle meterstanden' });
    const lines = sheet.getByRole('row').filter({ has: page.getByRole('cell') });
    await expect(lines, '9-usage-history-table').toHaveCount(10);
    await expect(lines.first()).toContainText('01-11-2026');
    await expect(lines.first()).toContainText('Teruglevering normaal');
    await expect(lines.last()).toContainText('01-02-2026');
    await portal.accessible();
    await sheet.getByRole('button', { name: 'Volgende pagina' }).click();
    await expect(lines).toHaveCount(5);
    await expect(lines.last()).toContainText('01-09-2025');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(JSON.parse(Buffer.from(id, 'base64url').toString()), '2.3-usage-history-encoding').toEqual({
      agreement_identifier: who.id,
      location_id: `L-${who.id}`,
      ean_code: eans(who)[0],
      delivery: true,
    });
    expect(new URL(page.url()).pathname).toMatch(/^\/usage\/usage-history\/[A-Za-z0-9_-]+$/);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/usage\?span=year$/);
    await expect(sheet, '2.3-overlay-usage-history').toHaveCount(0);
    // By deep link above another page, and with an invalid id.
    await page.goto(portal.url(`/metermeasuring/usage-history/${id}`));
    await expect(lines).toHaveCount(10);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/metermeasuring$/);
    await page.goto(portal.url('/usage/usage-history/onzin'));
    await expect(page).toHaveURL(/\/usage$/);
    await expect(page.locator('h1')).toHaveText('Verbruik');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
);

test(rows('2.1-metermeasuring-route', '@daily the meter readings, from the menu'), async ({ portal, page }) => {
  await signedIn(portal);
  await portal.open('/usage');
  await page.getByRole('link', { name: 'Meterstanden' }).click();
  await expect(page).toHaveURL(/\/metermeasuring$/);
  await expect(page.locator('h1')).toHaveText('Meterstanden');
  const table = page.getByRole('table', { name: 'Meterstanden Stroom' });
  await expect(table.getByRole('row')).toHaveCount(7);
  await expect(table.getByRole('row').nth(1)).toContainText('229 kWh');
});

test(
  rows(
    [
      '4-consent-give-revoke',
      '2.1-account-privacy-section',
      '5.10-historical-conditions',
      '9-usage-chart-months',
      '9-usage-last-reading',
    ],
    'consent on the account page shows days; without it months come from meter readings',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal);
    const history = `/smartmeterreadings/historicaldata/${who.id}`;
    expect((await asCustomer(portal, who, 'get', history)).status).toBe(403);
    expect((await asCustomer(portal, who, 'get', `/smartmeterreadings/historicaldata/${who.id}A`)).status).toBe(422);
    // Months are calculated from the readings, although every hour was measured.
    await portal.open('/usage?span=day&day=2026-10-25');
    const year = page.getByRole('region', { name: 'Verbruik Stroom, 2026' }).first();
    await expect(page.getByText('Je verbruik van stroom en gas zie je per maand')).toBeVisible();
    await expect(year, '9-usage-chart-months').toContainText(/2\.290\skWh/); // ten months of 229
    await expect(page.getByRole('radio', { name: 'Dag', exact: true })).toHaveCount(0);
    const give = page.getByRole('button', { name: 'Toestemming geven', exact: true });
    await expect(give).toBeVisible();
    const [chart, button] = [await year.locator('[data-chart]').boundingBox(), await give.boundingBox()];
    expect(button?.y, '9-usage-chart-months: below the chart').toBeGreaterThan((chart?.y ?? 0) + (chart?.height ?? 0));
    await portal.accessible();
    await portal.open('/home');
    const latest = page.getByRole('region', { name: 'Laatste meting' });
    await expect(latest, '9-usage-last-reading').toContainText('Meterstand 01-11-2026: normaal 13.820, dal 10.386');
    await expect(latest).toContainText('Met je toestemming');
    await portal.open('/dashboard');
    const tile = page.getByRole('region', { name: 'Laatste meting' });
    await expect(tile, '9-usage-last-reading').toContainText('Meterstand 01-11-2026');
    await expect(page.getByRole('region', { name: 'Deze maand' }), '9-usage-last-reading').toHaveCount(0);
    await portal.open('/account#usage.consent');
    const privacy = page.getByRole('region', { name: 'Privacy' });
    // The conventional meter does not need consent.
    await expect(privacy.getByRole('button', { name: /^Toestemming geven voor/ }), '2.1-account-privacy-section').toHaveCount(2);
    for (const what of ['Stroom', 'Gas']) {
      await privacy.getByRole('button', { name: `Toestemming geven voor ${what}` }).click();
      await expect(privacy.getByRole('button', { name: `Toestemming voor ${what} intrekken` })).toBeVisible();
    }
    await expect(privacy, '4-consent-give-revoke').toContainText('op 20-11-2026');
    expect((await asCustomer(portal, who, 'get', history)).status, '5.10-historical-conditions').toBe(200);
    await page.reload();
    await privacy.getByRole('button', { name: 'Toestemming voor Gas intrekken' }).click();
    const sure = page.getByRole('alertdialog', { name: 'Toestemming intrekken?' });
    await portal.accessible();
    await sure.getByRole('button', { name: 'Intrekken' }).click();
    await expect(privacy).toContainText('ingetrokken op 20-11-2026');
    await privacy.getByRole('button', { name: 'Toestemming voor Stroom intrekken' }).click();
    await sure.getByRole('button', { name: 'Intrekken' }).click();
    await expect(privacy.getByText('Geen toestemming')).toHaveCount(2);
    expect((await asCustomer(portal, who, 'get', history)).status).toBe(403);
    await portal.open('/usage');
    await unfold(page, 'Historische meetgegevens');
    await expect(page.getByText('We hebben eerst je toestemming nodig')).toBeVisible();
    await expect(year).toContainText(/2\.290\skWh/);
  },
);

test(
  rows(
    ['4-consent-given-view', '4-consent-last-retrieval', '9-historical-hours', '7.2-csv-file-name'],
    'the latest data, and a file of it',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal);
    await portal.open('/usage');
    await page.getByRole('button', { name: 'Toestemming geven' }).click();
    await unfold(page, 'Historische meetgegevens');
    await expect(page.getByText('Je hebt op 20-11-2026 toestemming gegeven.'), '4-consent-given-view').toBeVisible();
    await expect(page.getByText('kan een paar uur duren'), '9-historical-hours').toBeVisible();
    const last = page.locator('dl > div', { hasText: 'Laatst opgehaald' }).locator('dd').first();
    await expect(last, '4-consent-last-retrieval').toHaveText(/^Nog niet/);
    await page.getByRole('button', { name: 'Nieuwste gegevens ophalen' }).click();
    await page.reload();
    await unfold(page, 'Historische meetgegevens');
    await expect(last).toHaveText(/^20-11-2026, \d\d:\d\d$/);
    await portal.accessible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV downloaden, Stroom' }).click();
    expect((await download).suggestedFilename(), '7.2-csv-file-name').toBe(`historical-data-${eans(who)[0]}.csv`);
  },
);

test(rows('8-readings-empty', 'readings that fail show an error at their meter'), async ({ portal, page }) => {
  await signedIn(portal);
  await page.route(/\/api\/v0\/readings\//, (route) =>
    route.fulfill({ status: 503, json: { status: 503, code: 'unavailable' } }),
  );
  await portal.open('/metermeasuring');
  await expect(page.getByText('Er zijn geen meterstanden van deze meter')).toHaveCount(3);
});

test('tiles: this month on the dashboard, the latest measurement at home', async ({ portal, page }) => {
  await signedIn(portal, consentHome);
  await portal.open('/dashboard');
  const month = page.getByRole('region', { name: 'Deze maand' });
  await expect(month).toContainText(/\d+ kWh/);
  await expect(month).toContainText('november 2026');
  await expect(month.getByRole('img')).toBeVisible();
  await portal.open('/home');
  const latest = page.getByRole('region', { name: 'Laatste meting' }).getByRole('listitem');
  await expect(latest).toHaveCount(2);
  await expect(latest.first()).toContainText(/^Stroomop 19-11-2026[\d,]+\skWh/);
  await expect(latest.last()).toContainText(/^Gasop 19-11-2026[\d,]+\sm³/);
});

test('an impersonator can change nothing', async ({ portal, page }) => {
  const who = await portal.customer({ ...smartHome, impersonator: true });
  await giveConsent(portal, who);
  await portal.open(`/usage#impersonate=${who.impersonation_code}`);
  await unfold(page, 'Historische meetgegevens');
  await expect(page.getByRole('button', { name: /^Nieuwste gegevens ophalen/ })).toHaveAttribute('aria-disabled', 'true');
  await portal.go('/account#usage.consent');
  const consents = page.getByRole('region', { name: 'Privacy' }).getByRole('button', { name: /^Toestemming / });
  await expect(consents.first()).toBeVisible();
  for (const button of await consents.all()) await expect(button).toHaveAttribute('aria-disabled', 'true');
});
