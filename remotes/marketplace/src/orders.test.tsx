import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakePortalProps, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import AccountMoves from './account-moves';
import AccountMovesSummary from './account-moves-summary';
import AccountOrders from './account-orders';
import AccountOrdersSummary from './account-orders-summary';
import type { Order } from './api';
import DueOrders from './due-orders';
import MyOrdersPage from './my-orders-page';
import remote from './remote';
import { futureMove, impersonated, memberApi, order, show } from './testing';

const all = ['CREATED', 'AWAITING_PAYMENT', 'BOUGHT', 'EXPIRED', 'CANCELLED', 'COMPLETED', 'ON_HOLD'];
const rowOf = async (reference: string) => (await screen.findByText(reference)).closest('tr') as HTMLElement;
const buttons = (of: HTMLElement) =>
  within(of)
    .queryAllByRole('button')
    .map((b) => b.textContent);
const orders = (...list: Order[]) => memberApi({ 'GET /sustainable/orders': list });
const page = (more: Partial<FakePortalProps> = {}) => show(<MyOrdersPage />, { at: '/my-orders', ...more });
const tab = { close: vi.fn(), opener: {} as unknown, location: { replace: vi.fn() } };

beforeEach(() => {
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  tab.close.mockClear();
  tab.location.replace.mockClear();
});

describe('my orders', () => {
  row(['2.1-my-orders-route', '2.1-orders-columns'], 'lists all orders, newest first', async () => {
    orders(
      order('1', { placed: '2026-10-01T10:00:00Z', transfer_date: '2027-03-01', expiration_date: '2026-12-02T10:00:00Z' }),
      order('2', {
        placed: '2026-11-01T10:00:00Z',
        shares: 7,
        amount: 330.5,
        administration_costs: 12.5,
        amount_due: 343,
        expiration_date: '2026-12-04T22:59:59Z',
      }),
    );
    page();
    const lines = (await screen.findAllByRole('row')).slice(1);
    expect(lines.map((l) => within(l).getByRole('rowheader').textContent)).toEqual([
      expect.stringContaining('B-2'),
      expect.stringContaining('B-1'),
    ]);
    for (const title of ['Order', 'Ordered', 'Shares', 'Amount', 'Status', 'Transfer'])
      expect(screen.getByRole('columnheader', { name: title })).toBeVisible();
    const cells = (line: HTMLElement | undefined) =>
      [...(line?.querySelectorAll('th, td') ?? [])].slice(0, 6).map((c) => c.textContent?.replaceAll('\u00a0', ' '));
    expect(cells(lines[0])).toEqual([
      'OrderWindpark WesterwindB-2',
      'Ordered01-11-2026',
      'Shares7',
      'Amount€ 343,00including costs of € 12,50',
      'StatusTo be paidExpires on 04-12-2026',
      'Transfer21-12-2026',
    ]);
    expect(cells(lines[1])).toEqual([
      'OrderWindpark WesterwindB-1',
      'Ordered01-10-2026',
      'Shares24',
      'Amount€ 1.176,00',
      'StatusTo be paidExpires on 02-12-2026',
      'Transfer01-03-2027',
    ]);
  });
  test('an empty list shows a text', async () => {
    orders();
    page();
    expect(await screen.findByText('You have no orders')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the offers' })).toHaveAttribute('href', '/offers');
  });
  row(
    ['4-order-status-enum', '4-order-status-other', '4-order-cancel-statuses'],
    'every status has a text, unknown ones too; three can be canceled',
    async () => {
      orders(...all.map((status) => order(status, { status })));
      page();
      const texts: Record<string, string> = {};
      const cancels: string[] = [];
      for (const status of all) {
        const line = await rowOf(`B-${status}`);
        texts[status] = within(line).getAllByRole('cell')[3]?.textContent ?? '';
        if (buttons(line).includes('Cancel')) cancels.push(status);
      }
      expect(buttons(await rowOf('B-ON_HOLD'))).toEqual([]);
      expect(texts).toEqual({
        CREATED: expect.stringContaining('Being prepared'),
        AWAITING_PAYMENT: expect.stringContaining('To be paid'),
        BOUGHT: expect.stringContaining('Paid'),
        EXPIRED: expect.stringContaining('Expired'),
        CANCELLED: expect.stringContaining('Cancelled'),
        COMPLETED: expect.stringContaining('Transferred'),
        ON_HOLD: expect.stringContaining('Being processed'),
      });
      expect(cancels).toEqual(['CREATED', 'AWAITING_PAYMENT', 'BOUGHT']);
    },
  );
  row(['4-order-expired', '9-order-way-out'], 'shows a warning and no actions', async () => {
    orders(order('1', { status: 'EXPIRED', withdraw_until: '2026-12-04' }));
    page();
    const line = await rowOf('B-1');
    expect(line).toHaveTextContent('Not paid by 04-12-2026: nothing has been bought.');
    expect(line, '9-order-way-out: it has no transfer and can no longer expire').toHaveTextContent(/Transfer–/);
    expect(line).not.toHaveTextContent(/Expires/);
    expect(buttons(line)).toEqual([]);
  });
  row(['4-order-pay-link', '7.6-post-paylink'], 'the payment opens in a new tab, in one status only', async () => {
    const api = memberApi({
      'GET /sustainable/orders': all.map((status) => order(status, { status })),
      'POST /sustainable/orders/{id}/paylink': { url: 'https://pay.example/1' },
    });
    page();
    for (const status of all) {
      const pays = buttons(await rowOf(`B-${status}`)).some((b) => b?.includes('Pay'));
      expect(pays, status).toBe(status === 'AWAITING_PAYMENT');
    }
    await userEvent.click(screen.getByRole('button', { name: /^Pay/ }));
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://pay.example/1'));
    expect(window.open).toHaveBeenCalledWith('', '_blank');
    expect(tab.opener).toBeNull();
    expect(api.calls.at(-1)).toMatchObject({ method: 'POST', path: '/sustainable/orders/AWAITING_PAYMENT/paylink' });
  });
  row('8-order-action-failed', 'a failed link and a failed cancellation show title, reason and a retry', async () => {
    const down = /^Error: Something went wrong.*We cannot be reached right now/;
    const refused = (reason: string) =>
      new RegExp(`^Error: Something went wrong.*${reason}.*Nothing has been changed\\. Check it`);
    for (const [answer, pay, cancel] of [
      [
        (code: string) => refuse(409, `marketplace.${code}`),
        refused('nothing to pay for this order'),
        refused('This is no longer possible'),
      ],
      [() => refuse(503, 'unavailable'), down, down],
    ] as const) {
      const api = memberApi({
        'GET /sustainable/orders': [order('1')],
        'POST /sustainable/orders/{id}/paylink': answer('not_payable'),
        'DELETE /sustainable/orders/{id}': answer('transition'),
      });
      const { unmount } = page();
      await userEvent.click(await screen.findByRole('button', { name: /^Pay/ }));
      expect((await screen.findByRole('alert')).textContent).toMatch(pay);
      expect(tab.close).toHaveBeenCalled();
      expect(screen.queryAllByRole('button', { name: 'Try again' })).toHaveLength(pay === down ? 1 : 0);
      if (pay === down) {
        api.answers['POST /sustainable/orders/{id}/paylink'] = { url: 'https://pay.example/2' };
        await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
        await waitFor(() => expect(tab.location.replace, '8-order-action-failed').toHaveBeenCalledWith('https://pay.example/2'));
      }
      await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      const dialog = await screen.findByRole('dialog');
      await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
      const alert = await within(dialog).findByRole('alert');
      expect(alert.textContent).toMatch(cancel);
      if (cancel === down) {
        api.answers['DELETE /sustainable/orders/{id}'] = order('1', { status: 'CANCELLED' });
        await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      }
      unmount();
    }
  });
  row('8-order-cancelled', 'cancels after confirmation', async () => {
    const api = memberApi({ 'GET /sustainable/orders': [order('1')], 'DELETE /sustainable/orders/{id}': order('1') });
    const onNotify = vi.fn();
    page({ onNotify });
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('You do not pay anything');
    expect(api.calls.some((c) => c.method === 'DELETE')).toBe(false);
    api.answers['GET /sustainable/orders'] = [order('1', { status: 'CANCELLED' })];
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
    await waitFor(() =>
      expect(onNotify).toHaveBeenCalledWith({ kind: 'notice', tone: 'good', text: 'Order B-1 has been cancelled.' }),
    );
    expect(await screen.findByText('Cancelled')).toBeVisible();
  });
  row(
    ['9-withdrawal-function', '9-withdrawal-reconcile', '9-order-way-out'],
    'withdraws in two steps, with a receipt; cancelling depends on the status',
    async () => {
      const bought = { status: 'BOUGHT', paid: '2026-11-10T10:00:00Z' };
      const api = memberApi({
        'GET /sustainable/orders': [order('1', { ...bought, withdraw_until: '2026-11-24' }), order('2', bought)],
        'POST /sustainable/orders/{id}/withdrawal': {
          reference: 'H-1',
          at: '2026-11-20T10:00:00Z',
          amount: 1176,
          refund: 'REFUNDING',
        },
      });
      page();
      expect(buttons(await rowOf('B-1')), '9-order-way-out').toEqual(['Withdraw from this purchase']);
      expect(screen.getByRole('button', { name: 'Withdraw from this purchase' })).toHaveAccessibleDescription(
        /^Possible until 24-11-2026\. You get back €\s1\.176,00\.$/,
      );
      expect(buttons(await rowOf('B-2'))).toEqual(['Cancel']);
      expect(screen.getByRole('button', { name: 'Cancel' })).toHaveAccessibleDescription(/cooling-off period .* is over/);
      await userEvent.click(screen.getByRole('button', { name: 'Withdraw from this purchase' }));
      const dialog = await screen.findByRole('dialog');
      expect(dialog).toHaveTextContent(/1\.176,00.*until 24-11-2026/);
      expect(api.calls.some((c) => c.method === 'POST')).toBe(false);
      await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm withdrawal' }));
      expect(await within(dialog).findByText(/Received on 20-11-2026 at 11:00, reference H-1/)).toBeVisible();
      expect(within(dialog).queryByRole('button', { name: 'Confirm withdrawal' })).toBeNull();
      expect(dialog).toHaveTextContent('We have emailed you this receipt');
    },
  );
  test('an impersonator cannot pay or cancel, and reads why', async () => {
    orders(order('1'), order('2', { status: 'BOUGHT', withdraw_until: '2026-12-01' }));
    page(impersonated);
    await screen.findByText('B-1');
    for (const name of ['Withdraw from this purchase', 'Cancel']) {
      expect(screen.getAllByRole('button', { name })).toHaveLength(1);
      for (const button of screen.getAllByRole('button', { name })) {
        expect(button).toHaveAttribute('aria-disabled', 'true');
        expect(button).toHaveAccessibleDescription(/You are only viewing/);
      }
    }
  });
  test('an order that is being prepared is fetched again', async () => {
    const api = orders(order('1', { status: 'CREATED' }));
    page();
    await screen.findByText('Being prepared');
    api.answers['GET /sustainable/orders'] = [order('1')];
    expect(await screen.findByText('To be paid', undefined, { timeout: 5_000 })).toBeVisible();
  });
});

describe('the account page', () => {
  row('4-orders-to-expire', 'only orders that await payment', async () => {
    orders(...all.map((status) => order(status, { status })));
    show(<DueOrders />, { at: '/account' });
    expect(await screen.findByText(/B-AWAITING_PAYMENT/)).toBeVisible();
    expect(screen.getAllByText(/^B-/)).toHaveLength(1);
    const [order1] = screen.getAllByRole('listitem');
    expect(order1).toHaveTextContent(/^€ 1\.176,00.*, pay before 04-12-2026.*B-AWAITING_PAYMENT/);
    expect(screen.getByRole('button', { name: /^Pay/ })).toBeVisible();
  });
  row('9-account-to-pay', 'in the card of what must be paid, and without them the section of orders says so', async () => {
    expect(remote.slots?.due?.map((s) => s.id)).toEqual(['to-pay']);
    expect(remote.slots?.account?.map((s) => s.title?.defaultMessage)).toEqual(['My orders', 'Shares that will move']);
    for (const [status, due] of [
      ['AWAITING_PAYMENT', true],
      ['BOUGHT', false],
    ] as const) {
      const [offer] = order('1').offers;
      const other = { shares: 1, amount_due: 49.5, expiration_date: '2026-12-11T10:00:00Z' };
      orders(
        order('1', { status, amount_due: 310 }),
        order('2', { status: 'COMPLETED' }),
        order('3', { ...other, status, offers: [{ ...offer, project_name: 'Zonneveld' } as Order['offers'][number]] }),
      );
      const hide = vi.fn();
      show(<DueOrders />, { at: '/home' });
      show(<AccountOrders hide={hide} />, { at: '/account' });
      await (due ? screen.findAllByRole('listitem') : screen.findByText('You have no orders to pay.'));
      if (due) await waitFor(() => expect(hide).toHaveBeenCalled());
      expect(hide).toHaveBeenCalledTimes(due ? 1 : 0);
      const lines = screen.queryAllByRole('listitem').map((l) => l.textContent?.replaceAll('\u00a0', ' '));
      const pay = 'Pay (opens in a new tab)';
      const whole = [
        `€ 310,0024 shares in Windpark Westerwind, pay before 04-12-2026B-1${pay}`,
        `€ 49,501 share in Zonneveld, pay before 11-12-2026B-3${pay}`,
      ];
      expect(lines, '9-account-to-pay').toEqual(due ? whole : []);
      expect(screen.queryAllByText('You have no orders to pay.')).toHaveLength(due ? 0 : 1);
      expect(screen.queryAllByRole('link', { name: 'My orders' })).toHaveLength(due ? 0 : 1);
      cleanup();
    }
    const release = vi.fn();
    const hold = vi.fn(() => release);
    memberApi({ 'GET /sustainable/orders': refuse(500, 'unavailable') });
    const { container } = show(<DueOrders hold={hold} />, { at: '/account' });
    expect(hold, '9-glance-due').toHaveBeenCalledTimes(1);
    expect(release).not.toHaveBeenCalled();
    await waitFor(() => expect(container.textContent).toBe('')); // the section shows the failure
    expect(release, '9-glance-due').toHaveBeenCalledTimes(1);
  });
  row('6-sustainable-account-sections', 'shows a text without such orders, and without moves', async () => {
    orders(order('1', { status: 'BOUGHT' }));
    show(<AccountOrders hide={() => undefined} />, { at: '/account' });
    show(<AccountMoves />, { at: '/account' });
    expect(await screen.findByText('You have no orders to pay.')).toBeVisible();
    expect(await screen.findByText('None of your shares is going to move to another address.')).toBeVisible();
  });
  row('9-account-sections', 'closed the sections say the next move, or that there is none, and nothing to pay', async () => {
    memberApi({
      'GET /sustainable/participations/moves': [futureMove('m-2', { date: '2026-12-09', shares: 3 }), futureMove('m-1')],
    });
    const { container } = show(<AccountMovesSummary />, { at: '/account' });
    await waitFor(() => expect(container).toHaveTextContent('01-12-2026 · 6 shares'));
    cleanup();
    orders(order('1', { status: 'BOUGHT' }));
    show(<AccountOrdersSummary />, { at: '/account' });
    show(<AccountMovesSummary />, { at: '/account' });
    expect(await screen.findByText('No orders to pay')).toBeVisible();
    expect(await screen.findByText('None planned')).toBeVisible();
    expect(remote.slots?.account?.every((s) => s.summary)).toBe(true);
  });
  row('6-impersonator-all-edits-reconcile', 'an impersonator cannot cancel a move', async () => {
    const api = memberApi({ 'GET /sustainable/participations/moves': [futureMove('m-1')] });
    show(<AccountMoves />, { at: '/account', ...impersonated });
    const cancel = await screen.findByRole('button', { name: /^Cancel this move/ });
    expect(cancel).toHaveAttribute('aria-disabled', 'true');
    expect(cancel).toHaveAccessibleDescription(/only viewing/);
    await userEvent.click(cancel);
    expect(api.calls.filter((c) => c.method === 'DELETE')).toEqual([]);
  });
  row('7.6-get-future-moves', 'shows shares that will move, until the move is canceled', async () => {
    memberApi({
      'GET /sustainable/participations/moves': [futureMove('m-1'), futureMove('m-2', { date: '2026-12-09', shares: 3 })],
    });
    show(<AccountMoves />, { at: '/account' });
    for (const text of ['01-12-2026', '6 shares', '09-12-2026', '3 shares']) expect(await screen.findByText(text)).toBeVisible();
    cleanup();
    const api = memberApi({
      'GET /sustainable/participations/moves': [futureMove('m-1')],
      'DELETE /sustainable/participations/moves/{id}': refuse(503, 'unavailable'),
    });
    const onNotify = vi.fn();
    show(<AccountMoves />, { at: '/account', onNotify });
    expect(await screen.findByText('Strandweg 1, Grootegast')).toBeVisible();
    for (const text of ['01-12-2026', '6 shares', 'Molenweg 12 A, Grootegast']) expect(screen.getByText(text)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel this move' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/Something went wrong.*We cannot be reached/);
    api.answers['DELETE /sustainable/participations/moves/{id}'] = undefined;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(onNotify).toHaveBeenCalled());
    expect(api.calls.at(-2)?.path).toBe('/sustainable/participations/moves/m-1');
  });
});
