import type { Page } from '@playwright/test';
import { household } from './billing-records';
import { type Customer, customers, expect, type Portal, participants, phone, rows, test } from './harness';

const running = (who: Customer) => `${who.id}-2`;
const ended = (who: Customer) => `${who.id}-1`;

async function signedIn(portal: Portal, more = {}): Promise<Customer> {
  return portal.signIn(await portal.customer({ ...household, ...more }));
}
/** Clicks, and returns the name of the file that the browser saves. */
async function savedFile(page: Page, click: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download');
  await click();
  return (await download).suggestedFilename();
}
/** Opens all runs of equal term amounts on the page. */
async function openRuns(page: Page): Promise<void> {
  const closed = page.locator('[data-run] [aria-expanded="false"]');
  await page.locator('[data-date]').first().waitFor();
  for (let left = await closed.count(); left > 0; left--) await closed.first().click();
}
const table = (page: Page, name: RegExp) => page.getByRole('table', { name });

test(
  rows(
    ['2.1-agreements-deeplink', '2.1-agreements-deeplink-open', '2.1-agreements-route', '2.1-agreements-order'],
    '@daily agreements, and a link to one of them',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal);
    await portal.open('/agreements');
    const panels = page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('button');
    await expect(panels, '2.1-agreements-route').toHaveCount(2);
    await expect(panels.nth(0), '2.1-agreements-order').toHaveAttribute('aria-expanded', 'true');
    await expect(panels.nth(1)).toHaveAttribute('aria-expanded', 'false');
    await portal.open(`/agreements/${ended(who)}`);
    await expect(page.locator('h1'), '2.1-agreements-deeplink').toHaveText('Contracten');
    await expect(panels.nth(0)).toHaveAttribute('aria-expanded', 'false');
    await expect(panels.nth(1), '2.1-agreements-deeplink-open').toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByText(ended(who), { exact: true })).toBeVisible();
    await portal.open('/agreements/onbekend');
    await expect(panels.nth(0)).toHaveAttribute('aria-expanded', 'true');
  },
);

test(
  rows(['2.1-agreements-tariff-sheets'], 'a tariff sheet is saved; a missing one shows an error at its row'),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/agreements');
    const sheets = page.locator('li:not(:has(li))', { hasText: 'Tariefblad van' });
    await expect(sheets).toHaveText(['Tariefblad van 11-10-2026', 'Tariefblad van 16-10-2025']);
    const name = await savedFile(page, () => sheets.nth(1).getByRole('button').click());
    expect(name).toBe('tarieven-2025-10-16.pdf');
    await sheets.nth(0).getByRole('button').click();
    await expect(sheets.nth(0).getByRole('alert')).toContainText('We kunnen dit bestand niet vinden');
  },
);

test(
  rows(
    ['2.1-invoices-grouping', '2.1-invoices-page-size', '2.1-invoices-order', '2.1-invoices-highlight'],
    '@daily invoices by agreement and year, ten at a time',
  ),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/invoices');
    const current = table(page, /Zeker groen/);
    await openRuns(page);
    const lines = current.locator('tr:not([data-run], [data-rest])').filter({ has: page.getByRole('cell') });
    // ten, and the others in the row that contains the tenth
    await expect(lines, '2.1-invoices-page-size').toHaveCount(12);
    await expect(current.locator('[data-rest]')).toContainText('Nog één factuur van 2026');
    await expect(current.getByRole('rowheader')).toContainText('€ 1.411,20');
    await expect(lines.filter({ hasText: 'Jaarafrekening' }), '2.1-invoices-highlight').toHaveAttribute('data-strong', 'true');
    await expect(lines.filter({ hasText: 'Jaarafrekening' })).toContainText('nog € 40,00 te betalen');
    await page.getByRole('button', { name: 'Toon nog 9 facturen', exact: true }).click();
    await expect(current.getByRole('rowheader'), '2.1-invoices-grouping').toHaveCount(2);
    await expect(current.getByRole('rowheader').last()).toContainText('2025');
    await openRuns(page);
    await expect(lines, '2.1-invoices-order').toHaveCount(21);
    await expect(lines.last(), '2.1-invoices-order').toContainText('mei 2025');
  },
);

test('the heading of a year sticks while its rows scroll', async ({ portal, page }) => {
  for (const size of [{ width: 1280, height: 600 }, phone]) {
    await page.setViewportSize(size);
    await signedIn(portal);
    await portal.open('/invoices');
    const current = table(page, /Zeker groen/);
    await openRuns(page);
    const header = await page.locator('header').first().boundingBox();
    await current.getByRole('row').filter({ hasText: 'maart 2026' }).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 0);
    const year = current.getByRole('heading', { name: '2026' });
    await expect(year).toBeInViewport();
    const at = await year.boundingBox();
    expect(at?.y).toBeGreaterThanOrEqual(header?.height ?? 0);
  }
});

test(
  rows(
    ['2.1-invoices-download'],
    'a file gets the name in the response, a missing one shows an error at its row, a year is one ZIP',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal);
    await portal.open('/invoices');
    const lines = table(page, /Zeker groen/)
      .locator('tr:not([data-run])')
      .filter({ has: page.getByRole('cell') });
    const name = await savedFile(page, () =>
      lines
        .first()
        .getByRole('button', { name: /downloaden$/ })
        .click(),
    );
    expect(name).toBe(`factuur-M0-${who.id}.pdf`);
    const statement = lines.filter({ hasText: 'Jaarafrekening' });
    await statement.getByRole('button').click();
    await expect(statement.getByRole('alert')).toContainText('We kunnen dit bestand niet vinden');
    await expect(page.getByRole('alert')).toHaveCount(1);
    const zip = await savedFile(page, () => page.getByRole('button', { name: 'Alles als zip: facturen van 2026' }).click());
    expect(zip).toBe(`facturen-2026-${running(who)}.zip`);
  },
);

test('on a phone an invoice is a card, and the whole card saves its file', async ({ portal, page }) => {
  await page.setViewportSize(phone);
  const who = await signedIn(portal);
  await portal.open('/invoices');
  await page.locator('[data-run] button').first().click();
  const card = table(page, /Zeker groen/)
    .locator('tr:not([data-run])')
    .filter({ hasText: 'oktober 2026' });
  const name = await savedFile(page, async () => {
    const box = await card.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 24, (box?.y ?? 0) + 24); // on the text, far from the icon
  });
  expect(name).toBe(`factuur-M1-${who.id}.pdf`);
});

test('the invoiced amount per month, as a chart and a table', async ({ portal, page }) => {
  await signedIn(portal);
  await portal.open('/invoices');
  await page.getByRole('button', { name: 'Gefactureerd per maand' }).first().click();
  await page.getByRole('button', { name: 'Toon als tabel' }).click();
  const figures = table(page, /Gefactureerd per maand/);
  await expect(figures).toContainText('november 2026');
  await expect(figures.getByRole('row').filter({ hasText: 'april 2026' })).toContainText('€ 211,20');
  await portal.accessible();
});

test(
  rows(
    [
      '2.1-periodical-overview',
      '2.1-periodical-edit-link',
      '2.3-overlay-update-periodical',
      '4-pending-term-amount',
      '6-periodical-edit-requested',
      '7.2-periodical-refetch',
    ],
    '@daily a term amount, from the request to its processing',
  ),
  async ({ portal, page }) => {
    const who = await signedIn(portal);
    await portal.open('/periodical-payments');
    const card = page.getByRole('region', { name: /Zeker groen/ });
    await expect(card, '2.1-periodical-overview').toContainText('€ 125,00');
    await page.getByRole('link', { name: 'Bedrag wijzigen' }).click();
    await expect(page, '2.1-periodical-edit-link').toHaveURL(new RegExp(`/periodical-payments/update/${running(who)}$`));
    const sheet = page.getByRole('dialog', { name: 'Termijnbedrag wijzigen' });
    await expect(sheet.getByText('Ons advies: € 161,00'), '2.3-overlay-update-periodical').toBeVisible();
    await expect(sheet.locator('[data-outcome]')).toContainText('€ 180,00 bij');
    await portal.accessible();
    await sheet.getByRole('textbox').fill('161');
    await expect(sheet.locator('[data-outcome]')).toContainText('Je komt precies uit');
    await sheet.getByRole('button', { name: /^Meer/ }).click();
    await expect(sheet.locator('[data-outcome]')).toContainText('terug');
    await sheet.getByRole('button', { name: 'Opslaan' }).click();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(/\/periodical-payments$/);
    await expect(card, '7.2-periodical-refetch').toContainText('Wordt gewijzigd in € 162,00');
    await expect(card, '4-pending-term-amount').toContainText('Je hebt dit aangevraagd op 20-11-2026');
    await expect(page.getByRole('link', { name: 'Bedrag wijzigen' }), '6-periodical-edit-requested').toHaveCount(0);
  },
);

test(
  rows(['2.1-periodical-info-link', '2.3-overlay-monthly-amount-info'], 'explains the monthly amount'),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/periodical-payments');
    await page.getByRole('main').getByRole('link', { name: 'Zo werkt je termijnbedrag' }).click();
    await expect(page, '2.1-periodical-info-link').toHaveURL(/\/periodical-payments\/monthly-amount-info$/);
    const sheet = page.getByRole('dialog', { name: 'Zo werkt je termijnbedrag' });
    await expect(sheet, '2.3-overlay-monthly-amount-info').toContainText('in twaalf gelijke delen');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(/\/periodical-payments$/);
  },
);

test(rows(['2.3-overlay-update-periodical'], 'no form without a term amount'), async ({ portal, page }) => {
  await portal.signIn();
  await page.goto(portal.url('/periodical-payments/update/nothing'));
  const sheet = page.getByRole('dialog', { name: 'Termijnbedrag wijzigen' });
  await expect(sheet).toContainText('Je hebt geen termijnbedrag');
  await expect(sheet.getByRole('textbox')).toHaveCount(0);
});

test(
  rows(
    ['2.1-iban-route', '2.1-payment-details', '4-iban-editable', '4-iban-pending', '4-iban-after-save', '8-iban-save'],
    '@daily another bank account, from the account page to its processing',
  ),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/account#billing.payment-details');
    await expect(page.getByText(/•••• ••11 17|•••• 1117/).first(), '2.1-payment-details').toBeVisible();
    await page.getByRole('link', { name: 'Rekeningnummer wijzigen' }).click();
    await expect(page, '2.1-iban-route').toHaveURL(/\/iban$/);
    const iban = page.getByLabel('Nieuw rekeningnummer (IBAN)');
    await iban.pressSequentially('nl92abna0417164300');
    await expect(iban, '4-iban-editable').toHaveValue('NL92 ABNA 0417 1643 00');
    await page.getByLabel('Naam van de rekeninghouder').fill('F.A. de Boer');
    await page.getByRole('button', { name: /^zo snel mogelijk/ }).click();
    await page.getByRole('button', { name: 'Opslaan' }).click({ force: true });
    await expect(page.getByText('kunnen we niet gebruiken').first()).toBeVisible();
    await portal.accessible();
    await iban.fill('NL91ABNA0417164300');
    await page.getByRole('button', { name: 'Opslaan' }).click();
    await expect(page.getByText('Je verzoek wordt verwerkt'), '8-iban-save').toBeVisible();
    await expect(page.getByText('Vanaf 21-11-2026 gebruiken we'), '4-iban-after-save').toContainText('NL91 ABNA 0417 1643 00');
    await expect(iban, '4-iban-pending').toHaveAttribute('readonly', '');
    await page.reload();
    await expect(page.getByText('Vanaf 21-11-2026 gebruiken we')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Opslaan' })).toHaveCount(0);
    await portal.accessible();
  },
);

test(
  rows(['6-impersonator-iban', '6-impersonator-periodical'], 'an impersonator can change nothing and reads why'),
  async ({ portal, page }) => {
    const who = await portal.customer({ ...household, impersonator: true });
    await portal.open(`/iban#impersonate=${who.impersonation_code}`);
    const save = page.getByRole('main').getByRole('button', { name: 'Opslaan' });
    await expect(save, '6-impersonator-iban').toHaveAttribute('aria-disabled', 'true');
    await expect(save).toHaveAccessibleDescription(/Je kijkt alleen mee/);
    await page.getByRole('link', { name: 'Termijnbedrag' }).first().click();
    await expect(page.getByRole('region', { name: /Zeker groen/ })).toContainText(/Je kijkt alleen mee/);
    await expect(page.getByRole('link', { name: 'Bedrag wijzigen' }), '6-impersonator-periodical').toHaveCount(0);
  },
);

test(
  rows(['6-sustainable-skip-bank-call', '2.1-payment-details'], 'the labels that call for the bank account details'),
  async ({ at, page }) => {
    const asked: string[] = [];
    page.on('request', (r) => r.url().includes('/bankAccountDetails') && asked.push(new URL(r.url()).hostname));
    const labels = ['1060', '1024', '1071'].map((key) => `${key}.localhost`);
    for (const host of [...labels, customers]) {
      const portal = at(host);
      await signedIn(portal);
      for (const path of ['/account', '/iban']) {
        await portal.open(path);
        await expect(page.getByText(/•••• ••11 17|•••• 1117/).first(), '2.1-payment-details').toBeVisible();
      }
    }
    expect([...new Set(asked)], '6-sustainable-skip-bank-call').toEqual([customers]);
  },
);

test(
  rows(['2.1-products-route', '2.1-products-client-number'], '@daily products under the customer number'),
  async ({ at, page }) => {
    const portal = at(participants);
    const who = await signedIn(portal);
    await portal.open('/products');
    await expect(page.getByText(`Klantnummer ${who.debtor_number}`), '2.1-products-client-number').toBeVisible();
    const products = table(page, /Producten/);
    await expect(products, '2.1-products-route').toContainText('Stroom vast 3 jaar');
    await portal.accessible();
    await products.getByRole('link').first().click();
    await expect(page.locator('h1')).toHaveText('Contracten');
  },
);

test(
  rows('9-invoices-latest', 'the dashboard starts with the monthly amount, and links to all invoices'),
  async ({ portal, page }) => {
    await signedIn(portal);
    await portal.open('/dashboard');
    const tile = page.locator('[data-tile="term-amount"]');
    await expect(tile).toContainText('€ 125,00');
    await expect(tile).toContainText('per maand · volgende afschrijving 28-11-2026');
    const latest = page.locator('[data-tile="latest"]');
    await expect(latest.getByRole('listitem'), '9-invoices-latest').toContainText([
      'Termijnbedrag',
      'Termijnbedrag, 6 × € 125',
      'Jaarafrekening',
      'Termijnbedrag, 4 × € 125',
    ]);
    await latest.getByRole('link', { name: 'Alle facturen' }).click();
    await expect(page.locator('h1')).toHaveText('Facturen');
  },
);
