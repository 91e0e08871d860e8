import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import CustomerPage from './customer-page';
import CustomersPage from './customers-page';
import LogPage from './log-page';
import OrdersPage from './orders-page';
import StartPage from './start-page';
import { cellText, change, fenna, opened, show, staffApi } from './testing';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const started = { code: 'abc', expires_in: 60, path: '/#impersonate=abc' };
const customer = { at: '/staff/customers/r-1', route: '/staff/customers/:relation' };
/** A fake browser tab. */
const tab = () => ({ opener: window as unknown, location: { replace: vi.fn() }, close: vi.fn() });

/** The URL of the page. */
function Address() {
  const { pathname, search, hash } = useLocation();
  return <p data-testid="address">{pathname + search + hash}</p>;
}

describe('finding a customer', () => {
  row(
    '6-staff-start-impersonation',
    'searches by debtor number, e-mail or name, and starts an impersonation of limited duration',
    async () => {
      const api = staffApi([], { 'POST /staff/impersonations': started });
      for (const q of [fenna.debtor_number, fenna.email, 'boer']) {
        show(<CustomersPage />, { at: '/staff/customers' });
        await userEvent.type(await screen.findByLabelText('Find a customer'), `${q}{Enter}`);
        const found = await screen.findByRole('link', { name: fenna.name });
        expect(found).toHaveAttribute('href', '/staff/customers/r-1');
        expect(api.calls.at(-1)).toMatchObject({ method: 'POST', path: '/staff/customers/search', query: {}, body: { q } });
        cleanup();
      }
      const opens = tab();
      vi.spyOn(window, 'open').mockReturnValue(opens as never);
      show(<CustomerPage />, customer);
      expect(await screen.findByText(/For 30 minutes you see the portal as this customer/)).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Look along in a new tab' }));
      await waitFor(() => expect(opens.location.replace).toHaveBeenCalledWith(started.path));
      expect(opens.opener).toBeNull();
      expect(api.calls.findLast((c) => c.method === 'POST')).toMatchObject({
        path: '/staff/impersonations',
        body: { relation: 'r-1' },
      });
    },
  );

  test('a blocked tab is offered as a link; a refusal closes the tab', async () => {
    const api = staffApi([], { 'POST /staff/impersonations': started });
    vi.spyOn(window, 'open').mockReturnValue(null);
    show(<CustomerPage />, customer);
    await userEvent.click(await screen.findByRole('button', { name: 'Look along in a new tab' }));
    expect(await screen.findByRole('link', { name: /Open it yourself/ })).toHaveAttribute('href', started.path);
    api.answers['POST /staff/impersonations'] = refuse(403, 'unavailable');
    const opens = tab();
    vi.spyOn(window, 'open').mockReturnValue(opens as never);
    await userEvent.click(screen.getByRole('button', { name: 'Look along in a new tab' }));
    expect(await screen.findByText('Looking along did not work')).toBeVisible();
    expect(opens.close).toHaveBeenCalled();
    expect(screen.queryByRole('link', { name: /Open it yourself/ })).toBeNull();
  });

  row(
    '9-staff-search-logged',
    'keeps the text out of addresses: of the call, and of the page, which is the referrer of calls',
    async () => {
      const api = staffApi([]);
      show(
        <>
          <CustomersPage />
          <Address />
        </>,
        { at: '/staff/customers' },
      );
      await userEvent.type(await screen.findByLabelText('Find a customer'), 'boer{Enter}');
      await screen.findByRole('link', { name: fenna.name });
      expect(api.calls).toHaveLength(1);
      expect(api.calls[0]).toMatchObject({ path: '/staff/customers/search', query: {}, body: { q: 'boer' } });
      expect(screen.getByTestId('address')).toHaveTextContent(/^\/staff\/customers$/);
      cleanup();
      show(
        <>
          <StartPage />
          <Address />
        </>,
        { at: '/staff' },
      );
      await userEvent.type(await screen.findByLabelText('Find a customer'), 'boer{Enter}');
      await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/staff\/customers$/));
    },
  );

  test('one letter is too short; an empty result says what to do', async () => {
    const api = staffApi([]);
    show(<CustomersPage />, { at: '/staff/customers' });
    await userEvent.type(await screen.findByLabelText('Find a customer'), 'b{Enter}');
    expect(await screen.findByText('Type at least two characters.')).toBeVisible();
    expect(api.calls).toEqual([]);
    cleanup();
    show(<CustomersPage />, { at: '/staff/customers' });
    await userEvent.type(await screen.findByLabelText('Find a customer'), 'niemand{Enter}');
    expect(await screen.findByText('No customer found')).toBeVisible();
  });
});

describe('customer', () => {
  test('shows details, pending requests, and the access log', async () => {
    staffApi([change('1'), change('2', { relation: 'r-2' })], {
      'GET /staff/audit': ({ query }: { query: Record<string, string> }) => ({
        items:
          query.relation === 'r-1'
            ? [{ seq: 1, at: '2026-11-20T09:00:00Z', action: 'impersonation.used', role: 'staff', name: 'Sanne' }]
            : [],
      }),
    });
    show(<CustomerPage />, customer);
    expect(await screen.findByRole('heading', { level: 1, name: fenna.name })).toBeVisible();
    const details = screen.getByRole('region', { name: 'Details' });
    expect(details).toHaveTextContent(
      /10240001.*fenna@voorbeeld.example.*0612345601.*Molenweg 12 A, 9861.GT Grootegast.*14-03-2016/,
    );
    expect(await within(screen.getByRole('region', { name: 'Waiting for a decision' })).findAllByRole('rowheader')).toHaveLength(
      1,
    );
    expect(await screen.findByText('Looked along')).toBeVisible();
  });

  test('a customer without an account, and an unknown one, show a text', async () => {
    const api = staffApi([], { 'GET /staff/customers/{relation}': { ...opened, username: '', may_impersonate: false } });
    show(<CustomerPage />, customer);
    const look = await screen.findByRole('button', { name: 'Look along in a new tab' });
    expect(look).toHaveAccessibleDescription('This customer has no account, so there is nothing to view.');
    cleanup();
    api.answers['GET /staff/customers/{relation}'] = refuse(404, 'not_found');
    show(<CustomerPage />, customer);
    expect(await screen.findByText('No customer found')).toBeVisible();
  });
});

test('shows the log in words, with a filter', async () => {
  const api = staffApi([], {
    'GET /staff/audit': {
      items: [
        {
          seq: 3,
          at: '2026-11-20T09:00:00Z',
          action: 'change.rejected',
          kind: 'billing.iban',
          role: 'key',
          name: 'erp',
          relation: 'r-1',
          reason: 'Dubbel',
        },
        {
          seq: 2,
          at: '2026-11-20T08:00:00Z',
          action: 'impersonation.used',
          role: 'staff',
          name: 'Sanne',
          until: '2026-11-20T08:30:00Z',
        },
      ],
    },
  });
  show(<LogPage />, { at: '/staff/log' });
  const rows = await screen.findAllByRole('rowheader');
  expect(rows.map(cellText)).toEqual(['Rejected: Account numberDubbel', 'Looked alonguntil 20-11-2026, 09:30']);
  expect(screen.getByRole('link', { name: 'View customer' })).toHaveAttribute('href', '/staff/customers/r-1');
  await userEvent.selectOptions(screen.getByLabelText('Only about'), 'impersonation.');
  await waitFor(() => expect(api.calls.at(-1)?.query).toMatchObject({ action: 'impersonation.' }));
});

test('payments that need attention show why; a refund asks for confirmation', async () => {
  const page = (content: unknown[]) => ({ content, number: 0, size: 25, totalPages: 1, totalElements: content.length });
  const payment = {
    deal_identifier: 'd',
    amount: 1176,
    refunded_amount: 0,
    charged_back_amount: 0,
    created: '2026-11-20T09:00:00Z',
    paid_at: '2026-11-20T09:00:00Z',
    late: true,
    relation: 'r-1',
    buyer_name: 'F. de Boer',
    debtor_number: '1042001',
    may_see: false,
  };
  const api = staffApi([], {
    'GET /sustainable/staff/orders': page([]),
    'GET /sustainable/staff/payments': page([
      { ...payment, id: 'p1', deal_reference: 'B-1', state: 'REFUNDED', note: 'SHARES_GONE', may_refund: false, may_see: true },
      { ...payment, id: 'p2', deal_reference: 'B-2', state: 'PAID', note: 'AMOUNT_DIFFERS', may_refund: true },
    ]),
    'POST /sustainable/staff/payments/{id}/refund': {},
    'POST /sustainable/staff/payments/{id}/seen': {},
  });
  show(<OrdersPage />, { at: '/staff/orders?tab=payments' });
  expect(await screen.findByRole('tab', { name: 'Payments to look at (2)', selected: true })).toBeVisible();
  expect((await screen.findAllByRole('rowheader')).map(cellText)).toEqual([
    'B-1Came too late; the shares were gone, so it is paid back',
    'B-2Another amount than the order',
  ]);
  expect(screen.getAllByRole('link', { name: 'F. de Boer' })[0]).toHaveAttribute('href', '/staff/customers/r-1');
  expect(screen.getAllByText('1042001')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Seen: B-2' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Seen: B-1' }));
  await waitFor(() => expect(api.calls.find((c) => c.method === 'POST')?.path).toBe('/sustainable/staff/payments/p1/seen'));
  await userEvent.click(screen.getByRole('button', { name: 'Pay back: B-2' }));
  const question = await screen.findByRole('alertdialog', { name: /^Pay back €\s1\.176,00\?$/ });
  expect(api.calls.some((c) => c.path.endsWith('/refund'))).toBe(false);
  await userEvent.click(within(question).getByRole('button', { name: 'Pay back' }));
  await waitFor(() => expect(api.calls.findLast((c) => c.method === 'POST')?.path).toBe('/sustainable/staff/payments/p2/refund'));
});
