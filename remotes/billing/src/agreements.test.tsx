import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Remote } from '@wattle/sdk';
import { file, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import AgreementsByAddress from './agreements-by-address';
import AgreementsPage from './agreements-page';
import IbanPage from './iban-page';
import InvoicesPage from './invoices-page';
import LatestInvoices from './latest-invoices';
import MonthlyAmountInfo from './monthly-amount-info';
import OpenTile from './open-tile';
import PaymentDetails from './payment-details';
import PaymentSummary from './payment-summary';
import PeriodicalPage from './periodical-page';
import PlacesSummary from './places-summary';
import ProductsPage from './products-page';
import remote from './remote';
import TermAmountLine from './term-amount-line';
import TermAmountSection from './term-amount-section';
import TermAmountSummary from './term-amount-summary';
import TermAmountTile from './term-amount-tile';
import { agreement, customerApi, home, periodical, product, show } from './testing';
import UpdateTermAmount from './update-term-amount';

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
    const place = screen.getByText('EAN 87 1687 9400 0000 0017').closest('li');
    expect(place?.textContent?.replaceAll('\u00a0', ' '), 'each below its connection').toContain(
      'ElectricityEAN 87 1687 9400 0000 0017{"ean":"871687940000000017"}GasEAN 87 1687 9400 0000 0024{"ean":"871687940000000024"}',
    );
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
      expect(screen.getAllByText(/without an end date/), 'only that of the other one').toHaveLength(1);
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
    expect(only).toHaveTextContent('Zeker groen Zeker groen Zeker groen Zeker groen…Active');
  });

  row('2.1-agreements-deeplink-open', 'the agreement in the path is open; an unknown one is no error', async () => {
    const page = { route: '/agreements/:agreementId' };
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled; // missing in jsdom
    customerApi();
    const first = show(<AgreementsPage />, { ...page, at: '/agreements/A-1' });
    expect(open(await panels())).toEqual(['false', 'true']);
    expect(scrolled).toHaveBeenCalledOnce();
    first.unmount();
    show(<AgreementsPage />, { ...page, at: '/agreements/nothing' });
    expect(open(await panels())).toEqual(['true', 'false']);
  });

  const pages: [ids: string[], path: string, page: unknown][] = [
    [['2.1-agreements-route'], '/agreements', AgreementsPage],
    [['2.1-agreements-deeplink'], '/agreements/:agreementId', AgreementsPage],
    [['2.1-invoices-grouping'], '/invoices', InvoicesPage],
    [['2.1-periodical-overview'], '/periodical-payments', PeriodicalPage],
    [['2.1-iban-route'], '/iban', IbanPage],
    [['2.1-products-route'], '/products', ProductsPage],
  ];
  for (const [ids, path, page] of pages)
    row(ids, `the page of ${path}`, async () => {
      const [route, ...others] = remote.routes?.filter((r) => r.path === path) ?? [];
      expect(others).toEqual([]);
      expect((await route?.page())?.default).toBe(page);
    });

  row(
    ['2.3-overlay-monthly-amount-info', '2.3-overlay-update-periodical', '2.3-update-id-reconcile'],
    'the overlays',
    async () => {
      const overlays: Remote['overlays'] = remote.overlays;
      const found = (overlays ?? []).map(async ({ name, params = [], parent, view }) => [
        `${parent} ${[name, ...params].join('/')}`,
        (await view()).default,
      ]);
      expect(await Promise.all(found)).toEqual([
        ['/periodical-payments update/agreementId', UpdateTermAmount],
        ['/periodical-payments monthly-amount-info', MonthlyAmountInfo],
      ]);
    },
  );

  row(
    ['9-invoices-latest', '9-dashboard-open', '9-dashboard-folded', '2.1-payment-details', '3-agreement-terminated-hidden'],
    'the tiles',
    async () => {
      const tiles = Object.fromEntries(
        await Promise.all(
          (['dashboard', 'home', 'account'] as const).map(async (slot) => [
            slot,
            await Promise.all(
              (remote.slots?.[slot] ?? []).map(async (i) => [
                i.id,
                'title' in i ? i.title?.defaultMessage : undefined,
                (await i.view()).default,
                'summary' in i ? (await i.summary?.())?.default : undefined,
              ]),
            ),
          ]),
        ),
      );
      expect(tiles).toEqual({
        dashboard: [
          ['open', undefined, OpenTile, undefined],
          ['term-amount', 'Monthly amount', TermAmountTile, TermAmountSummary],
          ['latest', 'Latest invoices', LatestInvoices, undefined],
        ],
        home: [['latest', 'Latest invoices', LatestInvoices, undefined]],
        account: [
          ['payment-details', 'Payment details', PaymentDetails, PaymentSummary],
          ['agreements', 'Contracts', AgreementsByAddress, PlacesSummary],
          ['term-amount', 'Monthly amount', TermAmountSection, TermAmountLine],
        ],
      });
    },
  );

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
  row(
    ['2.1-products-route', '2.1-products-client-number', '9-contract-number'],
    'lists the products under the debtor number',
    async () => {
      const gas = {
        product_code: 'GAS-1',
        name: 'Gas variabel',
        commodity: 'GAS' as const,
        start_date: '2024-01-01',
        end_date: '2025-12-31',
        agreement_identifier: 'B',
      };
      customerApi({ 'GET /relations/products': [product, gas] });
      show(<ProductsPage />, { at: '/products' });
      const table = await screen.findByRole('table', { name: 'Products' });
      const [, ...lines] = within(table).getAllByRole('row');
      expect(lines).toHaveLength(2);
      expect(lines[0]).toHaveTextContent(/Stroom vast 3 jaar.*Electricity.*01-05-2025.*no end date.*A-2$/);
      expect(lines[1]).toHaveTextContent(/Gas variabel.*Gas.*01-01-2024.*31-12-2025.*B$/); // its contract is not among those of the customer
      expect(within(table).getByRole('link', { name: 'A-2' })).toHaveAttribute('href', '/agreements/A-2');
      const number = await screen.findByText('Customer number 10420001');
      expect(number.compareDocumentPosition(table), 'above the products').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    },
  );
});

describe('payment details', () => {
  const facts = () =>
    Object.fromEntries(screen.getAllByRole('term').map((t) => [t.textContent, t.nextElementSibling?.textContent]));

  row('2.1-payment-details', 'shows holder, last four characters of the IBAN, method, and a link to change them', async () => {
    for (const kind of ['participant', 'customer'] as const) {
      customerApi({ 'GET /periodicalPayments': [] }); // if the details are read, the payment method is the one in the details
      show(<PaymentDetails />, { at: '/account', portal: { kind } });
      expect(await screen.findByText('F.A. de Boer')).toBeVisible();
      const shown = facts();
      expect(shown).toMatchObject({ 'Account holder': 'F.A. de Boer', 'Payment method': 'Direct debit' });
      expect(shown['Account number (IBAN)']?.replaceAll(/\s/g, '')).toMatch(/^•{14}1117$/);
      expect(document.body).not.toHaveTextContent(/WATT|NL38/);
      expect(screen.getByRole('link', { name: 'Change bank account' })).toHaveAttribute('href', '/iban');
      cleanup();
    }
  });

  row(
    ['6-sustainable-skip-bank-call', '2.1-payment-details'],
    'labels with that setting read them from the relation, without the call',
    async () => {
      // the method is that of a current contract, as in the bank account details
      const api = customerApi({
        'GET /periodicalPayments': [
          periodical({ agreement_identifier_with_sequence: 'B-1', payment_method: 'IDEAL', reason: 'billing.term_amount_ended' }),
          periodical({ payment_method: 'DIRECT_DEBIT_CONSUMER' }),
        ],
      });
      show(<PaymentDetails />, {
        at: '/account',
        settings: { bank_account_details: false },
        portal: { kind: 'participant' },
      });
      expect(await screen.findByText('F.A. de Boer')).toBeVisible();
      await waitFor(() => expect(facts()).toMatchObject({ 'Payment method': 'Direct debit' }));
      expect(facts()['Account number (IBAN)']?.replaceAll(/\s/g, '')).toMatch(/^•{14}1117$/);
      expect(screen.getByRole('link', { name: 'Change bank account' })).toHaveAttribute('href', '/iban');
      expect(api.calls.map((c) => c.path)).not.toContain('/bankAccountDetails');
    },
  );

  row(
    '9-account-sections',
    'the closed section says the last four characters; that of the contracts their addresses',
    async () => {
      customerApi({ 'GET /agreements': [agreement({ id: 'A-1', from: '2025-05-01' })] });
      const { container } = show(<PaymentSummary />, { at: '/account' });
      await waitFor(() => expect(container.textContent?.replaceAll(/\s/g, '')).toMatch(/^•{14}1117$/));
      show(<PlacesSummary />, { at: '/account' });
      expect(await screen.findByText('Molenweg 12 A, Grootegast')).toBeVisible();
    },
  );

  row('9-account-groups', 'the monthly amount, with a link for changing it; no section without one', async () => {
    const hide = vi.fn();
    customerApi({ 'GET /periodicalPayments': [periodical()] });
    show(
      <>
        <TermAmountSection hide={hide} />
        <TermAmountLine />
      </>,
    );
    expect(await screen.findByText(/^€\s125,00 per month$/)).toBeVisible();
    expect(screen.getByText(/^€\s125,00$/), 'closed').toBeVisible();
    expect(screen.getByRole('link', { name: 'View or change' })).toHaveAttribute('href', '/periodical-payments');
    expect(hide).not.toHaveBeenCalled();
    cleanup();
    customerApi({ 'GET /periodicalPayments': [] });
    show(<TermAmountSection hide={hide} />);
    await waitFor(() => expect(hide).toHaveBeenCalled());
    cleanup();
    customerApi({ 'GET /periodicalPayments': refuse(503, 'unavailable') });
    show(<TermAmountSection hide={hide} />);
    expect(await screen.findByRole('button', { name: /Try again/ })).toBeVisible();
  });

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
