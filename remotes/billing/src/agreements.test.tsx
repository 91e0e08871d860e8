import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { file, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import AgreementsByAddress from './agreements-by-address';
import AgreementsPage from './agreements-page';
import PaymentDetails from './payment-details';
import ProductsPage from './products-page';
import { agreement, customerApi, home, show } from './testing';

afterEach(cleanup);

const panels = async () => {
  await screen.findAllByRole('heading', { level: 2 });
  return screen.getAllByRole('heading', { level: 2 }).map((h) => within(h).getByRole('button'));
};
const open = (all: HTMLElement[]) => all.map((b) => b.getAttribute('aria-expanded'));
const contract = (id: string, more = {}) => ({
  'GET /agreements': [agreement({ id, from: '2025-05-01', ...more })],
});

describe('agreements', () => {
  row(
    ['2.1-agreements-route', '2.1-agreements-order'],
    'a panel per agreement, newest first, the first open; panels open independently',
    async () => {
      customerApi();
      show(<AgreementsPage />, { at: '/agreements', route: '/agreements' });
      const all = await panels();
      expect(all.map((b) => b.textContent)).toEqual(['Vast 3 jaar A-2Active', 'Vast 3 jaar A-1Ended']);
      expect(open(all)).toEqual(['true', 'false']);
      await userEvent.click(all[1] as HTMLElement);
      expect(open(all)).toEqual(['true', 'true']);
      await userEvent.click(all[0] as HTMLElement);
      expect(open(all)).toEqual(['false', 'true']);
    },
  );

  row('10-slot-connection', 'other remotes draw below each connection of a contract', async () => {
    customerApi(contract('A-1'));
    const slot = vi.fn(({ name, props }: { name: string; props: object }) => <i data-testid={name}>{JSON.stringify(props)}</i>);
    show(<AgreementsPage />, { at: '/agreements', route: '/agreements', slot: slot as never });
    await panels();
    expect(screen.getAllByTestId('connection').map((e) => e.textContent)).toEqual([
      '{"ean":"871687940000000017"}',
      '{"ean":"871687940000000024"}',
    ]);
  });

  row(
    '9-agreement-end-date',
    'the last day is in the panel and in the list by address; without one there is a text',
    async () => {
      const both = {
        'GET /agreements': [
          agreement({ id: 'F-1', from: '2024-12-01', period: { from: '2024-12-01', to: '2027-11-30' } }),
          agreement({ id: 'V-1', from: '2024-01-01' }),
        ],
      };
      customerApi(both);
      const { unmount } = show(<AgreementsPage />, { at: '/agreements', route: '/agreements' });
      const all = await panels();
      expect(screen.getByText('01-12-2024 to 30-11-2027')).toBeVisible();
      await userEvent.click(all[1] as HTMLElement);
      expect(screen.getByText('From 01-01-2024, without an end date')).toBeVisible();
      unmount();
      customerApi(both);
      show(<AgreementsByAddress />, { at: '/account' });
      const lines = await screen.findAllByRole('listitem');
      expect(lines.map((l) => l.textContent)).toEqual(['Vast 3 jaar F-1Activeuntil 30-11-2027', 'Vast 3 jaar V-1Active']);
    },
  );

  row('9-prices-until', 'a current agreement that goes on after its prices says so', async () => {
    const price = {
      description: 'Gas',
      commodity: 'GAS',
      unit: 'm³',
      amount: 1.1,
      from: '2026-01-01',
      to: '2026-12-31',
    } as const;
    for (const [more, says] of [
      [{ period: { from: '2025-09-01', to: '2027-08-31' } }, true],
      [{ period: { from: '2025-09-01', to: '2026-12-31' } }, false],
      [{ period: { from: '2025-09-01', to: '2027-08-31' }, current: false, status: 'CANCELLED' }, false],
    ] as const) {
      customerApi(contract('A-1', { price_agreements: [price], ...more }));
      const { unmount } = show(<AgreementsPage />, { at: '/agreements' });
      await screen.findAllByRole('table', { name: 'Agreed prices' });
      const found = screen.queryAllByText(/^These prices apply up to and including/).map((e) => e.textContent);
      expect(
        found.map((t) => t?.includes('31-12-2026. Your contract goes on')),
        JSON.stringify(more),
      ).toEqual(says ? [true] : []);
      unmount();
    }
  });

  row('2.1-agreements-title-truncate', 'a long name is truncated in the title', async () => {
    customerApi(contract('A-1', { name: `${'Zeker groen '.repeat(5)}` }));
    show(<AgreementsPage />, { at: '/agreements' });
    const [only] = await panels();
    expect(only).toHaveTextContent('Zeker groen Zeker groen Zeker groen Zeker groen Ze…Active');
  });

  row('2.1-agreements-deeplink-open', 'the agreement in the path is open; an unknown one is no error', async () => {
    const page = { route: '/agreements/:agreementId' };
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled; // jsdom has no scrollIntoView
    customerApi();
    const first = show(<AgreementsPage />, { ...page, at: '/agreements/A-1' });
    expect(open(await panels())).toEqual(['false', 'true']);
    expect(scrolled).toHaveBeenCalledOnce();
    first.unmount();
    show(<AgreementsPage />, { ...page, at: '/agreements/nothing' });
    expect(open(await panels())).toEqual(['true', 'false']);
  });

  row('2.1-agreements-tariff-sheets', 'each sheet has its date and a download of the file', async () => {
    const sheet = (id: string, send_date: string) => ({
      retrieval_id: id,
      send_date,
      tariff_sheet_link: `/api/v0/tariffsheets/${id}/file`,
    });
    const api = customerApi({
      ...contract('A-1', { tariff_sheets: [sheet('S1', '2025-04-01'), sheet('S2', '2026-04-01')] }),
      'GET /tariffsheets/{id}/file': ({ params }: { params: { id: string } }) =>
        params.id === 'S2' ? file('tarieven-2026-04-01.pdf', '%PDF') : refuse(404, 'file_not_found'),
    });
    show(<AgreementsPage />, { at: '/agreements' });
    await userEvent.click(await screen.findByRole('button', { name: 'Download tariff sheet of 01-04-2026' }));
    await waitFor(() => expect(api.saved).toEqual([{ name: 'tarieven-2026-04-01.pdf', file: expect.anything() }]));
    await userEvent.click(screen.getByRole('button', { name: 'Download tariff sheet of 01-04-2025' }));
    const alert = await screen.findByRole('alert');
    expect(alert.closest('li')).toHaveTextContent('Tariff sheet of 01-04-2025');
  });

  test('shows term, daughter company, addresses and prices', async () => {
    customerApi(
      contract('A-1', {
        company_name: 'Windkracht Friesland B.V.',
        period: { from: '2025-05-01', to: '2028-04-30' },
        price_agreements: [
          { description: 'Stroom normaal', commodity: 'ELECTRICITY', unit: 'kWh', amount: 0.28941, from: '2025-05-01', to: null },
          { description: 'Leveringskosten', unit: 'month', amount: 6.99, from: '2025-05-01', to: '2026-04-30' },
        ],
      }),
    );
    show(<AgreementsPage />, { at: '/agreements' });
    expect(await screen.findByText('Windkracht Friesland B.V.')).toBeVisible();
    expect(screen.getByText('01-05-2025 to 30-04-2028')).toBeVisible();
    expect(screen.getByText('EAN 87 1687 9400 0000 0024')).toBeVisible();
    const prices = screen.getByRole('table', { name: 'Agreed prices' });
    expect(prices).toHaveTextContent(/Stroom normaal.*€ 0,29 per kWh.*exactly € 0,28941/);
    expect(prices).toHaveTextContent(/Leveringskosten.*01-05-2025 to 30-04-2026.*€ 6,99 per month/);
  });

  test('a failed request can be retried', async () => {
    const api = customerApi({ 'GET /agreements': () => refuse(503, 'unavailable') });
    show(<AgreementsPage />, { at: '/agreements' });
    await screen.findByRole('alert');
    api.answers['GET /agreements'] = [];
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('There are no contracts yet')).toBeVisible();
  });
});

describe('agreements by address', () => {
  row('3-agreement-terminated-hidden', 'ended agreements are left out', async () => {
    const beach = { ...home, street: 'Strandweg', house_number: '1', house_number_extension: '' };
    customerApi({
      'GET /agreements': [
        agreement({ id: 'A-1', from: '2020-05-01', status: 'TERMINATED' }),
        agreement({ id: 'A-2', from: '2025-05-01' }),
        agreement({ id: 'B-1', from: '2024-05-01', status: 'TERMINATED', addresses: [beach] }),
      ],
    });
    show(<AgreementsByAddress />, { at: '/account' });
    expect((await screen.findAllByRole('heading')).map((h) => h.textContent)).toEqual(['Molenweg 12 A, 9861 GT Grootegast']);
    expect(screen.getAllByRole('listitem').map((l) => l.textContent)).toEqual(['Vast 3 jaar A-2Active']);
    expect(screen.getByRole('link', { name: 'Vast 3 jaar A-2' })).toHaveAttribute('href', '/agreements/A-2');
  });
});

describe('products', () => {
  row(['2.1-products-route', '2.1-products-client-number'], 'lists the products under the debtor number', async () => {
    customerApi();
    show(<ProductsPage />, { at: '/products' });
    const table = await screen.findByRole('table', { name: 'Products' });
    expect(table).toHaveTextContent(/Stroom vast 3 jaar.*Electricity.*01-05-2025.*no end date/);
    expect(await screen.findByText('Customer number 10420001')).toBeVisible();
  });
});

describe('payment details', () => {
  const facts = () =>
    Object.fromEntries(screen.getAllByRole('term').map((t) => [t.textContent, t.nextElementSibling?.textContent]));

  row('2.1-payment-details', 'shows holder, last four characters of the IBAN, method, and a link to change them', async () => {
    customerApi();
    show(<PaymentDetails />, { at: '/account' });
    expect(await screen.findByText('F.A. de Boer')).toBeVisible();
    const shown = facts();
    expect(shown).toMatchObject({ 'Account holder': 'F.A. de Boer', 'Payment method': 'Direct debit' });
    expect(shown['Account number (IBAN)']?.replaceAll(' ', '')).toMatch(/^•+1117$/);
    expect(document.body).not.toHaveTextContent(/WATT/);
    expect(screen.getByRole('link', { name: 'Change bank account' })).toHaveAttribute('href', '/iban');
  });

  row(
    ['6-sustainable-skip-bank-call', '2.1-payment-details'],
    'labels with that setting read them from the relation, without the call',
    async () => {
      const api = customerApi();
      show(<PaymentDetails />, {
        at: '/account',
        settings: { bank_account_details: false },
        portal: { kind: 'participant' },
      });
      expect(await screen.findByText('F.A. de Boer')).toBeVisible();
      await waitFor(() => expect(facts()).toMatchObject({ 'Payment method': 'Direct debit' }));
      expect(api.calls.map((c) => c.path)).not.toContain('/bankAccountDetails');
    },
  );

  test('a requested account is shown next to the current one', async () => {
    customerApi({
      'GET /relations/bankAccountNumber': {
        change_bank_account_number: 'NL91ABNA0417164300',
        change_bank_account_name: 'F.A. de Boer',
        from_date: '2026-12-04',
      },
    });
    show(<PaymentDetails />, { at: '/account' });
    await waitFor(() =>
      expect(facts()['Account number (IBAN)']?.replaceAll(/\s/g, '')).toMatch(/1117beingchangedto•+4300from04-12-2026$/),
    );
    expect(document.body).not.toHaveTextContent(/ABNA/);
  });
});
