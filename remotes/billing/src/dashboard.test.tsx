import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { file, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, test, vi } from 'vitest';
import type { Agreement } from './agreement.rules';
import BillingAttention from './attention';
import type { Invoice } from './invoice.rules';
import LatestInvoices from './latest-invoices';
import OpenTile from './open-tile';
import TermAmountTile from './term-amount-tile';
import { agreement, customerApi, invoice, periodical, show } from './testing';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const owed = (id: string, due: string, balance: number, more = {}) =>
  invoice(id, due, { payment_status: 'OPEN', amount: 125, balance, ...more });
const open = (invoices: ReturnType<typeof invoice>[], overdue: number) => ({
  amount: Math.round(invoices.reduce((sum, i) => sum + i.balance * 100, 0)) / 100,
  overdue_amount: overdue,
  invoices,
});
const text = (e: Element) => e.textContent?.replaceAll('\u00a0', ' ');

row('9-dashboard-open', 'the tile has what is open, what of it is overdue, and the way to pay', async () => {
  const late = owed('late', '2026-08-18', 14.5, { agreement_identifier_with_sequence: 'A-3' });
  const next = owed('next', '2026-11-29', 42.35, {
    amount: 42.35,
    agreement_identifier_with_sequence: 'A-3',
    invoice_link: '',
  });
  const api = customerApi({
    'GET /openInvoices': open([late, next], 14.5),
    'GET /periodicalPayments': [periodical({ agreement_identifier_with_sequence: 'A-3', payment_method: 'INVOICE' })],
    'GET /invoices/{id}/file': () => file('factuur-late.pdf', '%PDF-1.7'),
  });
  const { container } = show(<OpenTile hide={() => undefined} />);
  expect(await screen.findByText('€ 56,85')).toBeVisible();
  expect(text(container)).toContain('To pay€ 56,85of which € 14,50 is overdue');
  const [first, second] = screen.getAllByRole('listitem') as [HTMLElement, HTMLElement];
  expect(text(first)).toBe('Monthly amount Overdueof € 125,00, by 18-08-2026€ 14,50PDF');
  expect(text(second)).toBe('Monthly amount by 29-11-2026€ 42,35');
  expect(text(container)).toContain('How to pay is on the invoice.');
  await userEvent.click(within(first).getByRole('button', { name: 'Download PDF of monthly amount' }));
  await waitFor(() => expect(api.saved).toEqual([{ name: 'factuur-late.pdf', file: expect.anything() }]));
  expect(api.calls.at(-1)?.path).toBe('/invoices/late/file');
  expect(within(second).queryByRole('button'), 'it has no file').toBeNull();
  expect(text(container)).not.toMatch(/No open invoices|is paid|last payment/);
});

row(
  '9-dashboard-open',
  'what is collected needs no payment, unless it is overdue; more than three are behind a link',
  async () => {
    const [late, next] = [owed('a', '2026-11-01', 125), owed('b', '2026-11-28', 125)];
    for (const [list, want, more] of [
      [[next], 'We collect this from your account. There is nothing you have to do.', null],
      [[late], 'How to pay is on the invoice.', null],
      [[next, owed('c', '2026-11-28', 1), owed('d', '2026-11-28', 1)], 'We collect this from your account.', null],
      [[next, ...['c', 'd', 'e'].map((id) => owed(id, '2026-11-28', 1))], 'We collect this from your account.', '1 more invoice'],
      [
        [late, next, owed('c', '2026-11-29', 1), owed('d', '2026-11-30', 1), owed('e', '2026-11-30', 1)],
        'We collect part of this from your account. How to pay the rest is on the invoice.',
        '2 more invoices',
      ],
    ] as const) {
      customerApi({ 'GET /openInvoices': open([...list], 0) });
      const { container } = show(<OpenTile hide={() => undefined} />);
      await waitFor(() => expect(text(container)).toContain(want));
      expect(text(container)).not.toMatch(/is overdue/);
      const shown = screen.getAllByRole('listitem');
      expect(shown).toHaveLength(Math.min(3, list.length));
      for (const [at, { due_date: day }] of list.slice(0, 3).entries())
        expect(text(shown[at] as Element)).toContain(
          `${day < '2026-11-20' ? 'by' : 'will be collected on'} ${day.slice(8)}-${day.slice(5, 7)}-2026`,
        );
      // one invoice: its amount is the headline, and is not repeated
      if (list.length === 1) expect(text(container)?.split('€ 125,00')).toHaveLength(2);
      const link = screen.queryByRole('link');
      expect(link?.textContent ?? null).toBe(more);
      if (link) expect(link).toHaveAttribute('href', '/invoices');
      cleanup();
    }
  },
);

row('9-dashboard-open', 'one line says that nothing is open, and what was paid last', async () => {
  const paid = [invoice('a', '2026-11-01'), invoice('before', '2026-10-01', { amount: 126 })];
  const other = (payment_status: Invoice['payment_status']) => invoice('b', '2026-12-01', { payment_status });
  const last = 'laatste betaling € 125,00 op 01-11-2026';
  for (const [latest, want] of [
    [paid, `Alles is betaald · ${last}`],
    [[other('SETTLED'), ...paid], `Alles is betaald · ${last}`],
    [[other('PAYMENT_IN_PROGRESS'), ...paid], 'Geen open facturen · € 125,00 wordt nu betaald'],
    [[other('CANCELLED'), ...paid], `Geen open facturen · ${last}`], // its mark says Open
    [[], 'Geen open facturen'],
    [refuse(503, 'unavailable'), 'Geen open facturen'],
  ] as const) {
    customerApi({ 'GET /openInvoices': open([], 0), 'GET /latestInvoices': latest });
    const { container } = show(<OpenTile hide={() => undefined} />, { locale: 'nl' });
    await waitFor(() => expect(text(container)).toBe(want));
    expect(container.querySelectorAll('ul, a, h2'), 'the link to all invoices is in the tile of the latest').toHaveLength(0);
    cleanup();
  }
});

test('the tile of open invoices hides where the module of an earlier release has none, and can be retried', async () => {
  const hide = vi.fn();
  customerApi({ 'GET /openInvoices': refuse(404, 'not_found') });
  show(<OpenTile hide={hide} />);
  await waitFor(() => expect(hide).toHaveBeenCalled());
  cleanup();
  customerApi({ 'GET /openInvoices': refuse(503, 'unavailable') });
  show(<OpenTile hide={hide} />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
});

const until = (id: string, to: string | null, more: Partial<Agreement> = {}) =>
  agreement({ id, from: '2025-05-01', period: { from: '2025-05-01', to }, name: `Contract ${id}`, ...more });

row('9-dashboard-attention', 'pending changes of amount and account, and contracts that end within 60 days', async () => {
  customerApi({
    'GET /periodicalPayments': [
      periodical({ requested_new_amount: 140 }),
      periodical({ agreement_identifier_with_sequence: 'B-1' }),
    ],
    'GET /relations/bankAccountNumber': {
      change_bank_account_number: 'DE89370400440532013000',
      change_bank_account_name: 'F.A. de Boer',
      from_date: '2026-12-01',
    },
    'GET /agreements': [
      until('A-1', '2026-11-20'), // today
      until('B-1', '2026-11-21'),
      until('C-1', '2027-01-19'), // 60 days
      until('D-1', '2027-01-20'),
      until('E-1', '2026-11-19', { status: 'TERMINATED', current: false }),
      until('F-1', null),
      until('G-1', '2026-12-31'),
      until('G-2', null, { status: 'FUTURE', current: false, period: { from: '2027-01-01', to: null } }),
      until('H-1', '2026-12-31', { status: 'CANCELLED' }),
    ],
  });
  show(<BillingAttention />);
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(5));
  expect(screen.getAllByRole('listitem').map(text)).toEqual([
    'Your monthly amount is being changed to € 140,00',
    expect.stringMatching(/^From 01-12-2026 your bank account is .*30 00$/),
    'Contract A-1 ends on 20-11-2026',
    'Contract B-1 ends on 21-11-2026',
    'Contract C-1 ends on 19-01-2027',
  ]);
  expect(screen.getAllByRole('link').map((a) => a.getAttribute('href'))).toEqual([
    '/periodical-payments',
    '/iban',
    '/agreements/A-1',
    '/agreements/B-1',
    '/agreements/C-1',
  ]);
});

row('9-dashboard-attention', 'nothing of billing needs attention when there is nothing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const api = customerApi();
  show(<BillingAttention />);
  await waitFor(() => expect(api.calls.length).toBeGreaterThanOrEqual(3));
  await vi.advanceTimersByTimeAsync(50);
  expect(screen.queryAllByRole('listitem')).toEqual([]);
});

row('9-dashboard-empty', 'one line where there is no invoice and no term amount yet', async () => {
  for (const [Tile, want] of [
    [LatestInvoices, 'Your first invoice appears here once your contract has started.'],
    [TermAmountTile, 'Your monthly amount appears here once a contract with a monthly amount has started.'],
  ] as const) {
    customerApi({ 'GET /agreements': [], 'GET /periodicalPayments': [] });
    const { container } = show(<Tile />);
    await waitFor(() => expect(text(container)).toBe(want));
    expect(screen.queryByRole('link')).toBeNull();
    cleanup();
  }
});
