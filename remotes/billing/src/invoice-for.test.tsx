import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect } from 'vitest';
import type { Agreement } from './agreement.rules';
import type { Invoice } from './invoice.rules';
import InvoicesPage from './invoices-page';
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
    ['01-07-2025 to 31-03-2026', '01-07-2025 t/m 31-03-2026'],
  ],
  [
    { invoice_type: 'FINAL', ...period('2026-01-01', '2026-04-11') },
    'Final statement 2026',
    'Eindafrekening 2026',
    ['01-01-2026 to 11-04-2026', '01-01-2026 t/m 11-04-2026'],
  ],
  [
    { invoice_type: 'DISCOUNT', ...period('2026-01-01', '2026-06-30') },
    'Discount',
    'Korting',
    ['01-01-2026 to 30-06-2026', '01-01-2026 t/m 30-06-2026'],
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
  const by = 'Monthly amount collected on 29-11-2026';
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
      await waitFor(() => expect(text(line as Element)).toBe(`${want}€ 125,00PDF`));
      const asked = api.calls.some((c) => c.path === '/agreements');
      expect(asked, 'the tile needs the agreements only to tell them apart').toBe(what.key === 'page' || agreements.length > 1);
      cleanup();
    }
  }
});
