import type { Page } from '@playwright/test';
import { type Customer, customers, type DemoRecord, expect, type Portal, participants, phone, rows, test } from './harness';

const home = {
  address_type: 'SHIPPING',
  street: 'Molenweg',
  house_number: '12',
  house_number_extension: 'A',
  zip_code: '9861GT',
  city: 'Grootegast',
  connections: [
    { ean_code: '{{ean 1}}', commodity: 'ELECTRICITY' },
    { ean_code: '{{ean 2}}', commodity: 'GAS' },
  ],
};
const shop = {
  ...home,
  street: 'Brugstraat',
  house_number: '9',
  house_number_extension: '',
  zip_code: '9712AC',
  city: 'Groningen',
  connections: [{ ean_code: '{{ean 3}}', commodity: 'ELECTRICITY' }],
};
const agreement = (sequence: number, more: Record<string, unknown> = {}): DemoRecord => ({
  kind: 'agreement',
  data: {
    debtor_number: '{{debtor}}',
    agreement_id: `uuid-${sequence}-{{id}}`,
    agreement_identifier: '{{id}}',
    agreement_identifier_with_sequence: `{{id}}-${sequence}`,
    name: `Zeker groen ${sequence}`,
    company_name: '',
    product_category: 'ENERGY',
    status: 'ACTIVE',
    period: { from: '{{month -10}}', to: '' },
    addresses: [home],
    tariff_sheets: [],
    price_agreements: [],
    products: [],
    ...more,
  },
});
/** An agreement that can be moved, an ended one, and one with a daughter company. */
const one: DemoRecord[] = [
  agreement(1, { status: 'TERMINATED', period: { from: '{{month -40}}', to: '{{month -10 -1}}' } }),
  agreement(2),
  agreement(3, { company_name: 'Dochter B.V.', addresses: [shop] }),
];
const several: DemoRecord[] = [agreement(1), agreement(2, { addresses: [shop] }), agreement(3, { addresses: [home, shop] })];

async function signedIn(portal: Portal, records = one, more = {}): Promise<Customer> {
  return portal.signIn(await portal.customer({ records, ...more }));
}
const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const next = (page: Page) => page.getByRole('button', { name: 'Verder' });
const stepper = (page: Page) => page.getByRole('navigation', { name: 'Stappen' });
async function enter(page: Page, zip: string, number: string): Promise<void> {
  await page.getByLabel('Postcode').fill(zip);
  await page.getByLabel('Nummer').fill(number);
  await page.getByLabel('Nummer').blur();
}
/** Fills in the wizard from page 1 to the summary. */
async function fillIn(page: Page): Promise<void> {
  await enter(page, '9731ab', '7');
  await expect(page.locator('[data-found]')).toContainText('Lindelaan 7');
  await next(page).click();
  await page.getByRole('button', { name: 'zo snel mogelijk: 22-11-2026' }).click();
  await next(page).click();
  await expect(step(page, 'Klopt alles?')).toBeVisible();
}
const send = (page: Page) => page.getByRole('button', { name: 'Verhuizing aanvragen' });
/** Records every PUT of a move that the page sends. */
function sentMoves(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'PUT' && r.url().endsWith('/api/v0/move')) seen.push(r.headers()['idempotency-key'] ?? '');
  });
  return seen;
}

test(
  rows(
    [
      '2.1-move-route',
      '2.2-pages',
      '2.2-page0-skip',
      '2.2-page0-skip-reconcile',
      '2.2-old-address-prefill',
      '9-move-quiet',
      '2.2-page1',
      '2.2-page2',
      '2.2-page3',
      '2.2-page3-no-stop-date',
      '2.2-page4',
      '2.2-stepper-steps',
      '2.2-lookup-autofill',
      '5.2-lookup-trigger',
      '5.2-zip-normalise',
      '5.2-date-format',
      '4-move-submit-states',
    ],
    '@daily a move from the menu to the thank-you page, the calendar and the account page',
  ),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/dashboard');
    await page.getByRole('navigation').getByRole('link', { name: 'Verhuizen' }).first().click();
    await expect(page, '2.2-page0-skip').toHaveURL(/\/move\?page=1$/);
    await expect(page.locator('h1'), '2.1-move-route').toHaveText('Verhuizen');
    await expect(stepper(page).getByRole('listitem'), '2.2-stepper-steps').toHaveText([
      /Contract/,
      /Adres/,
      /Datum/,
      /Controleren/,
    ]);
    // neither Molenweg of the ended agreement nor Brugstraat of the daughter company: only one can be moved
    const old = page.getByRole('group', { name: 'Oud adres' });
    await expect(old, '2.2-old-address-prefill').toContainText('Molenweg 12 A');
    await expect(old, '2.2-page0-skip-reconcile').not.toContainText('Brugstraat');
    await expect(page.getByRole('radio'), '2.2-page0-skip-reconcile').toHaveCount(0);
    // no message appears before the customer types; pressing Next lists what is missing, above the button
    const missing = page.getByRole('link', { name: 'Vul “Postcode” in' });
    await expect(page.getByText('Je kunt verder zodra'), '9-move-quiet').toBeHidden();
    await expect(missing, '9-move-quiet').toBeHidden();
    await next(page).click({ force: true });
    await expect(page.getByLabel('Postcode'), '9-move-quiet').toBeFocused();
    await expect(missing, '9-move-quiet').toBeVisible();
    const [hint, press] = await Promise.all([page.getByText('Je kunt verder zodra').boundingBox(), next(page).boundingBox()]);
    expect((hint?.y ?? 0) + (hint?.height ?? 0), '9-move-quiet').toBeLessThanOrEqual(press?.y ?? 0);
    const asked: string[] = [];
    page.on('request', (r) => r.url().includes('/api/v0/address') && asked.push(new URL(r.url()).search));
    await page.getByLabel('Postcode').fill('9731 ab');
    await page.getByLabel('Nummer').fill('7');
    expect(asked, '5.2-lookup-trigger').toEqual([]);
    await page.getByLabel('Nummer').blur();
    const found = page.locator('[data-found]');
    await expect(found, '2.2-lookup-autofill').toContainText('Lindelaan 7');
    await expect(found).toContainText('9731 AB Groningen');
    await expect(found).toContainText('Stroom en gas');
    expect(asked, '5.2-zip-normalise').toEqual(['?zipCode=9731AB&houseNumber=7']);
    await portal.accessible();
    await next(page).click();
    await expect(page, '2.2-page1').toHaveURL(/page=2$/);
    await expect(step(page, 'Wanneer verhuis je?'), '2.2-page2').toBeFocused();
    await page.getByLabel('Startdatum op het nieuwe adres').fill('1/12/2026');
    await page.getByLabel('Startdatum op het nieuwe adres').blur();
    await expect(page.getByLabel('Startdatum op het nieuwe adres'), '5.2-date-format').toHaveValue('01-12-2026');
    await portal.accessible();
    await next(page).click();
    await expect(page).toHaveURL(/page=3$/);
    await expect(page.getByText('Geen einddatum gekozen'), '2.2-page3-no-stop-date').toBeVisible();
    await expect(page.getByRole('region', { name: 'Je verhuist van' })).toContainText('Molenweg 12 A');
    await expect(page.getByRole('region', { name: 'Je verhuist naar' }), '2.2-page3').toContainText('Lindelaan 7');
    await expect(page.getByRole('region', { name: 'Wanneer' })).toContainText('01-12-2026');
    await portal.accessible();
    await send(page).click();
    await expect(page, '2.2-pages').toHaveURL(/page=4$/);
    await expect(page.locator('h1'), '2.2-page4').toHaveText('Bedankt, je verhuizing is aangevraagd');
    await expect(page.locator('h1')).toBeFocused();
    await expect(stepper(page)).toHaveCount(0);
    await expect(page.getByRole('listitem').filter({ hasText: 'Wordt verwerkt' }), '4-move-submit-states').toHaveAttribute(
      'aria-current',
      'step',
    );
    await portal.accessible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Zet in agenda' }).click();
    expect((await download).suggestedFilename()).toBe('verhuizing-2026-12-01.ics');
    await page.reload();
    await expect(page.locator('h1')).toHaveText('Bedankt, je verhuizing is aangevraagd');
    await page.getByRole('link', { name: 'Volg je verhuizing' }).click();
    const move = page.getByRole('region', { name: 'Je verhuizing' });
    await expect(move).toContainText('Naar Lindelaan 7, Groningen');
    await expect(move).toContainText('wordt verwerkt');
    await expect(move).toContainText('op 20-11-2026');
    await expect(move).toContainText('vanaf 01-12-2026');
    await page.getByRole('navigation').getByRole('link', { name: 'Verhuizen' }).first().click();
    await expect(page.locator('h1')).toHaveText('Je verhuizing wordt verwerkt');
    await portal.accessible();
  },
);

test(
  rows(
    [
      '2.2-page0',
      '2.2-page0-page1-reconcile',
      '2.2-offline-multi-address',
      '2.2-offline-multi-address-reconcile',
      '8-msg-bad-situation',
      '2.2-stepper-click',
    ],
    'a choice between agreements, one of which cannot be moved online',
  ),
  async ({ portal, page }) => {
    await signedIn(portal, several);
    await portal.open('/move');
    await expect(page).toHaveURL(/page=0$/);
    await expect(page.getByRole('radio')).toHaveCount(3);
    await expect(next(page), '2.2-page0').toHaveAttribute('aria-disabled', 'true');
    await expect(stepper(page).getByRole('button'), '2.2-stepper-click').toHaveCount(0);
    await page.getByRole('radio', { name: 'Zeker groen 3' }).check();
    await expect(
      page.getByText('Een contract met meerdere adressen kun je niet online verhuizen'),
      '8-msg-bad-situation',
    ).toBeVisible();
    await expect(
      page.getByRole('main').getByRole('link', { name: /085/ }).first(),
      '2.2-offline-multi-address-reconcile',
    ).toBeVisible();
    await expect(next(page), '2.2-offline-multi-address').toHaveAttribute('aria-disabled', 'true');
    await portal.accessible();
    await page.getByRole('radio', { name: 'Zeker groen 2' }).check();
    await stepper(page).getByRole('button', { name: /Adres/ }).click();
    await expect(page).toHaveURL(/page=1$/);
    await expect(page.getByRole('radio')).toHaveCount(0);
    await expect(page.getByRole('group', { name: 'Oud adres' }), '2.2-page0-page1-reconcile').toContainText('Brugstraat 9');
    await expect(stepper(page).getByRole('button')).toHaveText([/Contract/]);
    await page.goto(portal.url('/move?page=3'));
    await expect(page).toHaveURL(/page=1$/);
  },
);

test(
  rows(
    [
      '4-lookup-states',
      '5.2-err-non-existing',
      '5.2-err-multiple-addresses',
      '5.2-err-multiple-connections',
      '5.2-err-different-connections',
      '2.2-offline-multi-connection',
      '2.2-offline-existing-agreement',
      '4-move-page1-valid',
      '8-validation-no-generic',
    ],
    'every error of an address has a text, and the input stays',
  ),
  async ({ portal, page }) => {
    await signedIn(portal, [
      agreement(1),
      agreement(2, { addresses: [{ ...home, house_number: '18', house_number_extension: '' }] }),
    ]);
    await portal.open('/move');
    await page.getByRole('radio', { name: 'Zeker groen 1' }).check();
    await next(page).click();
    const refused = async (row: string, zip: string, number: string, text: string) => {
      await enter(page, zip, number);
      await expect(page.getByText(text).first(), row).toBeVisible();
      await expect(page.getByText('Er ging iets mis'), '8-validation-no-generic').toHaveCount(0);
      await expect(next(page), '4-move-page1-valid').toHaveAttribute('aria-disabled', 'true');
      await expect(page.getByLabel('Nummer')).toHaveValue(number);
    };
    await refused('5.2-err-non-existing', '1234 AB', '1', 'Dit adres bestaat niet.');
    await refused('5.2-err-multiple-connections', '9723HG', '3', 'Dit adres heeft meerdere aansluitingen');
    await expect(page.getByRole('main').getByRole('link', { name: /085/ }).first(), '2.2-offline-multi-connection').toBeVisible();
    await refused('5.2-err-different-connections', '9746TE', '21', 'De aansluitingen op dit adres zijn anders');
    await refused('2.2-offline-existing-agreement', '9861gt', '18', 'Je hebt al een contract op dit adres');
    await refused('5.2-err-multiple-addresses', '9711 cd', '12', 'Kies een toevoeging');
    await page.getByLabel('Toevoeging').selectOption('bis');
    await expect(page.locator('[data-found]'), '4-lookup-states').toContainText('Havenstraat 12 bis');
    await expect(next(page)).not.toHaveAttribute('aria-disabled');
    await enter(page, '9711 cd', '12 a');
    await expect(page.locator('[data-found]')).toContainText('Havenstraat 12 A');
    await expect(page.getByLabel('Toevoeging')).toHaveValue('=A');
    await portal.accessible();
  },
);

test(
  rows(['4-addr-lookup-down'], 'the register is down: the address by hand, also after a reload, is marked as unchecked'),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/move');
    await enter(page, '9799 zz', '1');
    await expect(page.getByText('We kunnen nu geen adressen opzoeken')).toBeVisible();
    await expect(page.getByLabel('Postcode')).toHaveValue('9799 ZZ');
    await portal.accessible();
    await page.getByLabel('Straat').fill('Storingsteeg');
    await page.getByLabel('Plaats').fill('Groningen');
    await page.reload();
    await expect(page.getByLabel('Straat')).toHaveValue('Storingsteeg');
    await next(page).click();
    await page.getByRole('button', { name: 'zo snel mogelijk: 22-11-2026' }).click();
    await next(page).click();
    await expect(page.getByText('Dit adres heb je zelf ingevuld')).toBeVisible();
    const sent = page.waitForRequest((r) => r.method() === 'PUT' && r.url().endsWith('/move'));
    await send(page).click();
    expect((await sent).postDataJSON().new_address).toMatchObject({ street: 'Storingsteeg', city: 'Groningen', unchecked: true });
    await expect(page.locator('h1')).toHaveText('Bedankt, je verhuizing is aangevraagd');
  },
);

for (const [what, answer] of [
  ['a time-out', 'abort'],
  ['a 500', 500],
  ['junk', 'junk'],
  ['an empty answer', 'empty'],
] as const)
  test(rows(['4-addr-lookup-down'], `${what} of the lookup leaves the wizard usable`), async ({ portal, page }) => {
    await signedIn(portal);
    await page.route(/\/api\/v0\/address\?/, (route) => {
      if (answer === 'abort') return route.abort('timedout');
      if (answer === 'junk') return route.fulfill({ contentType: 'text/html', body: '<h1>Gateway</h1>' });
      if (answer === 'empty') return route.fulfill({ contentType: 'application/json', body: '' });
      return route.fulfill({ status: answer, contentType: 'application/problem+json', body: '{"code":"internal"}' });
    });
    await portal.open('/move');
    await enter(page, '9731AB', '7');
    await expect(page.getByLabel('Straat')).toBeVisible();
    await page.unroute(/\/api\/v0\/address\?/);
    await page.getByRole('button', { name: 'Zoek opnieuw' }).click();
    await expect(page.locator('[data-found]')).toContainText('Lindelaan 7');
    await next(page).click();
    await expect(step(page, 'Wanneer verhuis je?')).toBeVisible();
  });

test(
  rows(
    ['8-move-4xx', '8-move-5xx', '8-move-failed-page-reconcile', '4-move-submit-states', '8-move-page4-no-success'],
    'refused, failed, and retried with one key; page 4 without a submitted move',
  ),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/move?page=4');
    await expect(page.getByText('Er ging iets mis, probeer het later opnieuw.'), '8-move-page4-no-success').toBeVisible();
    await expect(stepper(page)).toHaveCount(0);
    await portal.accessible();
    await page.getByRole('link', { name: 'Terug naar je verhuizing' }).click();
    await fillIn(page);
    const sent = sentMoves(page);
    const answer = (status: number, body: object) =>
      page.route(/\/api\/v0\/move$/, (r) =>
        r.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(body) }),
      );
    await answer(400, { status: 400, code: 'invalid', errors: [{ field: 'start_date', code: 'move.minTwoDays' }] });
    await send(page).click();
    await expect(page, '8-move-failed-page-reconcile').toHaveURL(/page=1$/);
    const notice = page.getByRole('main').getByRole('alert').first();
    await expect(notice, '8-move-4xx').toContainText('Er lijkt iets niet te kloppen in wat je hebt ingevuld, controleer het.');
    await expect(notice).toContainText('We hebben twee dagen nodig');
    await expect(page.locator('[data-found]')).toContainText('Lindelaan 7');
    await portal.accessible();
    await stepper(page)
      .getByRole('button', { name: /Controleren/ })
      .click();
    await page.unroute(/\/api\/v0\/move$/);
    await answer(503, { status: 503, code: 'unavailable' });
    await send(page).click();
    await expect(page).toHaveURL(/page=1$/);
    await expect(notice, '8-move-5xx').toContainText('Er ging iets mis, probeer het later opnieuw.');
    await page.unroute(/\/api\/v0\/move$/);
    await stepper(page)
      .getByRole('button', { name: /Controleren/ })
      .click();
    await send(page).dblclick();
    await expect(page.locator('h1'), '4-move-submit-states').toHaveText('Bedankt, je verhuizing is aangevraagd');
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
  },
);

test('a reload and the back button lose nothing on any page; back from the thank-you page sends nothing', async ({
  portal,
  page,
}) => {
  await signedIn(portal, several);
  await portal.open('/move');
  await page.getByRole('radio', { name: 'Zeker groen 1' }).check();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Zeker groen 1' })).toBeChecked();
  await next(page).click();
  await fillIn(page);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Je verhuist naar' })).toContainText('Lindelaan 7');
  await page.goBack();
  await expect(step(page, 'Wanneer verhuis je?')).toBeVisible();
  await expect(page.getByLabel('Startdatum op het nieuwe adres')).toHaveValue('22-11-2026');
  await page.goBack();
  await expect(page.getByLabel('Postcode')).toHaveValue('9731 AB');
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'Zeker groen 1' })).toBeChecked();
  await page.goForward();
  await page.goForward();
  await page.goForward();
  await expect(step(page, 'Klopt alles?')).toBeVisible();
  const sent = sentMoves(page);
  await send(page).click();
  await expect(page.locator('h1')).toHaveText('Bedankt, je verhuizing is aangevraagd');
  await page.goBack();
  await expect(page).toHaveURL(/page=0$/); // the draft has been cleared
  await expect(page.getByRole('radio', { name: 'Zeker groen 1' })).toHaveAttribute('aria-disabled', 'true');
  expect(sent).toHaveLength(1);
});

test(rows(['2.2-sign-out-reset'], '@daily signing out resets the wizard to page 0'), async ({ portal, page }) => {
  const who = await signedIn(portal, several);
  await portal.open('/move');
  await page.getByRole('radio', { name: 'Zeker groen 1' }).check();
  await next(page).click();
  await enter(page, '9731AB', '7');
  await next(page).click();
  await expect(page).toHaveURL(/page=2$/);
  await page.locator('header button[aria-haspopup]').last().click();
  await page.getByRole('menuitem', { name: 'Uitloggen' }).click();
  await expect(page.getByRole('button', { name: 'Inloggen' })).toBeVisible();
  await portal.signIn(who);
  await portal.open('/move?page=2');
  await expect(page).toHaveURL(/page=0$/);
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
});

test(
  rows(['2.3-overlay-stop-date', '2.3-stop-date-content'], '@daily explains the end date, above the page and by deep link'),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/move');
    await enter(page, '9731AB', '7');
    await next(page).click();
    await page.getByRole('button', { name: 'Wat de einddatum betekent' }).click();
    const sheet = page.getByRole('dialog', { name: 'Wat de einddatum betekent' });
    await expect(page, '2.3-overlay-stop-date').toHaveURL(/\/move\/stop-date-notification$/);
    await expect(sheet, '2.3-stop-date-content').toContainText('Op die dag eindigt de levering daar');
    await expect(sheet).toContainText('rekenen we je oude adres af op de startdatum');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(/\/move\?page=2$/);
    await page.goto(portal.url('/move/stop-date-notification'));
    await expect(sheet).toBeVisible();
    await expect(page).toHaveURL(/\/move\/stop-date-notification$/);
    await sheet.getByRole('button', { name: 'Sluiten' }).last().click();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(/\/move\?page=2$/);
  },
);

test('with the keyboard only, from the agreement to the thank-you page', async ({ portal, page }) => {
  await signedIn(portal, several);
  await portal.open('/move');
  const key = async (...keys: string[]) => {
    for (const k of keys) await page.keyboard.press(k);
  };
  /** Presses Tab until an element with this name has focus. */
  const to = async (name: string | RegExp) => {
    for (let i = 0; i < 40; i++) {
      await key('Tab');
      const here = await page.evaluate(() => {
        const e = document.activeElement as HTMLInputElement | null;
        if (!e?.matches('a, button, input, select')) return '';
        return `${e.labels?.[0]?.textContent ?? ''}${e.textContent ?? ''}${e.getAttribute('aria-label') ?? ''}`;
      });
      if (typeof name === 'string' ? here.includes(name) : name.test(here)) return;
    }
    throw new Error(`${name} cannot be reached`);
  };
  await to('Zeker groen 3'); // the first in the group: arrow keys select
  await key('Space', 'ArrowDown', 'ArrowDown');
  await expect(page.getByRole('radio', { name: 'Zeker groen 1' })).toBeChecked();
  await to('Verder');
  await key('Enter');
  await expect(step(page, 'Waar ga je naartoe?')).toBeFocused();
  await to('Postcode');
  await page.keyboard.type('9711cd');
  await key('Tab');
  await page.keyboard.type('12');
  await key('Tab');
  await expect(page.getByText('Kies een toevoeging').first()).toBeVisible();
  await expect(page.getByLabel('Toevoeging')).toBeFocused();
  await page.keyboard.type('A');
  await expect(page.locator('[data-found]')).toContainText('Havenstraat 12 A');
  await to('Verder');
  await key('Enter');
  await expect(step(page, 'Wanneer verhuis je?')).toBeFocused();
  await to('Startdatum');
  await to('Kies een datum');
  await key('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await key('ArrowRight', 'Enter');
  await expect(page.getByLabel('Startdatum op het nieuwe adres')).not.toHaveValue('');
  await to('dezelfde dag');
  await key('Enter');
  await to('Verder');
  await key('Enter');
  await expect(step(page, 'Klopt alles?')).toBeFocused();
  await to('Verhuizing aanvragen');
  await key('Enter');
  await expect(page.locator('h1')).toHaveText('Bedankt, je verhuizing is aangevraagd');
});

test('on a phone: steps as a bar, the primary button first', async ({ portal, page }) => {
  await page.setViewportSize(phone);
  await signedIn(portal);
  await portal.open('/move');
  await expect(page.getByText('Stap 2 van 4: Adres')).toBeVisible();
  await enter(page, '9731AB', '7');
  await expect(page.locator('[data-found]')).toContainText('Lindelaan 7');
  const [back, on] = [await page.getByRole('button', { name: 'Terug' }).boundingBox(), await next(page).boundingBox()];
  expect(on?.y).toBeLessThan(back?.y ?? 0);
  expect(on?.width).toBe(back?.width);
  await next(page).click();
  await page.getByRole('button', { name: 'zo snel mogelijk: 22-11-2026' }).click();
  await next(page).click();
  await send(page).click();
  await expect(page.locator('h1')).toHaveText('Bedankt, je verhuizing is aangevraagd');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(phone.width);
});

test('an impersonator cannot send and reads why', async ({ portal, page }) => {
  const who = await portal.customer({ records: one, impersonator: true });
  await portal.open(`/move#impersonate=${who.impersonation_code}`);
  await fillIn(page);
  await expect(send(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(send(page)).toHaveAccessibleDescription(/Je kijkt alleen mee/);
});

test('the wizard is in the menu of customers only, and has a path in every label', async ({ at, page }) => {
  for (const [host, inMenu] of [
    [customers, true],
    [participants, false],
  ] as const) {
    const portal = at(host);
    await signedIn(portal);
    await portal.open('/account');
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Verhuizen', exact: true })).toHaveCount(inMenu ? 1 : 0);
    await portal.open('/move');
    await expect(page).toHaveURL(/\/move\?page=1$/);
  }
});
