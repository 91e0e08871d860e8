import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Notification } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { useState } from 'react';
import { afterEach, expect } from 'vitest';
import CustomerPage from './customer-page';
import StartPage from './start-page';
import { change, fenna, show, staffApi } from './testing';

afterEach(cleanup);

const email = { kind: 'account.email', data: { change_email: 'b@c.example', was: 'a@c.example' } };
const three = () => [
  change('1', { filed: '2026-11-18T09:15:00Z' }),
  change('2', { filed: '2026-11-19T09:15:00Z', relation: 'r-2', name: 'M. Bakker', data: { phone_number: '+31611111111' } }),
  change('3', { ...email, filed: '2026-11-20T09:15:00Z' }),
];
const posts = (api: ReturnType<typeof staffApi>) => api.calls.filter((c) => c.method === 'POST').map((c) => [c.path, c.body]);
const queue = () => screen.findByRole('region', { name: 'Changes that wait longest' });
/** Returns the ids of the requests in a list. */
const links = (of: HTMLElement) => [...of.querySelectorAll('th[scope=row] a')].map((l) => l.getAttribute('href')?.split('=')[1]);
const button = (name: string) => screen.getByRole('button', { name });

row(
  '9-start-decide',
  'each request is decided in its row, which leaves; the next one has focus, at the end the title',
  async () => {
    const told: Notification[] = [];
    const api = staffApi(three());
    show(<StartPage />, { at: '/staff', onNotify: (n) => told.push(n) });
    const list = await queue();
    expect(links(list), 'per customer').toEqual(['1', '3', '2']);
    expect(list, 'what the buttons do').toHaveTextContent(
      'Process carries a request out at once. Reject first asks for a reason',
    );
    for (const name of ['Process Phone number, 0687654321', 'Reject Phone number, 0687654321'])
      expect(getComputedStyle(button(name)).minHeight, `${name}: a target of 44 px`).toBe('44px');
    await userEvent.click(button('Process Phone number, 0687654321'));
    await waitFor(() => expect(links(list), 'who waits longest first').toEqual(['2', '3']));
    expect(posts(api)).toEqual([['/staff/changes/1/decision', { state: 'PROCESSED' }]]);
    await waitFor(() => expect(within(list).getByRole('link', { name: /Email address/ })).toHaveFocus());
    expect(told.at(-1)).toMatchObject({ tone: 'good', text: 'Processed: Phone number, F.A. de Boer' });
    expect(
      api.calls.filter((c) => c.path.startsWith('/staff/changes/1') && c.method === 'GET'),
      'without opening it',
    ).toEqual([]);

    // with the keyboard, and with the dialog of the queue
    await userEvent.keyboard('{ArrowUp}');
    expect(within(list).getByRole('link', { name: 'Phone number' })).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await userEvent.tab();
    expect(button('Process Email address, b@c.example')).toHaveFocus();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    const sheet = await screen.findByRole('dialog', { name: 'Email address' });
    expect(sheet).toHaveTextContent('F.A. de Boer It is now a@c.example and becomes b@c.example');
    await waitFor(() => expect(within(sheet).getByLabelText('Reason')).toHaveFocus());
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    expect(within(sheet).getAllByText('Say why you reject this.')).not.toHaveLength(0);
    expect(posts(api), 'a reason is required').toHaveLength(1);
    fireEvent.change(within(sheet).getByLabelText('Reason'), { target: { value: 'Not this person' } });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(posts(api)[1]).toEqual(['/staff/changes/3/decision', { state: 'REJECTED', reason: 'Not this person' }]);
    await waitFor(() => expect(within(list).getByRole('link', { name: 'Phone number' })).toHaveFocus());
    expect(told.at(-1)?.text).toBe('Rejected: Email address, F.A. de Boer');

    await userEvent.click(button('Process Phone number, 0611111111'));
    await screen.findByText(/^You are up to date: no changes are waiting/);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  },
);

row('9-start-decide', 'an error is in the row, which stays; a colleague who was first is told, and the row leaves', async () => {
  const told: Notification[] = [];
  const changes = three();
  const api = staffApi(changes);
  const decision = api.answers['POST /staff/changes/{id}/decision'];
  api.answers['POST /staff/changes/{id}/decision'] = refuse(503, 'unavailable');
  show(<StartPage />, { at: '/staff', onNotify: (n) => told.push(n) });
  const list = await queue();
  await userEvent.click(button('Process Phone number, 0687654321'));
  const alert = await within(list).findByRole('alert');
  expect(alert).toHaveTextContent('The decision was not stored');
  expect(alert).toHaveTextContent('We cannot be reached right now.');
  expect(within(alert.closest('tr') as HTMLElement).getByRole('link')).toHaveAttribute('href', '/staff/changes?id=1');
  expect(links(list)).toEqual(['1', '3', '2']);
  // in the dialog too, but not that of another request
  await userEvent.click(button('Reject Email address, b@c.example'));
  const sheet = await screen.findByRole('dialog');
  fireEvent.change(await within(sheet).findByLabelText('Reason'), { target: { value: 'No' } });
  expect(within(sheet).queryByRole('alert')).toBeNull();
  await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
  expect(await within(sheet).findByRole('alert')).toHaveTextContent('The decision was not stored');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Back' }));

  api.answers['POST /staff/changes/{id}/decision'] = decision;
  Object.assign(changes[0] ?? {}, { state: 'PROCESSED' });
  await userEvent.click(button('Process Phone number, 0687654321'));
  await waitFor(() => expect(links(list)).toEqual(['2', '3']));
  await waitFor(() => expect(within(list).getByRole('link', { name: /Email address/ })).toHaveFocus());
  expect(told).toEqual([{ kind: 'alert', tone: 'info', text: 'Somebody was before you: Phone number, F.A. de Boer' }]);
  expect(within(list).queryByRole('alert')).toBeNull();
});

row(
  '9-start-decide',
  'an address that must be looked at first, and a session that may only read, have no such buttons',
  async () => {
    const move = { kind: 'move.request', data: { new_address: { street: 'Dam', house_number: '1' }, unchecked: true } };
    staffApi([change('1', move), change('2')]);
    show(<StartPage />, { at: '/staff' });
    const list = await queue();
    expect(within(list).getByRole('link', { name: 'Look at the address first' })).toHaveAttribute('href', '/staff/changes?id=1');
    expect(within(list).getAllByRole('button')).toHaveLength(2);
    cleanup();
    staffApi(three());
    const operations = { 'core.decideChange': { access: 'key', effect: 'write', impersonation: false } } as const;
    show(<StartPage />, { at: '/staff', operations, portal: { session: { id: 'c', role: 'customer', name: 'F' } } });
    const read = await queue();
    expect(links(read)).toEqual(['1', '3', '2']);
    expect(within(read).queryByRole('button')).toBeNull();
    expect(read).not.toHaveTextContent(/Process|Reject/);
  },
);

row(
  '9-queue-customer',
  'the list is shown with the numbers of the customers, and stays while those of others are fetched',
  async () => {
    let respond: (numbers: unknown) => void = () => undefined;
    const numbers = () => new Promise((resolve) => (respond = resolve));
    const api = staffApi(three(), { 'GET /staff/customer-numbers': numbers });
    const asked = () => api.calls.filter((c) => c.path === '/staff/customer-numbers');
    show(<StartPage />, { at: '/staff' });
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(screen.queryByRole('table')).toBeNull();
    respond([{ relation: 'r-2', debtor_number: '10240002', name: 'M. Bakker' }]);
    expect(await screen.findByRole('table')).toHaveTextContent('10240002');
    // the requests that remain are those of one customer
    await userEvent.click(button('Process Phone number, 0611111111'));
    await waitFor(() => expect(asked()).toHaveLength(2));
    expect(links(await queue())).toEqual(['1', '3']);
  },
);

row('9-staff-recent', 'the customers that were opened last are below the requests, or there is no such list', async () => {
  const two = [
    { relation: 'r-2', debtor_number: '10240002', name: 'M. Bakker' },
    { relation: 'r-1', debtor_number: '10240001', name: 'F.A. de Boer' },
  ];
  const viewed = () => screen.findByRole('region', { name: 'Customers viewed last' });
  staffApi(three(), { 'GET /staff/recent-customers': two });
  show(<StartPage />, { at: '/staff' });
  const list = await viewed();
  expect(
    within(list)
      .getAllByRole('link')
      .map((l) => [l.textContent, l.getAttribute('href')]),
  ).toEqual([
    ['M. Bakker', '/staff/customers/r-2'],
    ['F.A. de Boer', '/staff/customers/r-1'],
  ]);
  expect(list).toHaveTextContent(/M\. Bakker.*10240002.*F\.A\. de Boer.*10240001/);
  expect(list.compareDocumentPosition(await queue()), 'below the requests').toBe(Node.DOCUMENT_POSITION_PRECEDING);
  cleanup();
  for (const none of [[], refuse(503, 'unavailable')]) {
    staffApi(three(), { 'GET /staff/recent-customers': none });
    show(<StartPage />, { at: '/staff' });
    await queue();
    expect(screen.queryByText('Customers viewed last')).toBeNull();
    cleanup();
  }
  staffApi([], { 'GET /staff/recent-customers': two });
  show(<StartPage />, { at: '/staff' });
  expect(await viewed(), 'with nothing to do').toBeVisible();
});

row('9-staff-recent', 'a customer who was opened is in the list when staff return', async () => {
  const api = staffApi(three());
  api.answers['GET /staff/recent-customers'] = () =>
    api.calls.some((c) => c.path === '/staff/customers/r-1')
      ? [{ relation: 'r-1', debtor_number: fenna.debtor_number, name: fenna.name }]
      : [];
  function Pages() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(!open)}>
          go
        </button>
        {open ? <CustomerPage /> : <StartPage />}
      </>
    );
  }
  show(<Pages />, { at: '/staff/customers/r-1', route: '/staff/customers/:relation' });
  await queue();
  await userEvent.click(button('go'));
  await screen.findByRole('heading', { level: 1, name: fenna.name });
  await userEvent.click(button('go'));
  const list = await screen.findByRole('region', { name: 'Customers viewed last' });
  expect(within(list).getByRole('link')).toHaveTextContent(fenna.name);
});
