import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect } from 'vitest';
import type { Payment } from './api';
import OrdersPage from './orders-page';
import { cellText, show, staffApi } from './testing';

afterEach(cleanup);

const payment = (id: string, note: string, more: Partial<Payment> = {}): Payment => ({
  id,
  deal_identifier: `o${id}`,
  deal_reference: `B-${id}`,
  amount: 400,
  state: 'PAID',
  created: '2026-11-18T10:00:00Z',
  paid_at: '2026-11-19T10:00:00Z',
  late: true,
  note,
  may_refund: false,
  may_see: true,
  may_cancel_sale: false,
  refunded_amount: 0,
  charged_back_amount: 0,
  order_status: 'BOUGHT',
  shares: 4,
  provider: 'mollie',
  relation: 'r1',
  buyer_name: 'Fenna de Boer',
  debtor_number: '100',
  ...more,
});

const cases = () => [
  payment('1', 'CHARGED_BACK', { state: 'CHARGED_BACK', charged_back_amount: 400, order_status: 'CANCELLED' }),
  payment('2', 'CHARGED_BACK_AFTER_TRANSFER', {
    state: 'CHARGED_BACK',
    charged_back_amount: 400,
    order_status: 'COMPLETED',
    buyer_free_shares: 3,
  }),
  payment('3', 'REFUNDED_PART', { refunded_amount: 100, may_cancel_sale: true }),
  payment('4', 'REFUND_FAILED', { state: 'REFUNDING', order_status: 'CANCELLED', may_refund: true }),
  payment('5', 'MONEY_RESTORED', { state: 'REFUNDING', order_status: 'CANCELLED', may_refund: true, refunded_amount: 150 }),
  payment('6', 'RETURNED_TWICE', {
    state: 'CHARGED_BACK',
    order_status: 'CANCELLED',
    refunded_amount: 350,
    charged_back_amount: 300,
  }),
];

function page(locale: 'nl' | 'en' = 'en') {
  let all = cases();
  const done = ({ params }: { params: Record<string, string> }) => {
    const one = all.find((p) => p.id === params.id);
    all = all.filter((p) => p !== one);
    return one;
  };
  const api = staffApi([], {
    'GET /sustainable/staff/payments': () => ({ content: all, number: 0, size: 25, totalPages: 1, totalElements: all.length }),
    'GET /sustainable/staff/orders': { content: [], number: 0, size: 25, totalPages: 0, totalElements: 0 },
    'POST /sustainable/staff/payments/{id}/seen': done,
    'POST /sustainable/staff/payments/{id}/refund': done,
    'POST /sustainable/staff/payments/{id}/cancel-sale': done,
  });
  show(<OrdersPage />, { at: '/staff/orders?tab=payments', locale });
  return api;
}

describe('refunded and charged-back payments', () => {
  row('9-money-back-screen', 'shows the amount, the reason, and the possible actions', async () => {
    const api = page();
    const table = await screen.findByRole('table', { name: 'Payments' });
    await waitFor(() => expect(within(table).getAllByRole('rowheader')).toHaveLength(6));
    expect(within(table).getAllByRole('rowheader').map(cellText)).toEqual([
      'B-1Charged back by the buyer’s bank. The sale is cancelled and the shares are with the seller.',
      'B-2Charged back after the shares were transferred. Dispute it at the payment provider or ask the buyer to pay. Of the 4 shares the buyer still has 3 free; correct both participations to take them back.',
      'B-3A part was paid back outside the portal. The sale goes on. Leave it, or cancel the sale before the transfer.',
      'B-4Paying back failed after all. Ask the buyer for the right account, then try again.',
      'B-5What had come back is here again. The sale was cancelled: pay it back once you know why.',
      'B-6Paid back and charged back: more than was paid. Dispute the chargeback at the payment provider.',
    ]);
    const line = (n: number) => within(table).getAllByRole('row')[n] as HTMLElement;
    expect(screen.getByRole('tab', { name: 'Payments to look at (6)', selected: true })).toBeVisible();
    const returned = (n: number) =>
      (line(n).textContent?.replaceAll('\u00a0', ' ') ?? '').match(/€ [\d.]+,\d\d (?:charged back|refunded)/g) ?? [];
    expect([1, 2, 3, 4, 5, 6].map(returned)).toEqual([
      ['€ 400,00 charged back'],
      ['€ 400,00 charged back'],
      ['€ 100,00 refunded'],
      [],
      ['€ 150,00 refunded'],
      ['€ 300,00 charged back', '€ 350,00 refunded'],
    ]);
    expect(within(line(1)).getAllByText('Charged back')[0]).toBeVisible();
    const buttons = (n: number) =>
      within(line(n))
        .getAllByRole('button')
        .map((b) => b.textContent);
    expect([1, 2, 3, 4, 5, 6].map(buttons)).toEqual([
      ['Seen'],
      ['Seen'],
      ['Cancel sale', 'Seen'],
      ['Pay back', 'Seen'],
      ['Pay back', 'Seen'],
      ['Seen'],
    ]);

    await userEvent.click(screen.getByRole('button', { name: 'Cancel sale: B-3' }));
    const ask = await screen.findByRole('alertdialog', { name: 'Cancel this sale?' });
    expect(ask).toHaveTextContent('the buyer gets back what is left: € 300,00');
    await userEvent.click(within(ask).getByRole('button', { name: 'Cancel sale' }));
    await waitFor(() => expect(screen.queryByText('B-3')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Pay back: B-5' }));
    const back = await screen.findByRole('alertdialog', { name: /Pay back €\s250,00/ });
    const posts = () =>
      api.calls.filter((c) => c.method === 'POST').map((c) => c.path.replace('/sustainable/staff/payments/', ''));
    expect(posts()).toEqual(['3/cancel-sale']);
    await userEvent.click(within(back).getByRole('button', { name: 'Pay back' }));
    await waitFor(() => expect(screen.queryByText('B-5')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Seen: B-1' }));
    await waitFor(() => expect(screen.queryByText('B-1')).toBeNull());
    expect(posts()).toEqual(['3/cancel-sale', '5/refund', '1/seen']);
  });
  row('9-money-back-screen', 'in Dutch', async () => {
    page('nl');
    expect(await screen.findByText(/Teruggeboekt nadat de delen waren overgedragen/)).toHaveTextContent(
      'Van de 4 delen heeft de koper er nog 3 vrij',
    );
    expect(screen.getByRole('button', { name: 'Verkoop annuleren: B-3' })).toBeVisible();
  });
});
