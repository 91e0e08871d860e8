import { cleanup, screen, waitFor } from '@testing-library/react';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import DueInvoices from './due-invoices';
import remote from './remote';
import { customerApi, invoice, periodical, show } from './testing';

afterEach(cleanup);

const owed = (id: string, due: string, balance: number) => invoice(id, due, { payment_status: 'OPEN', balance });
const [late, next] = [owed('late', '2026-08-18', 14.5), owed('next', '2026-11-29', 42.35)];
const open = (...invoices: ReturnType<typeof invoice>[]) => ({
  amount: Math.round(invoices.reduce((sum, i) => sum + i.balance * 100, 0)) / 100,
  overdue_amount: invoices.includes(late) ? late.balance : 0,
  invoices,
});
const transferred = [periodical({ payment_method: 'INVOICE' })];
const text = () => screen.getByRole('listitem').textContent?.replaceAll('\u00a0', ' ').trim();

row(
  '9-account-due',
  'one line: amount, number, what is overdue, by when, how it is paid, and a link to the invoices',
  async () => {
    for (const [locale, invoices, says] of [
      ['en', [next], '€ 42,351 invoice, by 29-11-2026How to pay is on the invoice.See the invoices'],
      ['en', [late], '€ 14,501 invoice, overdueHow to pay is on the invoice.See the invoices'],
      [
        'en',
        [late, next],
        '€ 56,852 invoices, € 14,50 of it overdue and the rest by 29-11-2026How to pay is on the invoice.See the invoices',
      ],
      [
        'nl',
        [late, next],
        '€ 56,852 facturen, waarvan € 14,50 te laat en de rest uiterlijk 29-11-2026Hoe je betaalt, staat op de factuur.Bekijk de facturen',
      ],
    ] as const) {
      customerApi({ 'GET /openInvoices': open(...invoices), 'GET /periodicalPayments': transferred });
      show(<DueInvoices />, { locale });
      await screen.findByRole('listitem');
      expect(text(), '9-account-due').toBe(says);
      expect(screen.getByRole('link')).toHaveAttribute('href', '/invoices');
      expect(document.querySelectorAll('strong svg'), 'a mark at what is overdue').toHaveLength(invoices.includes(late) ? 1 : 0);
      cleanup();
    }
  },
);

row('9-account-due', 'nothing where all is collected on its day, but what is overdue is not collected any more', async () => {
  customerApi({ 'GET /openInvoices': open(late, next) });
  show(<DueInvoices />);
  await screen.findByRole('listitem');
  expect(text()).toContain('We collect part of this from your account.');
  cleanup();
  for (const answer of [open(next), open(), refuse(404, 'not_found'), refuse(503, 'unavailable')]) {
    customerApi({ 'GET /openInvoices': answer });
    const { container } = show(<DueInvoices />);
    await waitFor(() => expect(container.textContent, '9-account-due').toBe(''));
    cleanup();
  }
  expect(remote.slots?.due).toMatchObject([{ id: 'invoices', needs: { kind: 'participant' } }]);
});

row(
  ['9-account-due', '9-glance-due'],
  'the first page waits for the amount, and no longer; nothing waits for agreements',
  async () => {
    const other = periodical({ agreement_identifier_with_sequence: 'A-9', payment_method: 'INVOICE' });
    for (const answer of [open(next), open(), refuse(503, 'unavailable')]) {
      const api = customerApi({ 'GET /openInvoices': answer, 'GET /periodicalPayments': [...transferred, other] });
      const release = vi.fn();
      const hold = vi.fn(() => release);
      show(<DueInvoices hold={hold} />);
      expect(hold, '9-glance-due').toHaveBeenCalledTimes(1);
      expect(release, '9-glance-due').not.toHaveBeenCalled();
      await waitFor(() => expect(release, '9-glance-due').toHaveBeenCalledTimes(1));
      expect(screen.queryAllByRole('listitem')).toHaveLength('invoices' in answer && answer.invoices.length > 0 ? 1 : 0);
      expect(api.calls.map((c) => c.path)).not.toContain('/agreements');
      expect(hold).toHaveBeenCalledTimes(1);
      cleanup();
    }
  },
);
