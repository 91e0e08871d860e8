import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import AccountPage from './account-page';
import type { SignedInSession } from './api';
import remote from './remote';
import SessionsPage from './sessions-page';
import { customerApi, opened, show } from './testing';

afterEach(cleanup);

const here: SignedInSession = {
  id: 's1',
  browser: 'Firefox',
  platform: 'Linux',
  network: '203.0.113.0/24',
  began: '2026-11-20T08:00:00Z',
  used: '2026-11-20T09:00:00Z',
  current: true,
};
const phone: SignedInSession = {
  ...here,
  id: 's2',
  browser: 'Safari',
  platform: 'iPhone',
  network: '2001:db8:1234::/48',
  used: '2026-11-19T21:30:00Z',
  current: false,
};
const before: SignedInSession = { id: 's3', began: '2026-11-01T08:00:00Z', used: '2026-11-18T08:00:00Z', current: false };

const section = () => opened(/Where you are signed in|Waar je bent ingelogd/);
const places = async () =>
  (await within(await section()).findAllByRole('listitem')).map((i) => i.textContent.replaceAll(/\s+/g, ' ').trim());

row('2.1-sessions-section', 'shows device, shortened network and last use, in both languages', async () => {
  customerApi({ 'GET /auth/sessions': [here, phone, before] });
  show(<AccountPage />);
  expect(await places()).toEqual([
    'Firefox on Linux This deviceLast used on 20-11-2026 at 10:00 · IP address that begins with 203.0.113',
    'Safari on iPhone Last used on 19-11-2026 at 22:30 · IP address that begins with 2001:db8:1234Sign out there',
    'Unknown device Last used on 18-11-2026 at 09:00Sign out there',
  ]);
  cleanup();
  show(<AccountPage />, { locale: 'nl' });
  expect(await places()).toEqual([
    'Firefox op Linux Dit apparaatLaatst gebruikt op 20-11-2026 om 10:00 · IP-adres dat begint met 203.0.113',
    'Safari op iPhone Laatst gebruikt op 19-11-2026 om 22:30 · IP-adres dat begint met 2001:db8:1234Daar uitloggen',
    'Onbekend apparaat Laatst gebruikt op 18-11-2026 om 09:00Daar uitloggen',
  ]);
});

row('2.1-sessions-section', 'staff have the same list at /staff/signed-in', async () => {
  const route = remote.routes?.find((r) => r.path === '/staff/signed-in');
  expect([route?.access, (await route?.page())?.default]).toEqual(['staff', SessionsPage]);
  customerApi({ 'GET /auth/sessions': [here, phone] });
  show(<SessionsPage />);
  expect(await places()).toHaveLength(2);
});

row('2.1-sessions-section', 'signs out one session or all others, with a notice', async () => {
  let rows = [here, phone, before];
  const api = customerApi({
    'GET /auth/sessions': () => rows,
    'DELETE /auth/sessions/{id}': ({ params }: { params: Record<string, string> }) => {
      rows = rows.filter((r) => r.id !== params.id);
    },
    'POST /auth/sign-out-elsewhere': () => {
      rows = [here];
    },
  });
  const notified = vi.fn();
  show(<SessionsPage />, { onNotify: notified }); // the page for staff
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out there: Safari on iPhone' }));
  await expect.poll(() => notified.mock.lastCall?.[0].text).toBe('You are signed out there.');
  await expect.poll(places).toHaveLength(2);
  expect(api.calls.some((c) => c.method === 'DELETE' && c.path === '/auth/sessions/s2')).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
  await expect.poll(() => notified.mock.lastCall?.[0].text).toBe('You are signed out everywhere else.');
  await expect.poll(places).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull();
});

row('2.1-sessions-section', 'an impersonator sees the sessions and cannot sign them out', async () => {
  customerApi({ 'GET /auth/sessions': [phone] });
  show(<AccountPage />, {
    portal: {
      session: {
        id: 'x',
        role: 'customer',
        name: 'F.A. de Boer',
        username: 'impersonator_sam',
        impersonator: { name: 'Sam', until: '2026-11-20T10:30:00Z' },
      },
    },
    operations: { 'core.endOtherSessions': { access: 'customer', effect: 'write' } },
  } as never);
  const end = await within(await section()).findByRole('button', { name: /Sign out there/ });
  expect(end).toHaveAttribute('aria-disabled', 'true');
});

row('2.1-sessions-section', 'a list that cannot be loaded offers a retry', async () => {
  const api = customerApi({ 'GET /auth/sessions': refuse(503, 'unavailable') });
  show(<SessionsPage />);
  const again = await within(await section()).findByRole('button', { name: 'Try again' });
  api.answers['GET /auth/sessions'] = [here];
  await userEvent.click(again);
  expect(await places()).toHaveLength(1);
});
