import { cleanup, screen, waitFor } from '@testing-library/react';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import DueInvoices from './due-invoices';
import remote from './remote';
import { customerApi, invoice, periodical, show } from './testing';

afterEach(cleanup);

const owed = (id: string, due: string, balance: number) =>
  invoice(id, due, {
    payment_status: 'OPEN',
    balance,
    period_end_date: new Date(Date.UTC(Number(due.slice(0, 4)), Number(due.slice(5, 7)), 0)).toISOString().slice(0, 10),
  });
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
  'the amount, what is overdue by name and for how long, what else by when, how it is paid, and a link to the invoices',
  async () => {
    const how = 'How to pay is on the invoice.See the invoices';
    const older = ['06', '07', '05'].map((month) => owed(month, `2026-${month}-18`, 10));
    for (const [locale, invoices, says] of [
      ['en', [next], `€ 42,35Monthly amount November 2026, by 29-11-2026${how}`],
      [
        'en',
        [{ ...next, period_end_date: '2026-11-28' }],
        `€ 42,35Monthly amount for 01-11-2026 to 28-11-2026, by 29-11-2026${how}`,
      ],
      ['en', [late], `€ 14,50Monthly amount August 2026: 94 days overdue${how}`],
      ['en', [owed('late', '2026-11-19', 14.5)], `€ 14,50Monthly amount November 2026: 1 day overdue${how}`],
      ['en', [next, owed('then', '2026-12-29', 1)], `€ 43,352 invoices, by 29-11-2026${how}`],
      [
        'en',
        [late, next],
        `€ 56,85Monthly amount August 2026, € 14,50: 94 days overdueMonthly amount November 2026, € 42,35, by 29-11-2026${how}`,
      ],
      [
        'nl',
        [late, next],
        '€ 56,85Termijnbedrag augustus 2026, € 14,50: 94 dagen te laatTermijnbedrag november 2026, € 42,35, uiterlijk 29-11-2026Hoe je betaalt, staat op de factuur.Bekijk de facturen',
      ],
      [
        'en',
        [late, ...older],
        `€ 44,50Monthly amount May 2026, € 10,00: 186 days overdueMonthly amount June 2026, € 10,00: 155 days overdueMonthly amount July 2026, € 10,00: 125 days overdue1 more invoice${how}`,
      ],
    ] as const) {
      customerApi({ 'GET /openInvoices': open(...invoices), 'GET /periodicalPayments': transferred });
      show(<DueInvoices />, { locale });
      await screen.findByRole('listitem');
      expect(text(), '9-account-due').toBe(says);
      expect(screen.getByRole('link')).toHaveAttribute('href', '/invoices');
      expect(document.querySelectorAll('strong svg'), 'a mark at what is overdue').toHaveLength(
        says.includes('overdue') || says.includes('te laat') ? 1 : 0,
      );
      cleanup();
    }
  },
);

row('9-account-due', 'nothing where all is collected on its day, but what is overdue is not collected any more', async () => {
  customerApi({ 'GET /openInvoices': open(late, next) });
  show(<DueInvoices />);
  await screen.findByRole('listitem');
  expect(text()).toContain('We collect part of this from your account.');
  expect(text(), '9-account-due: apart, what is collected').toMatch(
    /€ 14,50: 94 days overdue.*, € 42,35, will be collected on 29-11-2026/,
  );
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
