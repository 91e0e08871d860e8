import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Remote, useLocation } from '@wattle/sdk';
import { type FakeApi, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { StrictMode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import PendingPage from './pending-page';
import ReactivateView from './reactivate-view';
import { stateOf } from './reactivation.rules';
import ReactivationPage from './reactivation-page';
import RegisterPage from './register-page';
import remote from './remote';
import { field, fill, show, visitorApi } from './testing';

const posts = (api: FakeApi) => api.calls.map((c) => [`${c.method} ${c.path}`, c.body]);
const open = (props = {}) =>
  show(
    <StrictMode>
      <Page />
    </StrictMode>,
    { at: '/reactivation/t0ken', route: '/:page/:token?', ...props },
  );
const Page = () => useLocation().pathname.startsWith('/reactivation') && <ReactivationPage />;
const title = () => screen.findByRole('heading', { level: 1 });

row('4-reactivation-state-mapping', 'the states are loading, reactivated, already and failed', () => {
  expect([undefined, 200, 412, 404, 410, 429, 500, 0].map(stateOf)).toEqual([
    'loading',
    'reactivated',
    'already',
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
  ]);
});

describe('reactivation page', () => {
  row(
    [
      '2.4-reactivation-page',
      '2.4-reactivation-address-reconcile',
      '7.5-reactivate-finish-reconcile',
      '4-reactivation-state-mapping',
    ],
    'sends the last segment once, on load',
    async () => {
      let answer: (value: unknown) => void = () => undefined;
      const api = visitorApi({
        'POST /reactivate/finish/{token}': () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      });
      open();
      expect(await screen.findByText('One moment, we are checking the link.')).toBeVisible();
      await waitFor(() => expect(posts(api)).toEqual([['POST /reactivate/finish/t0ken', undefined]]));
      answer({ reactivated: true });
      expect(await screen.findByText('Your account is active again')).toBeVisible();
      expect(screen.getByRole('link', { name: 'To sign in' })).toHaveAttribute('href', '/');
      expect(api.calls).toHaveLength(1);
      expect(screen.queryByRole('textbox')).toBeNull(); // no address form without a 404
    },
  );

  row(
    ['2.4-reactivation-page', '2.4-pending-page', '1-register-label'],
    'the pages exist without a login, in every label',
    async () => {
      const pages = ((remote as Remote).routes ?? []).map(async ({ path, access, needs, page }) => [
        path,
        access,
        needs,
        (await page()).default,
      ]);
      expect(await Promise.all(pages)).toEqual([
        ['/register', 'public', undefined, RegisterPage],
        ['/pending-page', 'public', undefined, PendingPage],
        ['/reactivation/:token', 'public', undefined, ReactivationPage],
      ]);
    },
  );

  row('4-reactivation-state-mapping', '412 means already reactivated, not a failure', async () => {
    const notify = vi.fn();
    visitorApi({ 'POST /reactivate/finish/{token}': refuse(412, 'onboarding.already_reactivated') });
    open({ onNotify: notify });
    expect(await title()).toHaveTextContent('Reactivate your account');
    expect(await screen.findByText('Your account was already active again')).toBeVisible();
    expect(notify).not.toHaveBeenCalled();
  });

  row(
    ['8-reactivation-failed', '4-reactivation-state-mapping'],
    'a failure is shown on the page, with a toast at the top',
    async () => {
      for (const [status, retries] of [
        [410, 0], // a retry would not help
        [400, 0],
        [429, 1],
        [500, 1],
        [503, 1],
      ] as const) {
        const notify = vi.fn();
        visitorApi({ 'POST /reactivate/finish/{token}': refuse(status, 'onboarding.token_invalid') });
        const { unmount } = open({ onNotify: notify });
        expect(await screen.findByText('We could not reactivate your account'), `${status}`).toBeVisible();
        expect(notify.mock.calls, `${status}`).toEqual([
          [{ kind: 'alert', tone: 'bad', at: 'top', text: 'Your account has not been reactivated.' }],
        ]);
        expect(screen.queryAllByRole('button', { name: 'Try again' }), `${status}`).toHaveLength(retries);
        unmount();
      }
    },
  );

  test('without a response the link stays valid and can be retried', async () => {
    const api = visitorApi({ 'POST /reactivate/finish/{token}': refuse(503, 'unavailable') });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(api.calls).toHaveLength(2));
    api.answers['POST /reactivate/finish/{token}'] = { reactivated: true };
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Your account is active again')).toBeVisible();
  });

  const address = ['Postal code', 'Number', /^Extension/] as const;
  row(
    [
      '8-reactivation-404',
      '8-reactivation-failed',
      '2.4-reactivation-address',
      '2.4-reactivation-address-reconcile',
      '7.3-two-lookups-reconcile',
    ],
    '404: the address fields show the message, are sent with the token, and lead to the pending page',
    async () => {
      const notify = vi.fn();
      const api = visitorApi({ 'POST /reactivate/finish/{token}': refuse(404, 'onboarding.address_unknown') });
      api.answers['POST /reactivate/begin'] = refuse(404, 'onboarding.address_unknown');
      open({ onNotify: notify });
      for (const label of address) expect(await field(label)).toHaveAccessibleDescription(/Invalid address/);
      expect(notify).toHaveBeenCalledTimes(1);
      await fill('Postal code', '9861 gt');
      await fill('Number', '12');
      await screen.findByText('Molenweg 12');
      for (const label of address) expect(await field(label)).not.toHaveAttribute('aria-invalid');
      await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
      // the address exists, but is not the customer's
      for (const label of address) await waitFor(async () => expect(await field(label)).toHaveAttribute('aria-invalid', 'true'));
      expect(notify).toHaveBeenCalledTimes(2);
      expect(await field('Postal code')).toHaveValue('9861 gt');
      api.answers['POST /reactivate/begin'] = () => new Response(null, { status: 202 });
      await fill('Number', '13');
      await fill('Number', '12');
      await fill(/^Extension/, 'A');
      api.answers['POST /lambda/address-validation/postcode'] = {
        street: 'Molenweg',
        houseNumber: '12',
        houseNumberAddition: 'A',
        city: 'Grootegast',
        postcode: '9861GT',
      };
      await fill(/^Extension/, 'B');
      await screen.findByText('Molenweg 12 A');
      const looked = api.calls.filter((c) => /address/.test(c.path)).map((c) => `${c.method} ${c.path}`);
      expect(new Set(looked)).toEqual(new Set(['POST /lambda/address-validation/postcode']));
      await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
      await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent('/pending-page'));
      expect(posts(api).filter(([path]) => path === 'POST /reactivate/begin')).toEqual([
        [
          'POST /reactivate/begin',
          { token: 't0ken', labelKey: '9999', zip_code: '9861GT', house_number: '12', house_number_extension: '' },
        ],
        [
          'POST /reactivate/begin',
          { token: 't0ken', labelKey: '9999', zip_code: '9861GT', house_number: '12', house_number_extension: 'B' },
        ],
      ]);
    },
  );

  test('the address page shows that the link was used meanwhile', async () => {
    visitorApi({
      'POST /reactivate/finish/{token}': refuse(404, 'onboarding.address_unknown'),
      'POST /reactivate/begin': refuse(412, 'onboarding.already_reactivated'),
    });
    open();
    await fill('Postal code', '9861GT');
    await fill('Number', '12');
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Your account was already active again')).toBeVisible();
  });
});

row(['2.4-pending-page', '4-access-approval'], 'shows a pending text and the provider’s contact details', async () => {
  visitorApi();
  show(<PendingPage />, { at: '/pending-page' });
  expect(screen.getByRole('heading', { level: 1, name: 'We have received your request' })).toBeVisible();
  expect(
    screen.getByText(/Then we look at your request, usually within 2 working days, and email you your login details\./),
  ).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Any questions? Ask Noorderwind' })).toBeVisible();
  expect(screen.getByRole('link', { name: '050 123 45 67' })).toHaveAttribute('href', 'tel:0501234567');
  expect(screen.getByRole('link', { name: 'klantenservice@noorderwind.example' })).toHaveAttribute(
    'href',
    'mailto:klantenservice@noorderwind.example',
  );
});

describe('reactivate account, in the sign-in screen', () => {
  const send = () => screen.getByRole('button', { name: 'Send link' });

  row(
    ['2.4-reactivate-screen', '7.5-reactivate-begin'],
    'sends the label, then shows a message in place of the button',
    async () => {
      const api = visitorApi();
      show(<ReactivateView />, { at: '/' });
      await fill('Email address', ' fenna@voorbeeld.example ');
      await userEvent.click(send());
      expect(await screen.findByText('Look in your mailbox')).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Send link' })).toBeNull();
      expect(posts(api)).toEqual([['POST /reactivate/begin', { email: 'fenna@voorbeeld.example', labelKey: '9999' }]]);
      await userEvent.type(await field('Email address'), '{Enter}'); // pressing Enter again sends nothing
      expect(api.calls).toHaveLength(1);
    },
  );

  row('5.10-reactivation-email', 'an invalid address shows the message and keeps the button disabled', async () => {
    const api = visitorApi();
    show(<ReactivateView />, { at: '/' });
    expect(send()).toHaveAttribute('aria-disabled', 'true');
    await fill('Email address', 'fenna@voorbeeld');
    expect(await field('Email address')).toHaveAccessibleDescription(/Invalid email address/);
    expect(send()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(send());
    expect(api.calls).toEqual([]);
    await fill('Email address', 'fenna@voorbeeld.example');
    expect(await field('Email address')).not.toHaveAccessibleDescription(/Invalid email address/);
    expect(send()).not.toHaveAttribute('aria-disabled');
  });

  row('5.10-reactivation-waiting', 'the button is disabled while a request is running', async () => {
    let answer: (value: Response) => void = () => undefined;
    const api = visitorApi({
      'POST /reactivate/begin': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    show(<ReactivateView />, { at: '/' });
    await fill('Email address', 'fenna@voorbeeld.example');
    await userEvent.click(send());
    await waitFor(() => expect(send()).toBeDisabled());
    await userEvent.click(send());
    expect(api.calls).toHaveLength(1);
    answer(new Response(null, { status: 202 }));
    expect(await screen.findByText('Look in your mailbox')).toBeVisible();
  });

  test('a failed request shows an error and can be sent again', async () => {
    const api = visitorApi({ 'POST /reactivate/begin': refuse(429, 'too_many_calls') });
    show(<ReactivateView />, { at: '/' });
    await fill('Email address', 'fenna@voorbeeld.example');
    await userEvent.click(send());
    expect(await screen.findByText('That went rather fast.')).toBeVisible();
    api.answers['POST /reactivate/begin'] = () => new Response(null, { status: 202 });
    await userEvent.click(send());
    expect(await screen.findByText('Look in your mailbox')).toBeVisible();
  });
});
