import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeRequest, fakeApi, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test, vi } from 'vitest';
import type { SentMessage } from './api';
import ComposePage from './compose-page';
import StaffPage from './staff-page';
import { show, staff } from './testing';

const written = (id: string, more: Partial<SentMessage> = {}): SentMessage => ({
  id,
  state: 'sent',
  kind: 'news',
  title: { nl: `Nieuws ${id}`, en: `News ${id}` },
  message: { nl: '<p>Dag</p>', en: '<p>Hi</p>' },
  preview: { nl: 'Dag', en: 'Hi' },
  audience: { kind: 'all' },
  publish_at: '2026-11-25T09:00:00+01:00',
  created: '2026-11-20T09:00:00+01:00',
  imported: false,
  mail: false,
  recipients: 1234,
  mails: 0,
  read: 56,
  ...more,
});
const compose = { ...staff, at: '/staff/notifications/new' };

/** A fake staff API that counts recipients and accepts messages. */
function staffApi(more: Record<string, unknown> = {}) {
  return fakeApi({
    'GET /staff/notifications': { items: [] },
    'POST /staff/notifications/preview': ({ body }: FakeRequest) => ({
      ...(body as object),
      preview: { nl: '', en: '' },
      recipients: 1312,
      mails: 280,
    }),
    'POST /staff/notifications': ({ body }: FakeRequest) => ({ ...written('new'), ...(body as object) }),
    ...more,
  });
}
const part = (language: 'Dutch' | 'English') => within(screen.getByRole('region', { name: language }));
async function write(more: { message?: string } = {}) {
  await userEvent.selectOptions(screen.getByLabelText('About'), 'News');
  await userEvent.type(part('Dutch').getByLabelText('Title'), 'Windpark draait');
  await userEvent.type(part('Dutch').getByLabelText('Message'), more.message ?? 'Het **waait**.');
  await userEvent.type(part('English').getByLabelText('Title'), 'Wind farm runs');
  await userEvent.type(part('English').getByLabelText('Message'), 'It blows.');
}
const dialog = () => screen.findByRole('alertdialog');
/** Returns the confirmation dialog once it shows the number of recipients, for which its button waits. */
async function counted(): Promise<HTMLElement> {
  const asked = await dialog();
  await waitFor(() => expect(asked).toHaveTextContent(/gets? this message/));
  return asked;
}

describe('writing to customers', () => {
  row('6-staff-notifications-compose', 'both languages have a preview while they are typed', async () => {
    staffApi();
    show(<ComposePage />, compose);
    await userEvent.type(part('Dutch').getByLabelText('Title'), 'Windpark draait');
    await userEvent.type(part('Dutch').getByLabelText('Message'), 'Het **waait**.<img src=x onerror=alert(1)>');
    await userEvent.type(part('English').getByLabelText('Message'), '- one{enter}- two');
    const seen = (l: 'Dutch' | 'English') => part(l).getByRole('article');
    await waitFor(() => expect(seen('Dutch').querySelector('strong')).toHaveTextContent('waait'));
    expect(within(seen('Dutch')).getByRole('heading')).toHaveTextContent('Windpark draait');
    expect(seen('Dutch')).toHaveAttribute('lang', 'nl');
    await waitFor(() =>
      expect(
        within(seen('English'))
          .getAllByRole('listitem')
          .map((li) => li.textContent),
      ).toEqual(['one', 'two']),
    );
    expect(document.querySelector('img')).toBeNull();
  });

  row(
    '6-staff-notifications-compose',
    'the number of recipients is shown before sending, which asks for confirmation',
    async () => {
      const api = staffApi();
      const notified = vi.fn();
      show(<ComposePage />, { ...compose, onNotify: notified });
      await write();
      expect(await screen.findByText('1.312 customers')).toBeInTheDocument();
      await userEvent.click(screen.getByRole('checkbox', { name: 'Send it by email too' }));
      expect(screen.getByRole('status')).toHaveTextContent('1.312 customers get this message, 280 of them by email too.');
      await userEvent.click(screen.getByRole('button', { name: 'Send' }));
      const sure = await counted();
      expect(sure).toHaveTextContent('Send this message now?');
      expect(sure).toHaveTextContent('1.312 customers');
      expect(api.calls.some((c) => c.path === '/staff/notifications')).toBe(false);
      await userEvent.click(within(sure).getByRole('button', { name: 'Send' }));
      await waitFor(() =>
        expect(notified).toHaveBeenCalledWith({ kind: 'notice', tone: 'good', text: 'The message has been sent.' }),
      );
      const sent = api.calls.filter((c) => c.path === '/staff/notifications').map((c) => c.body);
      expect(sent).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          kind: 'news',
          title: { nl: 'Windpark draait', en: 'Wind farm runs' },
          message: { nl: '<p>Het <strong>waait</strong>.</p>', en: '<p>It blows.</p>' },
          audience: { kind: 'all' },
          publish_at: null,
          mail: true,
        },
      ]);
    },
  );

  row('6-staff-notifications-compose', 'can be planned for a moment in the label’s zone, to a selection', async () => {
    const api = staffApi();
    show(<ComposePage />, compose);
    await write();
    await userEvent.click(screen.getByRole('radio', { name: 'A number of customers' }));
    await userEvent.type(screen.getByLabelText('Customer numbers'), '1002, 1001');
    await userEvent.click(screen.getByRole('radio', { name: 'Planned' }));
    await userEvent.type(screen.getByLabelText('Date'), '25-11-2026');
    await userEvent.clear(screen.getByLabelText('Time'));
    await userEvent.type(screen.getByLabelText('Time'), '8:30');
    await userEvent.click(screen.getByRole('button', { name: 'Plan' }));
    const sure = await counted();
    expect(sure).toHaveTextContent('On 25-11-2026 at 08:30.');
    expect(sure).toHaveTextContent('1.312 customers');
    await userEvent.click(within(sure).getByRole('button', { name: 'Plan' }));
    await waitFor(() =>
      expect(api.calls.find((c) => c.path === '/staff/notifications')?.body).toMatchObject({
        publish_at: '2026-11-25T07:30:00.000Z',
        audience: { kind: 'selection', relations: ['1001', '1002'] },
      }),
    );
  });

  row('6-staff-notifications-refused', 'missing values show an error at their field, and nothing is sent', async () => {
    const api = staffApi();
    show(<ComposePage />, compose);
    await userEvent.click(screen.getByRole('radio', { name: 'Participants of a project' }));
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    for (const [field, said] of [
      [screen.getByLabelText('About'), 'Choose what the message is about.'],
      [screen.getByLabelText('Code of the project'), 'Enter the code of the project.'],
      [part('Dutch').getByLabelText('Title'), 'Write a Dutch title.'],
      [part('Dutch').getByLabelText('Message'), 'Write the message in Dutch.'],
      [part('English').getByLabelText('Title'), 'Write an English title.'],
      [part('English').getByLabelText('Message'), 'Write the message in English.'],
    ] as const)
      expect(field).toHaveAccessibleDescription(expect.stringContaining(said));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(api.calls).toEqual([]);
  });

  row('6-staff-notifications-refused', 'errors of the server are at their field, and no input is lost', async () => {
    const errors = [
      { field: 'message.nl', code: 'notifications.message_empty' },
      { field: 'audience.relations.1', code: 'notifications.unknown_customer' },
      { field: 'audience.relations.2', code: 'notifications.unknown_customer' },
      { field: 'publish_at', code: 'notifications.date_passed' },
    ];
    const api = staffApi({ 'POST /staff/notifications': refuse(400, 'invalid', errors) });
    show(<ComposePage />, compose);
    await write();
    await userEvent.click(screen.getByRole('radio', { name: 'A number of customers' }));
    await userEvent.type(screen.getByLabelText('Customer numbers'), '30,20,10');
    await userEvent.click(screen.getByRole('radio', { name: 'Planned' }));
    await userEvent.type(screen.getByLabelText('Date'), '20-11-2026');
    await userEvent.clear(screen.getByLabelText('Time'));
    await userEvent.type(screen.getByLabelText('Time'), '11:30');
    await userEvent.click(screen.getByRole('button', { name: 'Plan' }));
    await userEvent.click(within(await counted()).getByRole('button', { name: 'Plan' }));
    await waitFor(() => expect(part('Dutch').getByLabelText('Message')).toHaveAccessibleDescription(/Nothing is left/));
    expect(screen.getByLabelText('Customer numbers')).toHaveAccessibleDescription(
      /We do not know these customer numbers: 20, 30/,
    );
    expect(screen.getByLabelText('Date')).toHaveAccessibleDescription(/This moment has passed/);
    expect(part('Dutch').getByLabelText('Message')).toHaveValue('Het **waait**.');
    expect(part('English').getByLabelText('Title')).toHaveValue('Wind farm runs');
    // a retry sends the same message id
    api.answers['POST /staff/notifications'] = written('new');
    await userEvent.type(part('Dutch').getByLabelText('Message'), '!');
    await userEvent.type(screen.getByLabelText('Customer numbers'), ' 40');
    await userEvent.clear(screen.getByLabelText('Date'));
    await userEvent.type(screen.getByLabelText('Date'), '21-11-2026');
    await userEvent.click(screen.getByRole('button', { name: 'Plan' }));
    await userEvent.click(within(await counted()).getByRole('button', { name: 'Plan' }));
    const ids = () => api.calls.filter((c) => c.path === '/staff/notifications').map((c) => (c.body as { id: string }).id);
    await waitFor(() => expect(ids()).toHaveLength(2));
    expect(new Set(ids()).size).toBe(1);
  });

  row('6-staff-notifications-refused', 'an outage shows an error; it and leaving the page keep the input', async () => {
    const api = staffApi({ 'POST /staff/notifications': refuse(503, 'unavailable') });
    const { unmount } = show(<ComposePage />, compose);
    await write();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await userEvent.click(within(await counted()).getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('The message has not been sent')).toBeInTheDocument();
    const kept = () => [
      (screen.getByLabelText('About') as HTMLSelectElement).value,
      ...(['Dutch', 'English'] as const).flatMap((l) =>
        ['Title', 'Message'].map((name) => (part(l).getByLabelText(name) as HTMLInputElement).value),
      ),
    ];
    const whole = ['news', 'Windpark draait', 'Het **waait**.', 'Wind farm runs', 'It blows.'];
    expect(kept()).toEqual(whole);
    unmount();
    const second = show(<ComposePage />, compose);
    expect(kept()).toEqual(whole);
    // the second attempt sends the same message, which the server accepts only once
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await userEvent.click(within(await counted()).getByRole('button', { name: 'Send' }));
    const bodies = () => api.calls.filter((c) => c.path === '/staff/notifications').map((c) => c.body);
    await waitFor(() => expect(bodies()).toHaveLength(2));
    expect(bodies()[1]).toEqual(bodies()[0]);
    second.unmount();
    show(<ComposePage />, compose);
    await userEvent.click(screen.getByRole('button', { name: 'Begin again' }));
    expect(part('Dutch').getByLabelText('Title')).toHaveValue('');
    expect(sessionStorage).toHaveLength(0);
  });

  row('6-staff-notifications-compose', 'nothing is sent while the recipients cannot be counted', async () => {
    const api = staffApi({ 'POST /staff/notifications/preview': refuse(500, 'unavailable') });
    show(<ComposePage />, compose);
    await write();
    expect(await screen.findByText('We cannot count who would get it right now.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    api.answers['POST /staff/notifications/preview'] = { recipients: 2, mails: 1 };
    await userEvent.click(screen.getByRole('button', { name: 'Count again' }));
    expect(await screen.findByText('2 customers')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(await counted()).toHaveTextContent('2 customers');
  });

  test('an unknown project shows an error before anything is sent', async () => {
    staffApi({
      'POST /staff/notifications/preview': refuse(400, 'invalid', [
        { field: 'audience.project', code: 'notifications.unknown_project' },
      ]),
    });
    show(<ComposePage />, compose);
    await write();
    await userEvent.click(screen.getByRole('radio', { name: 'Participants of a project' }));
    await userEvent.type(screen.getByLabelText('Code of the project'), 'NOPE');
    await waitFor(() =>
      expect(screen.getByLabelText('Code of the project')).toHaveAccessibleDescription(/There is no project with this code/),
    );
  });
});

describe('the list of messages', () => {
  row('6-staff-notifications-list', 'shows sent and planned messages with audience, time and number', async () => {
    const api = fakeApi({
      'GET /staff/notifications': ({ query }: FakeRequest) =>
        query.state === 'planned'
          ? { items: [written('2', { audience: { kind: 'project', project: 'W-1', project_name: 'Westerwind' } })] }
          : query.after
            ? { items: [written('9', { recipients: null, imported: true })] }
            : { items: [written('1', { mail: true, mails: 1100 })], next: 'n-1' },
    });
    show(<StaffPage />, { ...staff, at: '/staff/notifications' });
    const first = (await screen.findByRole('rowheader', { name: /News 1/ })).closest('tr') as HTMLElement;
    for (const text of ['News', 'All customers', '25-11-2026 09:00', '1.234', '56 read, 1.100 emails'])
      expect(first).toHaveTextContent(text);
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    const old = (await screen.findByRole('rowheader', { name: /News 9/ })).closest('tr') as HTMLElement;
    expect(old).toHaveTextContent('Imported');
    await userEvent.click(screen.getByRole('button', { name: 'Previous' }));
    expect(await screen.findByRole('rowheader', { name: /News 1/ })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('radio', { name: 'Planned' }));
    expect(await screen.findByRole('rowheader', { name: /News 2/ })).toBeInTheDocument();
    const next = screen.getByRole('rowheader', { name: /News 2/ }).closest('tr') as HTMLElement;
    for (const text of ['Participants of Westerwind', '25-11-2026 09:00', '1.234']) expect(next).toHaveTextContent(text);
    expect(screen.getByRole('button', { name: 'Withdraw' })).toBeInTheDocument();
    expect([...new Set(api.calls.map((c) => `${c.query.state} ${c.query.after}`))]).toEqual([
      'sent undefined',
      'sent n-1',
      'planned undefined',
    ]);
  });
  row(
    '6-staff-notifications-list',
    'a planned message is withdrawn after confirmation; one that was sent meanwhile shows that',
    async () => {
      let rows = [written('1'), written('2')];
      const api = fakeApi({
        'GET /staff/notifications': () => ({ items: rows }),
        'DELETE /staff/notifications/{id}': ({ params }: FakeRequest) => {
          if (params.id === '2') return refuse(409, 'notifications.sent_already');
          rows = rows.filter((r) => r.id !== params.id);
          return undefined;
        },
      });
      show(<StaffPage />, { ...staff, at: '/staff/notifications?state=planned' });
      const buttons = () => screen.findAllByRole('button', { name: 'Withdraw' });
      await userEvent.click((await buttons())[0] as HTMLElement);
      const sure = await dialog();
      expect(sure).toHaveTextContent('News 1');
      expect(api.calls.every((c) => c.method === 'GET')).toBe(true);
      await userEvent.click(within(sure).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
      expect(api.calls.every((c) => c.method === 'GET')).toBe(true);
      await userEvent.click((await buttons())[0] as HTMLElement);
      await userEvent.click(within(await dialog()).getByRole('button', { name: 'Withdraw' }));
      await waitFor(() => expect(screen.queryByRole('rowheader', { name: /News 1/ })).toBeNull());
      await userEvent.click((await buttons())[0] as HTMLElement);
      await userEvent.click(within(await dialog()).getByRole('button', { name: 'Withdraw' }));
      expect(await screen.findByText(/has been sent already/)).toBeInTheDocument();
      expect(screen.getByRole('rowheader', { name: /News 2/ })).toBeInTheDocument();
    },
  );
});
