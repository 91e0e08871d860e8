import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect } from 'vitest';
import type { Agreement } from './agreement.rules';
import type { Invoice } from './invoice.rules';
import InvoicesPage from './invoices-page';
import LatestInvoices from './latest-invoices';
import OpenTile from './open-tile';
import { agreement, customerApi, home, invoice, periodical, show } from './testing';

afterEach(cleanup);

const text = (e: Element) => e.textContent?.replaceAll('\u00a0', ' ');
const period = (from: string, to: string) => ({ period_start_date: from, period_end_date: to });

/** One invoice of each kind, newest first, with what its row says in English and in Dutch, without and with its days. */
const kinds: [more: Partial<Invoice>, en: string, nl: string, days?: [string, string]][] = [
  [period('2026-11-01', '2026-11-30'), 'Monthly amount November 2026', 'Termijnbedrag november 2026'],
  [
    { invoice_type: 'ANNUAL', ...period('2025-07-01', '2026-03-31') },
    'Annual statement 2025/26',
    'Jaarafrekening 2025/26',
    ['for 01-07-2025 to 31-03-2026', 'over 01-07-2025 t/m 31-03-2026'],
  ],
  [
    { invoice_type: 'FINAL', ...period('2026-01-01', '2026-04-11') },
    'Final statement 2026',
    'Eindafrekening 2026',
    ['for 01-01-2026 to 11-04-2026', 'over 01-01-2026 t/m 11-04-2026'],
  ],
  [
    { invoice_type: 'DISCOUNT', ...period('2026-01-01', '2026-06-30') },
    'Discount',
    'Korting',
    ['for 01-01-2026 to 30-06-2026', 'over 01-01-2026 t/m 30-06-2026'],
  ],
  [{ invoice_type: 'INVOICE', issue_date: '2026-05-08', ...period('', '') }, 'Invoice of 08-05-2026', 'Factuur van 08-05-2026'],
];

row('9-invoice-for', 'each row says what it is for, and its button with the word PDF says of which invoice', async () => {
  const list = kinds.map(([more], at) => invoice(`k${at}`, `2026-${String(11 - at).padStart(2, '0')}-14`, more));
  for (const locale of ['en', 'nl'] as const) {
    customerApi({ 'GET /agreements/{id}/invoices': list, 'GET /agreements/{id}/invoices/years': [] });
    show(<InvoicesPage />, { locale });
    const running = (await screen.findAllByRole('table'))[0] as HTMLElement;
    for (const [at, [, en, nl, days]] of kinds.entries()) {
      const name = locale === 'en' ? en : nl;
      const line = within(running)
        .getAllByRole('row')
        .filter((r) => within(r).queryAllByRole('cell').length > 0)[at] as HTMLElement;
      const said = days?.[locale === 'en' ? 0 : 1] ?? '';
      expect(text(within(line).getAllByRole('cell')[1] as Element)).toBe(name + said);
      const button = within(line).getByRole('button');
      expect(text(button)).toBe('PDF');
      const of = name.charAt(0).toLowerCase() + name.slice(1);
      expect(button).toHaveAccessibleName(locale === 'en' ? `Download PDF of ${of}` : `PDF van ${of} downloaden`);
    }
    cleanup();
  }
});

row('9-invoice-for', 'what is to be paid names the address or the contract if the customer has several', async () => {
  const beach = { ...home, street: 'Strandweg', house_number: '1', house_number_extension: '' };
  const of = (id: string, more = {}) => agreement({ id, from: '2025-05-01', ...more });
  const due = (id: string) =>
    invoice(`due ${id}`, '2026-11-29', { payment_status: 'OPEN', balance: 125, agreement_identifier_with_sequence: id });
  const by = 'Monthly amount will be collected on 29-11-2026';
  for (const [agreements, want] of [
    [[of('A-1')], by],
    [[of('A-1'), of('B-1', { addresses: [beach] })], `${by} · Molenweg 12 A`],
    [[of('A-1', { name: 'Groen' }), of('A-2', { name: 'Grijs', status: 'TERMINATED' })], `${by} · Groen`],
    [[of('A-1', { name: 'Groen' }), of('A-2', { name: 'Groen' })], `${by} · A-1`],
  ] as [Agreement[], string][]) {
    const answers = {
      'GET /agreements': agreements,
      'GET /openInvoices': { invoices: [due('A-1')], amount: 125, overdue_amount: 0 },
      'GET /periodicalPayments': agreements.map((a) =>
        periodical({ agreement_identifier_with_sequence: a.agreement_identifier_with_sequence }),
      ),
      'GET /latestInvoices': [],
      'GET /agreements/{id}/invoices': [],
      'GET /agreements/{id}/invoices/years': [],
    };
    for (const what of [<OpenTile key="tile" hide={() => undefined} />, <InvoicesPage key="page" />]) {
      const api = customerApi(answers);
      show(what);
      const [line] = await screen.findAllByRole('listitem');
      await waitFor(() => expect(text(line as Element)).toBe(`${want}PDF`));
      const asked = api.calls.some((c) => c.path === '/agreements');
      expect(asked, 'the tile needs the agreements only to tell them apart').toBe(what.key === 'page' || agreements.length > 1);
      cleanup();
    }
  }
});

/** The same invoices of a contract on /invoices and among the latest, with the way it is paid. */
const both = (invoices: Invoice[], payment_method: 'INVOICE' | 'DIRECT_DEBIT_CONSUMER') =>
  customerApi({
    'GET /agreements': [
      agreement({
        id: 'A-2',
        from: '2025-05-01',
        invoices,
        periodical_payment: { payment_method, details: {} } as Agreement['periodical_payment'] & object,
      }),
    ],
    'GET /periodicalPayments': [periodical({ payment_method })],
    'GET /openInvoices': refuse(404, 'not_found'),
    'GET /agreements/{id}/invoices': invoices,
    'GET /agreements/{id}/invoices/years': [],
  });
const open = { payment_status: 'OPEN' as const, balance: 125 };
const single = (id: string, due: string, more: Partial<Invoice> = {}) =>
  invoice(id, due, { invoice_type: 'INVOICE', issue_date: '2026-11-08', ...period('', ''), ...more });
const lines = async (role: 'row' | 'listitem') => {
  await screen.findAllByRole(role);
  return screen.getAllByRole(role).filter((r) => role === 'listitem' || within(r).queryAllByRole('cell').length > 0);
};

row('9-invoices-dates', 'a due date has the word for what happens on it, the same in both lists', async () => {
  const all = [single('a', '2026-11-29', open), single('b', '2026-11-18', open), single('c', '2026-11-10')];
  for (const [locale, name, method, want] of [
    ['en', 'Invoice of 08-11-2026', 'INVOICE', ['pay by 29-11-2026', 'pay by 18-11-2026', 'Due date 10-11-2026']],
    // what is overdue is not collected any more
    [
      'nl',
      'Factuur van 08-11-2026',
      'DIRECT_DEBIT_CONSUMER',
      ['wordt 29-11-2026 afgeschreven', 'betalen uiterlijk 18-11-2026', 'Vervaldatum 10-11-2026'],
    ],
  ] as const) {
    both(all, method);
    show(<InvoicesPage />, { locale });
    for (const [at, line] of (await lines('row')).entries()) {
      expect(text(within(line).getAllByRole('cell')[0] as Element)).toBe(want[at]);
      expect(text(within(line).getAllByRole('cell')[1] as Element)).toBe(name);
    }
    cleanup();
    show(<LatestInvoices />, { locale });
    for (const [at, line] of (await lines('listitem')).entries()) expect(text(line)).toContain(`${name}${want[at]}`);
    cleanup();
  }
});

row('9-invoices-calm', 'what will be collected is as calm as what is paid', async () => {
  const all = [single('a', '2026-11-29', open), single('b', '2026-11-18', open), single('c', '2026-11-10')];
  const seen: (string | undefined)[] = [];
  for (const [method, calm] of [
    ['INVOICE', [false, false, true]],
    ['DIRECT_DEBIT_CONSUMER', [true, false, true]], // what is overdue is not collected any more
  ] as const) {
    both(all, method);
    show(<InvoicesPage />);
    const listed = await lines('row');
    expect(listed.map((line) => !line.hasAttribute('data-open'))).toEqual(calm);
    const chips = listed.map((line) => within(line).getAllByRole('cell')[2]?.firstElementChild as HTMLElement);
    expect(chips.map(text)).toEqual(['Open', 'Open, overdue', 'Paid']);
    const looks = chips.map((chip) => chip.className);
    cleanup();
    show(<LatestInvoices />);
    const latest = await lines('listitem');
    expect(latest.map((line) => !line.querySelector('[data-strong]'))).toEqual(calm);
    expect(
      latest.map((line) => line.children[1]?.className),
      'the same chips',
    ).toEqual(looks);
    cleanup();
    seen.push(looks[0]);
  }
  expect(new Set(seen).size, 'an open invoice has another chip when it is collected').toBe(2);
});
