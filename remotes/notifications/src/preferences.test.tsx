import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { type FakeRequest, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test, vi } from 'vitest';
import AccountPreferences from './account-preferences';
import Preferences from './preferences';
import PreferencesSummary from './preferences-summary';
import remote from './remote';
import { customerApi, impersonated, preferences, show } from './testing';
import UnsubscribePage from './unsubscribe-page';

const group = (name: string) => screen.getByRole('group', { name });
const box = (kind: string, way: string) => within(group(kind)).getByRole('checkbox', { name: way });

describe('preferences', () => {
  row('2.3-overlay-message-preferences', 'is an overlay of the messages', async () => {
    const overlays = (remote.overlays ?? []).map(async ({ name, parent, view }) => [name, parent, (await view()).default]);
    expect(await Promise.all(overlays)).toEqual([['message-preferences', '/notifications', Preferences]]);
  });
  row('2.3-overlay-message-preferences', 'optional kinds have two switches, fixed ones explain why they have none', async () => {
    customerApi([]);
    show(<Preferences params={{}} close={() => undefined} setDirty={() => undefined} />);
    await screen.findByRole('group', { name: 'Projects' });
    expect(screen.getAllByRole('group').map((g) => g.querySelector('legend')?.textContent)).toEqual([
      'Projects',
      'News',
      'Market',
    ]);
    expect(box('News', 'In the portal')).toBeChecked();
    expect(box('News', 'By email')).not.toBeChecked();
    const always = screen.getByRole('heading', { name: 'You always get these' }).parentElement as HTMLElement;
    expect(
      within(always)
        .getAllByRole('listitem')
        .map((li) => li.textContent),
    ).toEqual([
      'SecurityYou always hear of what happens with your account.',
      'ContractWe have to tell you when something changes in your contract.',
      'PaymentsSo that you know what to pay and when.',
    ]);
    expect(within(always).queryByRole('checkbox')).toBeNull();
  });
  row('2.3-overlay-message-preferences', 'the choice is saved, with a notice', async () => {
    const notified = vi.fn();
    const close = vi.fn();
    const api = customerApi([], { 'PUT /sustainable/notifications/preferences': ({ body }: FakeRequest) => body });
    show(<Preferences params={{}} close={close} setDirty={() => undefined} />, { onNotify: notified });
    await screen.findByRole('group', { name: 'News' });
    expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(box('News', 'By email'));
    await userEvent.click(box('Projects', 'In the portal'));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(notified).toHaveBeenCalledWith({ kind: 'notice', tone: 'good', text: 'Your choice has been saved.' });
    expect(api.calls.find((c) => c.method === 'PUT')?.body).toEqual({
      kinds: preferences().map((p) =>
        p.kind === 'news' ? { ...p, mail: true } : p.kind === 'project' ? { ...p, portal: false } : p,
      ),
    });
  });
  test('a choice that could not be saved stays on screen with an error', async () => {
    customerApi([], { 'PUT /sustainable/notifications/preferences': refuse(503, 'unavailable') });
    show(<Preferences params={{}} close={() => undefined} setDirty={() => undefined} />);
    await screen.findByRole('group', { name: 'News' });
    await userEvent.click(box('News', 'By email'));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Your choice has not been saved')).toBeInTheDocument();
    expect(box('News', 'By email')).toBeChecked();
  });
  test('an impersonator cannot choose and reads why', async () => {
    customerApi([]);
    show(<Preferences params={{}} close={() => undefined} setDirty={() => undefined} />, impersonated);
    await screen.findByRole('group', { name: 'News' });
    await userEvent.click(box('News', 'By email'));
    expect(box('News', 'By email')).not.toBeChecked();
    expect(within(group('News')).getAllByText('You are only viewing this portal, so you cannot change anything.')).toHaveLength(
      2,
    );
  });
  row('9-account-sections', 'closed the section says which optional kinds come by email', async () => {
    customerApi([]);
    show(<PreferencesSummary />, { at: '/account' });
    expect(await screen.findByText('By email: Projects')).toBeVisible();
    cleanup();
    customerApi([], {
      'GET /sustainable/notifications/preferences': { kinds: preferences().map((p) => ({ ...p, mail: p.fixed })) },
    });
    show(<PreferencesSummary />, { at: '/account', locale: 'nl' });
    expect(await screen.findByText('Per e-mail alleen wat altijd komt')).toBeVisible();
  });
  row(
    '2.1-account-messages-section',
    'the account page shows the channels of each kind, and leads to the preferences',
    async () => {
      const kinds = preferences().map((p) => (p.kind === 'project' ? { ...p, portal: false } : p));
      customerApi([], { 'GET /sustainable/notifications/preferences': { kinds } });
      const Where = () => <output>{useLocation().pathname}</output>;
      const page = (
        <>
          <Where />
          <AccountPreferences />
        </>
      );
      const { unmount } = show(page, { at: '/account', route: '*' });
      await screen.findByText('News');
      expect(document.querySelector('dl > div')).toHaveTextContent(/^ProjectsBy email$/);
      unmount();
      customerApi([]);
      show(page, { at: '/account', route: '*' });
      await screen.findByText('News');
      const facts = [...document.querySelectorAll('dl > div')].map((d) => d.textContent);
      expect(facts).toEqual([
        'ProjectsIn the portal and by email',
        'NewsIn the portal',
        'MarketNot',
        'SecurityAlways, in the portal and by email',
        'ContractAlways, in the portal and by email',
        'PaymentsAlways, in the portal and by email',
      ]);
      await userEvent.click(screen.getByRole('button', { name: 'Choose what you get' }));
      expect(screen.getByRole('status')).toHaveTextContent('/account/message-preferences');
    },
  );
});

describe('the link in a mail', () => {
  const at = '/unsubscribe?token=T-1';
  const visitor = { portal: { session: null } };
  const link = { kind: 'news', label: 'Noorderwind', done: false };
  row(
    '2.4-unsubscribe-page',
    'opening it changes nothing; the button unsubscribes, and the page shows from what and how to undo it',
    async () => {
      const api = customerApi([], {
        'GET /notifications/unsubscribe/{token}': link,
        'POST /notifications/unsubscribe/{token}': undefined,
      });
      show(<UnsubscribePage />, { at, ...visitor });
      expect(await screen.findByText('Noorderwind', { exact: false })).toHaveTextContent(
        'no more email of Noorderwind about: News?',
      );
      expect(api.calls.map((c) => `${c.method} ${c.params.token}`)).toEqual(['GET T-1']);
      await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
      expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeInTheDocument();
      expect(screen.getByText('News')).toBeInTheDocument();
      expect(screen.getByRole('link', { name: 'Choose what you get' })).toHaveAttribute(
        'href',
        '/notifications/message-preferences',
      );
      expect(api.calls.map((c) => `${c.method} ${c.params.token}`)).toEqual(['GET T-1', 'POST T-1']);
    },
  );
  row('2.4-unsubscribe-page', 'an unknown and a missing link show an error', async () => {
    const api = customerApi([], { 'GET /notifications/unsubscribe/{token}': refuse(404, 'notifications.link_unknown') });
    const { unmount } = show(<UnsubscribePage />, { at, ...visitor });
    expect(await screen.findByRole('heading', { name: 'We do not know this link' })).toBeInTheDocument();
    expect(screen.getByText(/Nothing has changed/)).toBeInTheDocument();
    unmount();
    show(<UnsubscribePage />, { at: '/unsubscribe', ...visitor });
    expect(await screen.findByRole('heading', { name: 'We do not know this link' })).toBeInTheDocument();
    expect(api.calls).toHaveLength(1);
  });
  test('a second use shows that it was done before', async () => {
    customerApi([], { 'GET /notifications/unsubscribe/{token}': { ...link, done: true } });
    show(<UnsubscribePage />, { at, ...visitor });
    expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeInTheDocument();
  });
  test('failures offer a retry, before and after the button', async () => {
    const api = customerApi([], { 'GET /notifications/unsubscribe/{token}': refuse(503, 'unavailable') });
    show(<UnsubscribePage />, { at, ...visitor });
    const again = await screen.findByRole('button', { name: 'Try again' });
    Object.assign(api.answers, {
      'GET /notifications/unsubscribe/{token}': link,
      'POST /notifications/unsubscribe/{token}': refuse(503, 'unavailable'),
    });
    await userEvent.click(again);
    await userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByText('That did not work')).toBeInTheDocument();
    api.answers['POST /notifications/unsubscribe/{token}'] = undefined;
    await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeInTheDocument();
  });
});
