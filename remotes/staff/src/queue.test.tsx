import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test } from 'vitest';
import ApplicationsPage from './applications-page';
import ChangesPage from './changes-page';
import OffersPage from './offers-page';
import remote from './remote';
import StartPage from './start-page';
import { cellText, change, offer, show, staffApi } from './testing';

afterEach(cleanup);

const five = () => [
  change('1'),
  change('2', { kind: 'account.email', data: { change_email: 'b@c.example', was: 'a@c.example' } }),
  change('3', { kind: 'account.username', data: { change_username: 'fenna2', was: 'fenna1' } }),
  change('4', { kind: 'billing.iban', data: { change_bank_account_number: 'NL91ABNA0417164300' } }),
  change('5', { kind: 'billing.term_amount', data: { requested_new_amount: 140, was: 125 } }),
];
const posts = (api: ReturnType<typeof staffApi>) => api.calls.filter((c) => c.method === 'POST').map((c) => [c.path, c.body]);
/** Returns the headings of the requests in a table, without those of customers. */
const requests = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .filter((h) => h.getAttribute('scope') === 'row');
const open = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }));
  return screen.findByRole('dialog');
};

describe('change requests', () => {
  row('6-staff-change-requests', 'lists all five kinds of pending requests; processing applies, rejecting drops', async () => {
    const api = staffApi(five());
    show(<ChangesPage />);
    const table = await screen.findByRole('table', { name: 'Changes' });
    expect(requests(table).map(cellText)).toEqual([
      'Phone numberIt is now 0612345601 and becomes 0687654321',
      'Email addressIt is now a@c.example and becomes b@c.example',
      'UsernameIt is now fenna1 and becomes fenna2',
      'Account numberNL91 ABNA 0417 1643 00',
      'Monthly amountIt is now €\u00a0125,00 and becomes €\u00a0140,00',
    ]);
    expect(api.calls.find((c) => c.path === '/staff/changes')?.query).toMatchObject({ state: 'PENDING', limit: '25' });
    const sheet = await open('Phone number');
    expect(sheet).toHaveTextContent('It is now 0612345601 and becomes 0687654321');
    await userEvent.click(within(sheet).getByRole('button', { name: 'Process' }));
    expect(await within(sheet).findByText('What was asked has been carried out.')).toBeVisible();
    expect(posts(api)).toEqual([['/staff/changes/1/decision', { state: 'PROCESSED' }]]);
    // every view is logged, so there must not be a second one
    expect(api.calls.filter((c) => c.path === '/staff/changes/1')).toHaveLength(1);
    // The next request is rejected, which requires a reason.
    expect(within(sheet).getByRole('button', { name: 'Next request' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(await within(sheet).findByText('b@c.example')).toBeVisible();
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    expect(within(sheet).getAllByText('Say why you reject this.')).not.toHaveLength(0);
    expect(posts(api)).toHaveLength(1);
    fireEvent.change(within(sheet).getByLabelText('Reason'), { target: { value: 'Not this person' } });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    expect(await within(sheet).findByText('Everything stays as it was.')).toBeVisible();
    expect(posts(api)[1]).toEqual(['/staff/changes/2/decision', { state: 'REJECTED', reason: 'Not this person' }]);
    await userEvent.click(within(sheet).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await waitFor(() => expect(requests(table)).toHaveLength(3));
  });

  test('a request that a colleague has decided shows that, and who it was', async () => {
    const changes = five();
    staffApi(changes);
    show(<ChangesPage />);
    const sheet = await open('Username');
    Object.assign(changes[2] ?? {}, {
      state: 'REJECTED',
      decided: '2026-11-20T09:59:00Z',
      by_name: 'Sanne Wiersma',
      reason: 'Dubbel',
    });
    await userEvent.click(await within(sheet).findByRole('button', { name: 'Process' }));
    expect(await within(sheet).findByText('Somebody was before you')).toBeVisible();
    expect(await within(sheet).findByText(/Rejected on 20-11-2026, 10:59 by Sanne Wiersma/)).toBeVisible();
    expect(within(sheet).queryByRole('button', { name: 'Process' })).toBeNull();
  });

  test('several are decided one by one; those decided before are reported', async () => {
    const changes = five();
    const api = staffApi(changes);
    show(<ChangesPage />);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose all 5 on this page' }));
    await userEvent.click(screen.getByRole('checkbox', { name: /Choose Monthly amount/ }));
    expect(screen.getByText('4 chosen')).toBeVisible();
    Object.assign(changes[0] ?? {}, { state: 'PROCESSED' });
    await userEvent.click(screen.getByRole('button', { name: 'Reject' }));
    const sheet = await screen.findByRole('dialog', { name: 'Reject 4 requests' });
    fireEvent.change(within(sheet).getByLabelText('Reason'), { target: { value: 'Niet bevestigd' } });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    expect(await screen.findByText('3 requests were decided')).toBeVisible();
    expect(screen.getByText('One had been decided by somebody else.')).toBeVisible();
    expect(posts(api)).toEqual([
      ['/staff/changes/decisions', { ids: ['1', '2', '3', '4'], state: 'REJECTED', reason: 'Niet bevestigd' }],
    ]);
    await waitFor(() => expect(requests(screen.getByRole('table'))).toHaveLength(1));
  });

  test('offers are rejected separately from other kinds', async () => {
    staffApi([change('1'), change('2', { kind: 'marketplace.offer', data: { project_name: 'De Noord' } })]);
    show(<ChangesPage />);
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose both on this page' }));
    const reject = screen.getByRole('button', { name: 'Reject' });
    expect(reject).toHaveAttribute('aria-disabled', 'true');
    expect(reject).toHaveAccessibleDescription(/reject them apart/);
  });

  test('filter, search and open request are in the URL; the list has pages', async () => {
    const api = staffApi(Array.from({ length: 60 }, (_, i) => change(String(i))));
    show(<ChangesPage />, { at: '/staff/changes?kind=account.phone&q=0687&id=7' });
    expect(await screen.findByRole('dialog', { name: 'Phone number' })).toHaveTextContent('0687654321');
    expect(api.calls.find((c) => c.path === '/staff/changes')?.query).toMatchObject({ kind: 'account.phone', q: '0687' });
    cleanup();
    show(<ChangesPage />);
    await screen.findByRole('table');
    expect(requests(screen.getByRole('table'))).toHaveLength(25);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Page 2')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Next' }));
    await waitFor(() => expect(requests(screen.getByRole('table'))).toHaveLength(10));
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(requests(screen.getByRole('table'))).toHaveLength(25));
  });

  test('with the keyboard only: arrows move between rows, Enter opens, focus returns', async () => {
    staffApi(five());
    show(<ChangesPage />);
    const first = await screen.findByRole('button', { name: 'Phone number' });
    first.focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('button', { name: 'Username' })).toHaveFocus();
    await userEvent.keyboard('{End}');
    expect(screen.getByRole('button', { name: 'Monthly amount' })).toHaveFocus();
    await userEvent.keyboard('{Home}{Shift>}{Tab}{/Shift}{ArrowDown} ');
    expect(screen.getByRole('checkbox', { name: /Choose Email address/ })).toBeChecked();
    await userEvent.keyboard('{Tab}{Enter}');
    const sheet = await screen.findByRole('dialog', { name: 'Email address' });
    await within(sheet).findByRole('button', { name: 'Process' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Email address' })).toHaveFocus());
  });
});

describe('offers', () => {
  const data = { project_name: 'Windpark De Noord', shares: 24, price_per_share: 49, date: '2026-12-21' };
  const api = () =>
    staffApi([change('change-1', { kind: 'marketplace.offer', data }), change('change-2', { kind: 'marketplace.offer', data })], {
      'GET /sustainable/staff/offers': {
        content: [offer('1'), offer('2')],
        number: 0,
        size: 25,
        totalPages: 1,
        totalElements: 2,
      },
    });
  row(
    ['6-staff-approve-screen', '6-staff-approve-right', '4-rejection-reasons'],
    'lists CREATED offers; each is approved, or rejected with a reason from the list',
    async () => {
      const server = api();
      show(<OffersPage />, { at: '/staff/offers' });
      expect(await screen.findAllByRole('rowheader')).toHaveLength(2);
      expect(server.calls.find((c) => c.path === '/sustainable/staff/offers')?.query).toMatchObject({ status: 'CREATED' });
      expect(screen.getByRole('table')).toHaveTextContent(/24.*€ 49.*21-12-2026/);
      await userEvent.click(screen.getAllByRole('button', { name: 'Windpark De Noord' })[0] as HTMLElement);
      const sheet = await screen.findByRole('dialog', { name: 'Offer' });
      await userEvent.click(await within(sheet).findByRole('button', { name: 'Approve' }));
      await userEvent.click(await within(sheet).findByRole('button', { name: 'Next request' }));
      await within(sheet).findByRole('button', { name: 'Approve' });
      await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
      const reasons = within(sheet).getByLabelText('Reason');
      expect([...reasons.querySelectorAll('option')].map((o) => o.value).filter(Boolean)).toEqual([
        'REJECTED_BY_PROVIDER',
        'PARTICIPATION_UNKNOWN',
        'MULTIPLE_PARTICIPATIONS_PROJECT',
        'INSUFFICIENT_SHARES',
        'SELLING_NOT_ALLOWED',
      ]);
      await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
      expect(posts(server)).toHaveLength(1);
      await userEvent.selectOptions(reasons, 'SELLING_NOT_ALLOWED');
      await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
      await within(sheet).findByText('Everything stays as it was.');
      expect(posts(server)).toEqual([
        ['/staff/changes/change-1/decision', { state: 'PROCESSED' }],
        ['/staff/changes/change-2/decision', { state: 'REJECTED', reason: 'SELLING_NOT_ALLOWED' }],
      ]);
    },
  );

  row('6-staff-approve-right', 'a session without the right to decide has disabled buttons', async () => {
    const server = api();
    const operations = { 'core.decideChange': { access: 'key', effect: 'write', impersonation: false } } as const;
    show(<OffersPage />, {
      at: '/staff/offers?id=change-1',
      operations,
      portal: { session: { id: 'c', role: 'customer', name: 'F' } },
    });
    const sheet = await screen.findByRole('dialog', { name: 'Offer' });
    for (const name of ['Approve', 'Reject'])
      expect(await within(sheet).findByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(within(sheet).getByRole('button', { name: 'Approve' }));
    expect(posts(server)).toEqual([]);
  });
});

describe('applications', () => {
  row('6-staff-registrations', 'lists pending requests; each is approved or rejected', async () => {
    const applicant = (n: string) => ({
      initials: 'N.',
      last_name: n,
      address: { street: 'Dam', house_number: '1', city: 'Delft' },
    });
    const api = staffApi([
      change('1', { kind: 'onboarding.application', data: applicant('Velden'), name: '', relation: '' }),
      change('2', { kind: 'onboarding.application', data: { ...applicant('Dijk'), unchecked: true }, name: '', relation: '' }),
      change('3', { kind: 'marketplace.access', data: {} }),
      change('4'),
    ]);
    show(<ApplicationsPage />, { at: '/staff/applications' });
    expect((await screen.findAllByRole('rowheader')).map(cellText)).toEqual(['N. VeldenDam 1, Delft', 'N. DijkDam 1, Delft']);
    const sheet = await open('N. Velden');
    await userEvent.click(await within(sheet).findByRole('button', { name: 'Approve' }));
    await userEvent.click(await within(sheet).findByRole('button', { name: 'Next request' }));
    expect(await within(sheet).findByText('Look at the address first')).toBeVisible();
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    fireEvent.change(within(sheet).getByLabelText('Reason'), { target: { value: 'Adres klopt niet' } });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    await within(sheet).findByText('Everything stays as it was.');
    expect(posts(api)).toEqual([
      ['/staff/changes/1/decision', { state: 'PROCESSED' }],
      ['/staff/changes/2/decision', { state: 'REJECTED', reason: 'Adres klopt niet' }],
    ]);
    await userEvent.click(within(sheet).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await userEvent.click(await screen.findByRole('tab', { name: 'Marketplace (1)' }));
    expect(await screen.findByRole('button', { name: 'F.A. de Boer' })).toBeVisible();
  });
});

/** Returns what each request on the start page asks, how long it waits, and its page. */
const asked = (of: HTMLElement) =>
  requests(of).map((head) => [
    cellText(head),
    cellText(head.nextElementSibling as Element),
    head.querySelector('a')?.getAttribute('href'),
  ]);
/** Returns the text and the page of each number of a queue. */
const tiles = () =>
  screen
    .getAllByRole('link')
    .filter((l) => l.querySelector('strong') && !l.getAttribute('href')?.includes('id='))
    .map((l) => [l.textContent, l.getAttribute('href')]);

describe('start page', () => {
  row('9-staff-find-first', 'the search is the first thing, at once, and says what can be searched for', async () => {
    const api = staffApi(five());
    api.answers['GET /staff/changes/summary'] = () => new Promise(() => undefined);
    show(<StartPage />, { at: '/staff' });
    const search = screen.getByRole('searchbox', { name: 'Find a customer' });
    expect(search, 'before the queues have been loaded').toBeVisible();
    expect(search).toHaveAccessibleDescription('Name, customer number, email address, or postal code and house number');
    cleanup();
    staffApi(five());
    show(<StartPage />, { at: '/staff' });
    const queue = await screen.findByRole('region', { name: 'Changes that wait longest' });
    const first = screen.getByRole('searchbox', { name: 'Find a customer' });
    expect(first.compareDocumentPosition(queue) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(first.compareDocumentPosition(screen.getByRole('heading', { level: 1 }))).toBe(Node.DOCUMENT_POSITION_PRECEDING);
  });

  row('9-staff-email', 'an email address continues with its @ on the next line, here and in the sheet', async () => {
    staffApi([change('2', { kind: 'account.email', data: { change_email: 'b@c.example', was: 'a@c.example' } })]);
    show(<StartPage />, { at: '/staff' });
    const queue = await screen.findByRole('region', { name: 'Changes that wait longest' });
    const broken = (where: HTMLElement) => [...where.querySelectorAll('wbr')].map((w) => w.nextSibling?.textContent);
    expect(broken(queue)).toEqual(['@', '@']);
    cleanup();
    show(<ChangesPage />, { at: '/staff/changes?id=2' });
    const sheet = await screen.findByRole('dialog', { name: 'Email address' });
    await within(sheet).findByText('b@c.example');
    expect(broken(sheet)).toEqual(['@', '@']);
  });

  row('9-queue-age', 'the oldest requests first, each once, with how long they wait; none shows a text', async () => {
    const [first, second, ...rest] = five().map((c, i) => ({ ...c, filed: `2026-11-${18 + Math.min(i, 2)}T09:15:00Z` }));
    const api = staffApi([
      change('7', { kind: 'marketplace.offer', filed: '2026-11-10T09:15:00Z' }),
      ...rest,
      ...(second && first ? [second, first] : []),
      change('8', { kind: 'onboarding.application' }),
      change('0', { filed: '2026-11-16T09:15:00Z' }),
    ]);
    show(<StartPage />, { at: '/staff' });
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/^To do$/);
    const item = remote.menu?.find((m) => m.to === '/staff');
    expect(item && [item.label.defaultMessage, 'short' in item], 'one name in menu and title').toEqual(['To do', false]);
    expect(remote.routes?.find((r) => r.path === '/staff')?.title.defaultMessage).toBe('To do');
    const changes = await screen.findByRole('region', { name: 'Changes that wait longest' });
    expect(asked(changes)).toEqual([
      ['Phone numberIt is now 0612345601 and becomes 0687654321', 'waiting 4 days', '/staff/changes?id=0'],
      ['Phone numberIt is now 0612345601 and becomes 0687654321', 'waiting 2 days', '/staff/changes?id=1'],
      ['Email addressIt is now a@c.example and becomes b@c.example', 'waiting 1 day', '/staff/changes?id=2'],
      ['UsernameIt is now fenna1 and becomes fenna2', 'waiting 45 minutes', '/staff/changes?id=3'],
      ['Account numberNL91 ABNA 0417 1643 00', 'waiting 45 minutes', '/staff/changes?id=4'],
    ]);
    expect(within(changes).getByRole('link', { name: 'View all 6 changes' })).toHaveAttribute('href', '/staff/changes');
    expect(api.calls.find((c) => c.path === '/staff/changes')?.query).toMatchObject({ state: 'PENDING', oldest: 'true' });
    for (const [text, to] of tiles().slice(0, 3)) {
      const [menu, page] = [remote.menu?.find((m) => m.to === to), remote.routes?.find((r) => r.path === to)];
      expect(menu?.label.id, `one name of ${to}`).toBe(page?.title.id);
      expect(text).toContain(menu?.label.defaultMessage);
    }
    // each queue with its number, even if it is empty
    expect(tiles()).toEqual([
      ['6ChangesOldest: waiting 4 days', '/staff/changes'],
      ['1ApplicantsOldest: waiting 45 minutes', '/staff/applications'],
      ['1OffersOldest: waiting 10 days', '/staff/offers'],
      ['0PaymentsNothing to do', '/staff/orders?tab=payments'],
    ]);
    cleanup();
    staffApi([change('1', { filed: '2026-11-20T07:30:00Z' }), change('2', { filed: '2026-11-20T10:00:00Z' })]);
    show(<StartPage />, { at: '/staff', locale: 'nl' });
    const two = await screen.findByRole('region', { name: 'Wijzigingen die het langst wachten' });
    expect(asked(two).map(([what, age]) => [what, age])).toEqual([
      ['TelefoonnummerNu is het 0612345601 en wordt 0687654321', 'al 2 uur'],
      ['TelefoonnummerNu is het 0612345601 en wordt 0687654321', 'net binnen'],
    ]);
    expect(tiles()[0]?.[0]).toBe('2WijzigingenOudste: al 2 uur');
    expect(tiles()[1]?.[0]).toBe('0AanmeldingenNiets te doen');
    expect(screen.getByRole('button', { name: 'Zoek' })).toHaveTextContent('Zoek');
    cleanup();
    // the units of waiting times, and more (older) requests in other queues than fit on a page
    const market = { kind: 'marketplace.offer', filed: '2026-11-01T10:00:00Z' };
    staffApi([
      ...Array.from({ length: 30 }, (_, i) => change(`o${i}`, market)),
      ...['20T09:01', '20T09:00', '19T10:01', '19T10:00'].map((at) => change(at, { filed: `2026-11-${at}:00Z` })),
    ]);
    show(<StartPage />, { at: '/staff' });
    const four = await screen.findByRole('region', { name: 'Changes that wait longest' });
    const ages = ['waiting 1 day', 'waiting 23 hours', 'waiting 1 hour', 'waiting 59 minutes'];
    expect(asked(four).map(([, age]) => age)).toEqual(ages);
    expect(tiles()[2]?.[0]).toBe('30OffersOldest: waiting 19 days');
    cleanup();
    const none = staffApi([]);
    none.answers['GET /sustainable/staff/payments'] = refuse(503, 'unavailable');
    show(<StartPage />, { at: '/staff' });
    expect(await screen.findByText(/^You are up to date: no changes are waiting/)).toBeVisible();
    expect(tiles().map(([text]) => text)).toEqual([
      '0ChangesNothing to do',
      '0ApplicantsNothing to do',
      '0OffersNothing to do',
      '–PaymentsView', // a number that could not be loaded is not 0
    ]);
    expect(screen.queryByRole('table')).toBeNull();
    cleanup();
    // without the list nobody is told that nothing waits
    const { answers } = staffApi(five());
    const { 'GET /staff/changes': listed } = answers;
    answers['GET /staff/changes'] = refuse(503, 'unavailable');
    show(<StartPage />, { at: '/staff' });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/up to date/)).toBeNull();
    answers['GET /staff/changes'] = listed;
    await userEvent.click(retry);
    expect(await screen.findByRole('table')).toBeVisible();
  });

  row('9-queue-age', 'the queue asks for the oldest first and says how long each request waits', async () => {
    const api = staffApi([
      change('2'),
      change('3', { relation: 'r-3', filed: '2026-11-19T20:15:00Z' }),
      change('1', { relation: 'r-1', filed: '2026-11-10T09:15:00Z' }),
    ]);
    show(<ChangesPage />);
    const table = await screen.findByRole('table', { name: 'Changes' });
    await within(table).findByText('waiting 10 days');
    expect(
      within(table)
        .getAllByText(/^waiting/)
        .map((e) => e.textContent),
      'the customer who waits longest first',
    ).toEqual(['waiting 10 days', 'waiting 45 minutes', 'waiting 13 hours']);
    expect(within(table).getByText('10-11-2026, 10:15')).toBeVisible();
    expect(api.calls.find((c) => c.path === '/staff/changes')?.query).toMatchObject({ state: 'PENDING', oldest: 'true' });
  });

  row(
    ['9-queue-customer', '9-queue-values'],
    'requests of a customer are together, below the name; each says old and new',
    async () => {
      const items = () => [
        change('1', { relation: 'r-2', name: 'M. Bakker', data: { phone_number: '+31611111111' } }),
        change('2'),
        change('3', {
          relation: 'r-2',
          name: 'M. Bakker',
          kind: 'account.email',
          data: { change_email: 'm@n.example', was: 'm@o.example' },
        }),
        change('4', {
          kind: 'billing.iban',
          data: {
            change_bank_account_number: 'NL91ABNA0417164300',
            was_bank_account_number: 'NL91ABNA0417164300',
            change_bank_account_name: 'F. de Boer',
            was_bank_account_name: 'F.A. de Boer',
          },
        }),
      ];
      const numbers = {
        'GET /staff/customer-numbers': ({ query }: { query: Record<string, string> }) =>
          query.relations === 'r-2' ? [{ relation: 'r-2', debtor_number: '10240002', name: 'M. Bakker' }] : [],
      };
      staffApi(items(), numbers);
      show(<ChangesPage />);
      const table = await screen.findByRole('table', { name: 'Changes' });
      await within(table).findByText(/10240002/);
      expect(within(table).getAllByRole('rowheader').map(cellText)).toEqual([
        'M. Bakker\u00a0· 10240002\u00a0· 2 requests',
        'Phone number0611111111',
        'Email addressIt is now m@o.example and becomes m@n.example',
        'F.A. de Boer\u00a0· 2 requests',
        'Phone numberIt is now 0612345601 and becomes 0687654321',
        'Account numberIt is now F.A. de Boer and becomes F. de Boer',
      ]);
      expect(within(table).getByRole('link', { name: 'M. Bakker' })).toHaveAttribute('href', '/staff/customers/r-2');
      // the next request in the sheet is from the same customer
      await userEvent.click(screen.getAllByRole('button', { name: 'Phone number' })[0] as HTMLElement);
      const sheet = await screen.findByRole('dialog');
      await userEvent.click(await within(sheet).findByRole('button', { name: 'Process' }));
      await userEvent.click(await within(sheet).findByRole('button', { name: 'Next request' }));
      expect(await within(sheet).findByText('m@n.example')).toBeVisible();
      cleanup();
      // an imported request does not contain the requester's name, whether pending or decided
      for (const [state, role] of [
        ['PENDING', 'rowheader'],
        ['PROCESSED', 'cell'],
      ] as const) {
        staffApi([change('1', { relation: 'r-2', name: '', state })], numbers);
        show(<ChangesPage />, { at: `/staff/changes?state=${state}` });
        expect(await screen.findByRole(role, { name: /M\. Bakker/ }), '9-queue-customer').toBeVisible();
        expect(screen.queryByText('Name unknown')).toBeNull();
        cleanup();
      }
      // applicants have no number and may have the same name; in other queues each request is from a different person
      const same = { kind: 'onboarding.application', name: '', relation: '', data: { initials: 'N.', last_name: 'Velden' } };
      staffApi([change('1', same), change('2', same)]);
      show(<ChangesPage />);
      const applicants = await screen.findByRole('table', { name: 'Changes' });
      expect(requests(applicants)).toHaveLength(2);
      expect(document.body).not.toHaveTextContent(/2 requests/);
      cleanup();
      staffApi([change('1', { kind: 'marketplace.access' }), change('2', { kind: 'marketplace.access' })]);
      show(<ApplicationsPage />, { at: '/staff/applications?tab=market' });
      await waitFor(() => expect(screen.getAllByRole('rowheader')).toHaveLength(2));
      expect(requests(screen.getByRole('table'))).toHaveLength(2);
      cleanup();
      // decided requests keep the order of the list, each with its customer
      staffApi(items().map((c) => ({ ...c, state: 'PROCESSED' as const })));
      show(<ChangesPage />, { at: '/staff/changes?state=PROCESSED' });
      const decided = await screen.findByRole('table', { name: 'Changes' });
      expect(within(decided).getAllByRole('rowheader')).toHaveLength(4);
      expect(within(decided).getAllByRole('link', { name: 'M. Bakker' })).toHaveLength(2);
      cleanup();
      staffApi(items(), numbers);
      show(<StartPage />, { at: '/staff' });
      const changes = await screen.findByRole('region', { name: 'Changes that wait longest' });
      await within(changes).findByText(/10240002/);
      const customers = [...changes.querySelectorAll('[scope=rowgroup]')];
      expect(customers.map((c) => [c.textContent, c.querySelector('a')?.getAttribute('href')])).toEqual([
        ['M. Bakker\u00a0· 10240002\u00a0· 2 requests', '/staff/customers/r-2'],
        ['F.A. de Boer\u00a0· 2 requests', '/staff/customers/r-1'],
      ]);
      expect(asked(changes).map(([, , href]) => href)).toEqual(['1', '3', '2', '4'].map((id) => `/staff/changes?id=${id}`));
      expect(
        asked(changes).map(([what]) => what),
        '9-queue-values',
      ).toEqual([
        'Phone number0611111111',
        'Email addressIt is now m@o.example and becomes m@n.example',
        'Phone numberIt is now 0612345601 and becomes 0687654321',
        'Account numberIt is now F.A. de Boer and becomes F. de Boer',
      ]);
    },
  );
});
