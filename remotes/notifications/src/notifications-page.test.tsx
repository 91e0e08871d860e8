import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import NotificationsPage from './notifications-page';
import { customerApi, impersonated, notification, show, westerwind, zonneveld } from './testing';

const titles = () => screen.queryAllByRole('heading', { level: 2 }).map((h) => h.textContent);
const item = (title: string) => screen.getByRole('button', { name: title }).closest('li') as HTMLElement;
/** Twelve notifications, newest first: every third about Zonneveld, the others alternately about Westerwind and no project. */
const twelve = () =>
  Array.from({ length: 12 }, (_, i) => notification(`${i + 1}`, i % 3 === 0 ? zonneveld : i % 3 === 1 ? westerwind : {}));

row('2.5-notifications-filter', 'the filter starts with All, then has every project by name', async () => {
  customerApi(twelve());
  show(<NotificationsPage />);
  const filter = await screen.findByLabelText('Project');
  expect(
    within(filter)
      .getAllByRole('option')
      .map((o) => o.textContent),
  ).toEqual(['All', 'Windpark Westerwind', 'Zonneveld Oost']);
  expect(filter).toHaveValue('');
  expect(screen.getByText('1–5 of 12')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  await userEvent.selectOptions(filter, 'Zonneveld Oost');
  expect(titles()).toEqual(['Bericht 1', 'Bericht 4', 'Bericht 7', 'Bericht 10']);
  await userEvent.selectOptions(filter, 'All');
  expect(titles()).toHaveLength(5);
});

row('2.5-notifications-filter', 'in Dutch the filter starts with Alle', async () => {
  customerApi(twelve());
  show(<NotificationsPage />, { locale: 'nl' });
  expect(within(await screen.findByLabelText('Project')).getAllByRole('option')[0]).toHaveTextContent(/^Alle$/);
});

row('2.5-notifications-list', 'five per page, each with a preview that expands to the whole message as HTML', async () => {
  const all = twelve();
  const long = notification('0', {
    preview: `${'Een lang bericht dat verdergaat '.repeat(3)}en…`,
    message: '<p>Een <strong>lang</strong> bericht</p><ul><li>met een lijst</li></ul>',
  });
  customerApi([long, ...all]);
  show(<NotificationsPage />);
  await screen.findByText('1–5 of 13');
  expect(titles()).toEqual(['Bericht 0', 'Bericht 1', 'Bericht 2', 'Bericht 3', 'Bericht 4']);
  expect(item('Bericht 0')).toHaveTextContent(long.preview.trim());
  await userEvent.click(screen.getByRole('button', { name: 'Bericht 0' }));
  expect(await screen.findByText('lang')).toHaveProperty('tagName', 'STRONG');
  expect(screen.getByText('met een lijst')).toHaveProperty('tagName', 'LI');
  expect(item('Bericht 0')).not.toHaveTextContent(long.preview.trim());
  expect(screen.getByRole('button', { name: 'Bericht 0' })).toHaveAttribute('aria-expanded', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'Bericht 0' }));
  expect(screen.getByRole('button', { name: 'Bericht 0' })).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(titles()).toEqual(['Bericht 10', 'Bericht 11', 'Bericht 12']);
});

row('2.5-notifications-sanitise', 'the text is sanitized in the browser too, and a preview is plain text', async () => {
  customerApi([
    notification('1', {
      preview: '<b onclick="x()">Let op</b>',
      message:
        '<p onclick="x()">Alles<script>x()</script><img src="https://elsewhere.example/p.gif"><a href="javascript:x()"> hier</a></p>',
    }),
  ]);
  show(<NotificationsPage />);
  expect(await screen.findByText('<b onclick="x()">Let op</b>')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Bericht 1' }));
  const drawn = await screen.findByText('Alles', { exact: false, selector: 'p' });
  expect(drawn.outerHTML).toBe('<p>Alles<a> hier</a></p>');
});

describe('unread', () => {
  row('2.5-notifications-unread', 'is marked until the message is opened, which sends one call', async () => {
    const api = customerApi([notification('1'), notification('2', { read: true })]);
    show(<NotificationsPage />);
    expect(await within(await waitFor(() => item('Bericht 1'))).findByText('Unread')).toBeInTheDocument();
    expect(within(item('Bericht 2')).queryByText('Unread')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Bericht 1' }));
    await waitFor(() => expect(within(item('Bericht 1')).queryByText('Unread')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Bericht 2' }));
    await userEvent.click(screen.getByRole('button', { name: 'Bericht 1' }));
    expect(api.calls.filter((c) => c.method === 'POST').map((c) => c.path)).toEqual(['/sustainable/notifications/1/read']);
    // the list is not fetched again
    expect(api.calls.filter((c) => c.path === '/sustainable/notifications')).toHaveLength(1);
  });
  row('2.5-notifications-unread', 'stays during impersonation', async () => {
    const api = customerApi([notification('1')]);
    show(<NotificationsPage />, impersonated);
    await userEvent.click(await screen.findByRole('button', { name: 'Bericht 1' }));
    expect(await screen.findByText('Alles over', { exact: false, selector: 'p' })).toBeInTheDocument();
    expect(within(item('Bericht 1')).getByText('Unread')).toBeInTheDocument();
    expect(api.calls.filter((c) => c.method !== 'GET')).toEqual([]);
  });
  test('stays when the call fails, which is retried', async () => {
    let failing = true;
    const all = [notification('1')];
    const api = customerApi(all, {
      'POST /sustainable/notifications/{id}/read': () => (failing ? refuse(503, 'unavailable') : undefined),
    });
    show(<NotificationsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Bericht 1' }));
    await waitFor(() => expect(api.calls.some((c) => c.method === 'POST')).toBe(true));
    expect(within(item('Bericht 1')).getByText('Unread')).toBeInTheDocument();
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Bericht 1' }));
    await userEvent.click(screen.getByRole('button', { name: 'Bericht 1' }));
    await waitFor(() => expect(within(item('Bericht 1')).queryByText('Unread')).toBeNull());
  });
});

describe('a link to one message', () => {
  row('2.1-notifications-link', 'opens it on its page', async () => {
    customerApi(twelve());
    show(<NotificationsPage />, { at: '/notifications?id=8' });
    expect(await screen.findByRole('button', { name: 'Bericht 8' })).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('6–10 of 12')).toBeInTheDocument();
    // closing a message does not change the page
    await userEvent.click(screen.getByRole('button', { name: 'Bericht 8' }));
    expect(screen.getByText('6–10 of 12')).toBeInTheDocument();
  });
  row('2.1-notifications-link', 'shows that the message no longer exists, and shows the others', async () => {
    customerApi(twelve());
    show(<NotificationsPage />, { at: '/notifications?id=99' });
    expect(await screen.findByText('This message is no longer there')).toBeInTheDocument();
    expect(titles()).toHaveLength(5);
  });
});

test('links in a message open pages of the portal without a new document', async () => {
  customerApi([notification('1', { message: '<p><a href="/invoices?page=2">facturen</a></p>' })]);
  const Where = () => <output>{useLocation().pathname + useLocation().search}</output>;
  show(
    <>
      <Where />
      <NotificationsPage />
    </>,
    { route: '*' },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Bericht 1' }));
  await userEvent.click(await screen.findByRole('link', { name: 'facturen' }));
  expect(screen.getByRole('status')).toHaveTextContent('/invoices?page=2');
});

test('no messages yet, and a list that could not be loaded', async () => {
  const api = customerApi([]);
  const { unmount } = show(<NotificationsPage />);
  expect(await screen.findByText('You have no messages yet')).toBeInTheDocument();
  expect(screen.queryByLabelText('Project')).toBeNull();
  unmount();
  api.answers['GET /sustainable/notifications'] = refuse(503, 'unavailable');
  show(<NotificationsPage />);
  const again = await screen.findByRole('button', { name: 'Try again' });
  api.answers['GET /sustainable/notifications'] = [notification('1')];
  await userEvent.click(again);
  expect(await screen.findByRole('button', { name: 'Bericht 1' })).toBeInTheDocument();
});
