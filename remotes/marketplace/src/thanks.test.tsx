import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { useLocation } from '@wattle/sdk';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Order } from './api';
import { readOrder } from './paid.rules';
import PaymentCancelledPage from './payment-cancelled-page';
import remote from './remote';
import { memberApi, order, show } from './testing';
import ThankYouPage from './thank-you-page';

/** Encodes in the same way as the server: URL-safe, without padding. */
const n = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const good = n(['B-00É7', 1176.5]);
function Here() {
  return <output aria-label="where">{useLocation().pathname}</output>;
}
const at = (path: string, cancelled = false) =>
  show(
    <>
      {cancelled ? <PaymentCancelledPage /> : <ThankYouPage />}
      <Here />
    </>,
    { at: path, portal: { session: null } },
  );
const where = () => screen.getByRole('status', { name: 'where' });

row(
  ['2.4-thank-you', '9-checkout-result'],
  'without a session: shows order number, amount and a link to the account, and does not say paid',
  async () => {
    const api = memberApi({ 'GET /sustainable/orders': [order('00É7', { status: 'BOUGHT' })] });
    at(`/thank-you?n=${good}`);
    expect(api.calls, 'nothing is asked about the order').toEqual([]);
    expect(screen.getByRole('heading', { name: 'Order received' })).toBeVisible();
    expect(screen.getByText('Order number').nextElementSibling).toHaveTextContent('B-00É7');
    expect(screen.getByText('Amount').nextElementSibling).toHaveTextContent('€ 1.176,50');
    expect(screen.getByRole('link', { name: 'To your account' })).toHaveAttribute('href', '/account');
    expect(document.body).not.toHaveTextContent(/\bhas been paid|you have paid|payment received/i);
  },
);

describe('n', () => {
  row('2.4-thank-you-encoding', 'URL-safe base64 of a JSON array; anything else counts as missing', async () => {
    expect(readOrder(good)).toEqual({ reference: 'B-00É7', amount: 117_650 });
    expect(readOrder(n(['>>>???', 0.1 + 0.2]))).toEqual({ reference: '>>>???', amount: 30 });
    const bad = [
      '',
      '%',
      'AAAA',
      n('B-1'),
      n(['B-1']),
      n(['', 1]),
      n([1, 'B-1']),
      n(['B-1', '1']),
      n(['B-1', 1, 2]),
      n({ 0: 'B-1', 1: 1 }),
      '_____w',
    ];
    for (const one of [...bad, null]) expect(readOrder(one), String(one)).toBeUndefined();
    at('/thank-you?n=AAAA');
    await waitFor(() => expect(where()).toHaveTextContent('/account'));
  });
});

row('2.4-thank-you-redirect', 'redirects to the account when n is missing, unless canceled', async () => {
  const first = at('/thank-you');
  await waitFor(() => expect(where()).toHaveTextContent('/account'));
  first.unmount();
  for (const [path, cancelled] of [
    ['/payment-cancelled', true],
    [`/thank-you?n=${good}`, false],
  ] as const) {
    const stays = at(path, cancelled);
    await screen.findAllByRole('heading'); // which a redirect does not draw
    expect(where()).toHaveTextContent(path.split('?')[0] as string);
    stays.unmount();
  }
});

row('2.4-payment-cancelled', 'the same page says that nothing was paid', () => {
  at(`/payment-cancelled?n=${good}`, true);
  expect(screen.getByRole('heading', { name: 'Payment cancelled' })).toBeVisible();
  expect(screen.getByText(/You have not paid/)).toBeVisible();
  expect(screen.getByText('B-00É7')).toBeVisible();
  expect(screen.queryByText('Order received')).toBeNull();
});

row('7.6-paylink-return', 'the payment page leads to these pages, with or without a session', async () => {
  for (const [path, page] of [
    ['/thank-you', ThankYouPage],
    ['/payment-cancelled', PaymentCancelledPage],
  ] as const) {
    const route = remote.routes.find((r) => r.path === path);
    expect(route).toHaveProperty('access', 'public');
    expect((await route?.page())?.default).toBe(page);
  }
});

test('nothing is drawn during the redirect', () => {
  at('/thank-you');
  expect(screen.queryByRole('heading')).toBeNull();
  expect(render).toBeDefined();
});

describe('a signed-in buyer', () => {
  afterEach(() => vi.useRealTimers());
  const own = n(['B-1', 9]);
  const open = (...orders: Order[]) => {
    const fake = memberApi({ 'GET /sustainable/orders': orders });
    show(<ThankYouPage />, { at: `/thank-you?n=${own}` });
    return fake;
  };
  const amount = () => screen.getByText('Amount').nextElementSibling;

  row('9-checkout-result', 'sees the order as the server has it, with what was paid for it', async () => {
    for (const [status, title, text, link] of [
      ['BOUGHT', 'Thank you, your payment is in', /On 21-12-2026 the shares become yours/, 'My orders'],
      ['COMPLETED', 'Thank you, your payment is in', /Shares transferred/, 'My orders'],
      ['EXPIRED', 'This order is no longer valid', /If you have paid, you get your money back/, 'My orders'],
      ['CANCELLED', 'This order is no longer valid', /If you have paid, you get your money back/, 'My orders'],
    ] as const) {
      open(order('2'), order('1', { status, amount: 1176, administration_costs: 12.5, amount_due: 1188.5 }));
      expect(await screen.findByRole('heading', { name: title }), status).toBeVisible();
      expect(document.body).toHaveTextContent(text);
      expect(amount()).toHaveTextContent('€ 1.188,50');
      expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/my-orders');
      cleanup();
    }
  });
  row('4-order-status-other', 'an order in an unknown status is not said to be unpaid', async () => {
    open(order('1', { status: 'ON_HOLD', amount_due: 12 }));
    await waitFor(() => expect(amount()).toHaveTextContent('€ 12,00')); // the server's amount
    expect(screen.getByRole('heading', { name: 'Order received' })).toBeVisible();
    expect(document.body).not.toHaveTextContent(/not paid|not received a payment/i);
  });
  row('9-checkout-result', 'asks again until the payment is confirmed, and says so when it is not', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const fake = open(order('1'));
    expect(await screen.findByText('Payment being confirmed')).toBeVisible();
    await waitFor(() => expect(amount()).toHaveTextContent('€ 1.176,00'));
    expect(screen.getByRole('heading', { name: 'Order received' })).toBeVisible();
    fake.answers['GET /sustainable/orders'] = [order('1', { status: 'BOUGHT' })];
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await screen.findByRole('heading', { name: 'Thank you, your payment is in' })).toBeVisible();
    cleanup();
    open(order('1'));
    await screen.findByText('Payment being confirmed');
    for (let n = 0; n < 20; n++) await vi.advanceTimersByTimeAsync(2_100);
    expect(await screen.findByRole('heading', { name: 'Not paid yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'My orders' })).toHaveAttribute('href', '/my-orders');
  });
  row('9-checkout-result', 'an order of another, or none, is what the address says and no more', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const fake = open(order('2', { status: 'BOUGHT' }));
    expect(await screen.findByRole('heading', { name: 'Order received' })).toBeVisible();
    await waitFor(() => expect(fake.calls).not.toEqual([]));
    await vi.advanceTimersByTimeAsync(20);
    expect(screen.getByRole('heading', { name: 'Order received' })).toBeVisible();
    expect(amount()).toHaveTextContent('€ 9,00');
  });
});
