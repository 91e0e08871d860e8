import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Remote } from '@wattle/sdk';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import Notices from './notices';
import NotificationsPage from './notifications-page';
import remote from './remote';
import { customerApi, notice, notification, show } from './testing';
import Unread from './unread';

const texts = () => screen.queryAllByText(/^Mededeling/).map((e) => e.textContent);

describe('notices', () => {
  const currentNotices = [
    notice('a'),
    notice('b', { pages: ['/usage', '/overview'] }),
    notice('c', { kind: 'market_message', pages: ['/offers'] }),
  ];
  const openAll = async () => userEvent.click(await screen.findByRole('button', { name: /more notice/ }));
  row('2.1-notices-place', 'are on their pages', async () => {
    customerApi([], { 'GET /sustainable/notices': currentNotices });
    const { unmount } = show(<Notices page="/usage" />);
    await openAll();
    expect(texts()).toEqual(['Mededeling a', 'Mededeling b']);
    unmount();
    show(<Notices page="/offers" />);
    await openAll();
    expect(texts()).toEqual(['Mededeling a', 'Mededeling c']);
  });
  row('9-notice-fold', 'its title opens its text as HTML in place, and closes it', async () => {
    customerApi([], { 'GET /sustainable/notices': [notice('c', { kind: 'market_message' })] });
    show(<Notices page="/usage" />);
    const title = await screen.findByRole('button', { name: 'Mededeling c' });
    expect(title).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getByText('Market message of 19-11-2026')).not.toBeVisible();
    await userEvent.click(title);
    expect(title).toHaveAttribute('aria-expanded', 'true');
    expect(await screen.findByText('Over c.')).toBeVisible();
    expect(screen.getByText('Market message of 19-11-2026')).toBeVisible();
    await userEvent.click(title);
    expect(screen.queryByText('Over c.')).toBeNull();
  });
  row('9-notice-one', 'the most urgent has a line; a button shows the others and hides them again', async () => {
    for (const [locale, one, more, fewer] of [
      ['en', '1 more notice', '2 more notices', 'Fewer notices'],
      ['nl', 'Nog 1 mededeling', 'Nog 2 mededelingen', 'Minder mededelingen'],
    ] as const) {
      const [a, , c] = currentNotices;
      customerApi([], { 'GET /sustainable/notices': [a, { ...c, pages: [] }, notice('d', { until: '2026-11-21' })] });
      show(<Notices page="/usage" />, { locale });
      const button = await screen.findByRole('button', { name: more });
      expect(button.closest('li'), 'below the notice, whose title has the whole line').toBeNull();
      expect(button).toHaveAttribute('aria-expanded', 'false');
      expect(texts()).toEqual(['Mededeling d']);
      await userEvent.click(button);
      expect(texts()).toEqual(['Mededeling d', 'Mededeling a', 'Mededeling c']);
      expect(button).toHaveAccessibleName(fewer);
      await userEvent.click(button);
      expect(texts()).toEqual(['Mededeling d']);
      const [close] = screen.getAllByRole('button', { name: /: Mededeling d$/ });
      await userEvent.click(close as HTMLElement);
      expect(button).toHaveAccessibleName(one);
      localStorage.clear();
      cleanup();
    }
  });
  row('9-notice-one', 'one of months ago has no line of its own, only the button', async () => {
    customerApi([], { 'GET /sustainable/notices': [notice('a', { publication_date_time: '2026-01-01T00:00:00+01:00' })] });
    show(<Notices page="/usage" />);
    await userEvent.click(await screen.findByRole('button', { name: '1 earlier notice' }));
    expect(texts()).toEqual(['Mededeling a']);
  });
  row('2.1-notices-place', 'can be dismissed one by one, and stay dismissed on this device', async () => {
    customerApi([], { 'GET /sustainable/notices': currentNotices });
    const { unmount } = show(<Notices page="/usage" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Close: Mededeling a' }));
    expect(texts()).toEqual(['Mededeling b']);
    unmount();
    const second = show(<Notices page="/usage" />);
    await screen.findByText('Mededeling b');
    expect(texts()).toEqual(['Mededeling b']);
    await userEvent.click(screen.getByRole('button', { name: 'Close: Mededeling b' }));
    expect(screen.queryByRole('region')).toBeNull();
    second.unmount();
    // on another device, or on this one after its storage was cleared
    localStorage.clear();
    show(<Notices page="/usage" />);
    await openAll();
    expect(texts()).toEqual(['Mededeling a', 'Mededeling b']);
  });
  test('dismissing in another tab dismisses them here', async () => {
    customerApi([], { 'GET /sustainable/notices': currentNotices });
    show(<Notices page="/usage" />);
    await openAll();
    expect(texts()).toEqual(['Mededeling a', 'Mededeling b']);
    localStorage.setItem('wattle:notices:dismissed', '["b"]');
    window.dispatchEvent(new StorageEvent('storage', { key: 'wattle:notices:dismissed' }));
    await waitFor(() => expect(texts()).toEqual(['Mededeling a']));
  });
  test('that cannot be loaded do not affect the page', async () => {
    const api = customerApi([], { 'GET /sustainable/notices': refuse(400, 'invalid') });
    const { container } = show(<Notices page="/usage" />);
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(container).toHaveTextContent(/^$/);
  });
});

row(
  ['2.1-notifications-labels', '2.5-notifications-unread', '2.1-account-messages-section', '2.4-unsubscribe-page'],
  'all but notices exists on labels with notifications only',
  () => {
    const { routes = [], menu = [], overlays = [], slots = {} }: Remote = remote;
    const { notice: notices = [], ...others } = slots;
    expect(Object.keys(others)).toEqual(['header', 'account']);
    for (const part of [...routes, ...menu, ...overlays, ...Object.values(others).flat()])
      expect(part.needs, JSON.stringify(part)).toEqual({ setting: 'inbox' });
    expect(notices.map((n) => n.needs)).toEqual([{ pages: 'notice_pages' }]);
    expect(routes.map((r) => [r.path, r.access])).toEqual([
      ['/notifications', undefined],
      ['/unsubscribe', 'public'],
      ['/staff/notifications', 'staff'],
      ['/staff/notifications/new', 'staff'],
    ]);
  },
);

describe('the bell', () => {
  row('2.5-notifications-unread', 'counts one less once a message was opened', async () => {
    const api = customerApi([notification('1'), notification('2')]);
    show(
      <>
        <Unread />
        <NotificationsPage />
      </>,
    );
    expect(await screen.findByRole('link', { name: 'Messages: 2 unread' })).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Bericht 2' }));
    expect(await screen.findByRole('link', { name: 'Messages: 1 unread' })).toBeVisible();
    expect(api.calls.filter((c) => c.method === 'POST').map((c) => c.path)).toEqual(['/sustainable/notifications/2/read']);
  });
  row('2.5-notifications-unread', 'shows the number of unread messages and links to them', async () => {
    customerApi([notification('1'), notification('2'), notification('3', { read: true })]);
    show(<Unread />);
    const bell = await screen.findByRole('link', { name: 'Messages: 2 unread' });
    expect(bell).toHaveAttribute('href', '/notifications');
    expect(within(bell).getByText('2')).toHaveAttribute('aria-hidden', 'true');
  });
  row('2.5-notifications-unread', 'has no number when all are read', async () => {
    const api = customerApi([notification('3', { read: true })]);
    show(<Unread />, { locale: 'nl' });
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(screen.getByRole('link', { name: 'Berichten' })).toHaveTextContent(/^Berichten$/);
  });
});
