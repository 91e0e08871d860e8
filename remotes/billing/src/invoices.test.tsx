import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { file, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test } from 'vitest';
import InvoicesPage from './invoices-page';
import LatestInvoices from './latest-invoices';
import { agreement, customerApi, invoice, show } from './testing';

afterEach(cleanup);

/** 37 invoices of the current agreement, newest first, and one of the ended agreement. Successive amounts are never equal. */
const all = Array.from({ length: 37 }, (_, i) => {
  const month = new Date(Date.UTC(2026, 10 - i, 14)).toISOString().slice(0, 10);
  return invoice(
    `i${i}`,
    month,
    i === 2 ? { invoice_type: 'ANNUAL' } : i === 3 ? { invoice_type: 'DISCOUNT', amount: -12.5 } : { amount: i % 2 ? 126 : 124 },
  );
});
const years = [2026, 2025, 2024, 2023].map((year) => {
  const of = all.filter((i) => i.due_date.startsWith(String(year)));
  return { year, count: of.length, amount: of.reduce((sum, i) => sum + i.amount, 0), open: 0 };
});
interface Asked {
  params: Record<string, string>;
  query: Record<string, string>;
}
const invoicesApi = (more: Record<string, unknown> = {}) =>
  customerApi({
    'GET /agreements/{id}/invoices/years': ({ params }: Asked) =>
      params.id === 'A-2' ? years : [{ year: 2024, count: 1, amount: 10, open: 0 }],
    'GET /agreements/{id}/invoices': ({ params, query }: Asked) => {
      if (params.id !== 'A-2') return [invoice('old', '2024-03-01', { invoice_type: 'FINAL', amount: 10, invoice_link: '' })];
      const from = (Number(query.page) - 1) * Number(query.per_page);
      return all.slice(from, from + Number(query.per_page));
    },
    ...more,
  });
const table = (name: string) => screen.findByRole('table', { name: `Invoices of ${name}` });
/** Opens the ended agreement, which is initially closed, and returns its table. */
const ended = async () => {
  await userEvent.click(await screen.findByRole('button', { name: /^Vast 3 jaar A-1/, expanded: false }));
  return table('Vast 3 jaar A-1');
};
const rows = (of: HTMLElement) =>
  within(of)
    .getAllByRole('row')
    .filter((r) => within(r).queryAllByRole('cell').length > 0 && !r.hasAttribute('data-rest'));

describe('invoices', () => {
  row('2.1-invoices-grouping', 'by agreement, newest first; then by year with its total', async () => {
    invoicesApi();
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    await ended();
    expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)).toEqual([
      'Vast 3 jaar A-2',
      expect.stringMatching(/^Vast 3 jaar A-1.*Ended$/),
    ]);
    expect(screen.getAllByText(/Molenweg 12 A, 9861 GT Grootegast · contract A-/)).toHaveLength(2);
    const year = within(running).getByRole('rowheader');
    expect(within(year).getByRole('heading', { level: 3, name: '2026' })).toBeVisible();
    await waitFor(() => expect(year).toHaveTextContent('€ 1.236,50'));
  });

  row('2.1-invoices-year-basis', 'the year is that of the due date, whenever an invoice was made', async () => {
    invoicesApi({
      'GET /agreements/{id}/invoices/years': [2026, 2025].map((year) => ({ year, count: 1, amount: 125, open: 0 })),
      'GET /agreements/{id}/invoices': [
        invoice('b', '2026-01-05', { issue_date: '2025-12-20', period_start_date: '2025-12-01', period_end_date: '2025-12-31' }),
        invoice('a', '2025-12-31', { issue_date: '2026-01-02', period_start_date: '2026-01-01', period_end_date: '2026-01-31' }),
      ],
    });
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    await waitFor(() =>
      expect(
        [...running.querySelectorAll('tbody')].map((group) => [
          group.querySelector('h3')?.textContent,
          ...[...group.querySelectorAll('time')].map((t) => t.dateTime),
        ]),
      ).toEqual([
        ['2026', '2026-01-05'],
        ['2025', '2025-12-31'],
      ]),
    );
  });

  row(
    ['2.1-invoices-page-size', '2.1-invoices-order', '2.1-invoices-grouping'],
    'ten at a time, newest due date first',
    async () => {
      const api = invoicesApi();
      show(<InvoicesPage />);
      const running = await table('Vast 3 jaar A-2');
      const dates = () => rows(running).map((r) => r.querySelector('time')?.dateTime);
      const days = all.map((i) => i.due_date);
      await waitFor(() => expect(dates()).toEqual(days.slice(0, 10)));
      for (const [more, shown] of [
        [10, 20],
        [10, 30],
        [7, 37],
      ] as const) {
        await userEvent.click(await screen.findByRole('button', { name: `Show ${more} more invoices` }));
        await waitFor(() => expect(dates()).toEqual(days.slice(0, shown)));
      }
      expect(
        within(running)
          .getAllByRole('heading', { level: 3 })
          .map((h) => h.textContent),
      ).toEqual(['2026', '2025', '2024', '2023']);
      for (const group of running.querySelectorAll('tbody')) {
        const due = [...group.querySelectorAll('time')].map((t) => t.dateTime.slice(0, 4));
        expect(new Set(due), '2.1-invoices-grouping').toEqual(new Set([group.querySelector('h3')?.textContent]));
      }
      expect(screen.queryByRole('button', { name: /^Show \d+ more/ })).toBeNull();
      expect(api.calls.filter((c) => c.path === '/agreements/A-2/invoices').map((c) => c.query)).toEqual([
        { page: '1', per_page: '100' },
      ]);
    },
  );

  row('2.1-invoices-page-size', 'more than a hundred are fetched in parts, before they are needed', async () => {
    const many = Array.from({ length: 215 }, (_, i) =>
      invoice(`m${String(i).padStart(3, '0')}`, '2026-11-14', { amount: i % 2 ? 126 : 124 }),
    ).reverse();
    const api = invoicesApi({
      'GET /agreements/{id}/invoices/years': [{ year: 2026, count: 215, amount: 26874, open: 0 }],
      'GET /agreements/{id}/invoices': ({ query }: Asked) =>
        many.slice((Number(query.page) - 1) * Number(query.per_page), Number(query.page) * Number(query.per_page)),
    });
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    const shown = () => rows(running).length;
    await waitFor(() => expect(shown()).toBe(10));
    for (let more = 20; more <= 215; more += 10) {
      await userEvent.click(await screen.findByRole('button', { name: 'Show 10 more invoices' }));
      await waitFor(() => expect(shown()).toBe(more));
    }
    await userEvent.click(await screen.findByRole('button', { name: 'Show 5 more invoices' }));
    await waitFor(() => expect(shown()).toBe(215));
    expect(api.calls.filter((c) => c.path === '/agreements/A-2/invoices').map((c) => c.query.page)).toEqual(['1', '2', '3']);
  });

  row('9-invoices-years', 'the other years are there at once, and a click leads to the newest invoices of a year', async () => {
    invoicesApi();
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    const others = async () => (await screen.findAllByRole('button', { name: /^20\d\d/ })).map((b) => b.textContent);
    await waitFor(async () =>
      expect(await others()).toEqual([
        expect.stringMatching(/^2025Show 12 invoices€\s1\.500,00$/),
        expect.stringMatching(/^2024Show 12 invoices/),
        expect.stringMatching(/^2023Show 2 invoices/),
      ]),
    );
    await userEvent.click(screen.getByRole('button', { name: /^2024/ }));
    const heading = await within(running).findByRole('heading', { level: 3, name: '2024' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(rows(running), '11 of 2026, 12 of 2025, and ten').toHaveLength(33);
    expect(await others()).toEqual([expect.stringMatching(/^2023/)]);
    await userEvent.click(screen.getByRole('button', { name: /^2023/ }));
    await waitFor(() => expect(rows(running)).toHaveLength(37));
    expect(screen.queryByRole('button', { name: /^20\d\d|^Show/ })).toBeNull();
  });

  row('9-invoices-years', 'a year far back is fetched in parts; only a year that is cut has a button for more', async () => {
    const many = Array.from({ length: 320 }, (_, i) =>
      invoice(`m${String(999 - i)}`, `${2026 - Math.floor(i / 80)}-06-14`, { amount: i % 2 ? 126 : 124 }),
    );
    const api = invoicesApi({
      'GET /agreements/{id}/invoices/years': [2026, 2025, 2024, 2023].map((year) => ({ year, count: 80, amount: 10, open: 0 })),
      'GET /agreements/{id}/invoices': ({ query }: Asked) =>
        many.slice((Number(query.page) - 1) * Number(query.per_page), Number(query.page) * Number(query.per_page)),
    });
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    expect(await screen.findByRole('button', { name: 'Show 10 more invoices' })).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: /^2023/ }));
    await waitFor(() => expect(rows(running)).toHaveLength(250));
    const pages = () => api.calls.filter((c) => c.path === '/agreements/A-2/invoices').map((c) => c.query.page);
    await waitFor(() => expect(pages()).toEqual(['1', '2', '3', '4']));
    await waitFor(() => expect(within(running).getByRole('heading', { name: '2023' })).toHaveFocus());
    cleanup();
    invoicesApi({
      'GET /agreements/{id}/invoices/years': [{ year: 2026, count: 10, amount: 10, open: 0 }, ...years.slice(1)],
    });
    show(<InvoicesPage />);
    expect(await screen.findByRole('button', { name: /^2025/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /more invoice/ }), 'all ten of 2026 are shown').toBeNull();
  });

  row('9-invoices-add-up', 'a last line has what the lines of a year lack of its total', async () => {
    invoicesApi();
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    const rest = () =>
      within(running)
        .getAllByRole('row')
        .filter((r) => r.hasAttribute('data-rest'));
    await waitFor(() => expect(rest()).toHaveLength(1));
    const [line] = rest();
    expect(line).toHaveTextContent(/^One earlier invoice of 2026€\s124,00$/);
    const year = line?.closest('tbody');
    expect(year?.lastElementChild, '9-invoices-add-up: the last line of its year').toBe(line);
    expect(year, '9-invoices-add-up').toHaveAttribute('data-year', '2026');
    await userEvent.click(await screen.findByRole('button', { name: 'Show 10 more invoices' }));
    await waitFor(() => expect(rest().map((r) => r.textContent)).toEqual([expect.stringMatching(/^3 earlier invoices of 2025/)]));
    for (const name of ['Show 10 more invoices', 'Show 7 more invoices'])
      await userEvent.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(rest()).toEqual([]));
  });

  row('9-invoices-ended', 'an ended contract is closed, with its status, unless something of it is to be paid', async () => {
    const old = (more: object) => agreement({ id: 'A-1', from: '2020-05-01', current: false, ...more });
    for (const [status, says] of [
      ['TERMINATED', 'Ended'],
      ['CANCELLED', 'Cancelled'],
    ] as const) {
      const api = invoicesApi({ 'GET /agreements': [old({ status }), agreement({ id: 'A-2', from: '2025-05-01' })] });
      show(<InvoicesPage />);
      await table('Vast 3 jaar A-2');
      expect(screen.getByRole('button', { name: /^Vast 3 jaar A-1/, expanded: false })).toHaveTextContent(says);
      expect(screen.queryByRole('table', { name: 'Invoices of Vast 3 jaar A-1' })).toBeNull();
      expect(api.calls.filter((c) => c.path.startsWith('/agreements/A-1/'))).toEqual([]);
      await ended();
      cleanup();
    }
    const due = (more: object) => invoice('due', '2024-03-01', { agreement_identifier_with_sequence: 'A-1', ...more });
    const open = due({ payment_status: 'OUTSTANDING', balance: 10 });
    // among the agreement's newest invoices, or older than these
    for (const [invoices, known] of [
      [[open], undefined],
      [[], { invoices: [open], amount: 10, overdue_amount: 10 }],
    ] as const) {
      invoicesApi({
        'GET /agreements': [old({ status: 'TERMINATED', invoices })],
        'GET /openInvoices': known ?? refuse(404, 'not_found'),
      });
      show(<InvoicesPage />);
      await table('Vast 3 jaar A-1');
      expect(screen.getByText('Ended')).toBeVisible();
      cleanup();
    }
    for (const [invoices, other] of [
      [[due({ payment_status: 'OUTSTANDING', balance: 0 })], []],
      [[due({ payment_status: 'SETTLED', balance: 10 })], []],
      [[], [{ ...open, agreement_identifier_with_sequence: 'A-2' }]],
    ] as const) {
      invoicesApi({
        'GET /agreements': [old({ status: 'TERMINATED', invoices })],
        'GET /openInvoices': { invoices: other, amount: 0, overdue_amount: 0 },
      });
      show(<InvoicesPage />);
      await screen.findAllByText(/No open invoices|To pay/);
      screen.getByRole('button', { name: /^Vast 3 jaar A-1/, expanded: false });
      cleanup();
    }
  });

  test('the invoices in the agreement are shown before the list has loaded', async () => {
    invoicesApi({
      'GET /agreements': [agreement({ id: 'A-2', from: '2025-05-01', invoices: all.slice(0, 10) })],
      'GET /agreements/{id}/invoices': () => new Promise(() => undefined),
    });
    show(<InvoicesPage />);
    expect(rows(await table('Vast 3 jaar A-2'))).toHaveLength(10);
  });

  test('a canceled agreement expects no invoice', async () => {
    invoicesApi({
      'GET /agreements': [agreement({ id: 'A-2', from: '2025-05-01', status: 'CANCELLED' })],
      'GET /agreements/{id}/invoices': [],
    });
    show(<InvoicesPage />);
    await userEvent.click(await screen.findByRole('button', { name: /^Vast 3 jaar A-2/ }));
    expect(await screen.findByText('This contract was cancelled, so there are no invoices.')).toBeVisible();
  });

  row('2.1-invoices-highlight', 'only annual and final statements are highlighted', async () => {
    invoicesApi();
    show(<InvoicesPage />);
    const running = rows(await table('Vast 3 jaar A-2'));
    expect(running.map((r) => r.hasAttribute('data-strong'))).toEqual(running.map((_, i) => i === 2));
    expect(running[2]).toHaveTextContent('Annual statement');
    const [final] = rows(await ended());
    expect(final).toHaveAttribute('data-strong');
    expect(final).toHaveTextContent('Final statement');
    cleanup();
    const types = ['INVOICE', 'PERIODICAL', 'ANNUAL', 'FINAL', 'MAR', 'MEAR', 'DISCOUNT'] as const;
    for (const [more, open] of [
      [{ payment_status: 'OPEN', balance: 3 }, true],
      [{ payment_status: 'PAID', balance: 0 }, false],
    ] as const) {
      invoicesApi({
        'GET /agreements/{id}/invoices': () =>
          types.map((invoice_type, i) => invoice(`t${9 - i}`, '2026-11-14', { invoice_type, ...more })),
      });
      show(<InvoicesPage />);
      const every = rows(await table('Vast 3 jaar A-2'));
      expect(every.map((r) => r.hasAttribute('data-strong'))).toEqual([false, false, true, true, false, false, false]);
      expect(every.map((r) => r.hasAttribute('data-open'))).toEqual(types.map(() => open));
      cleanup();
    }
  });

  row(['4-balance-show-open', '4-balance-show-paid', '4-balance-show-other'], 'shows a text for every status', async () => {
    const statusTexts = {
      OUTSTANDING: 'Open',
      CANCELLED: 'Open',
      OPEN: 'Open',
      WRITE_OFF: 'Open',
      INVALID: 'Open',
      IN_SETTLEMENT: 'Open',
      PAID: 'Paid',
      CLOSED: 'Paid',
      OVERPAYMENT: 'Paid',
      REFUND: 'Refund',
      SETTLED: 'Settled',
      PAYMENT_IN_PROGRESS: 'Payment in progress',
    } as const;
    const statuses = Object.keys(statusTexts) as (keyof typeof statusTexts)[];
    invoicesApi({
      'GET /agreements/{id}/invoices/years': [{ year: 2026, count: statuses.length, amount: 66, open: 0 }],
      'GET /agreements/{id}/invoices': () =>
        statuses.map((payment_status, i) => invoice(`s${99 - i}`, '2026-11-14', { payment_status, amount: i })),
    });
    show(<InvoicesPage />);
    const running = await table('Vast 3 jaar A-2');
    await userEvent.click(await screen.findByRole('button', { name: 'Show 2 more invoices' }));
    expect(rows(running).map((r) => within(r).getAllByRole('cell')[2]?.textContent)).toEqual(Object.values(statusTexts));
  });

  row('9-invoice-overdue', 'the mark of an overdue invoice says so, on the page and among the latest', async () => {
    const list = [
      invoice('a', '2026-11-20', { balance: 125, payment_status: 'OUTSTANDING' }), // today
      invoice('b', '2026-11-19', { balance: 125, payment_status: 'OUTSTANDING' }),
      invoice('c', '2026-10-14', { balance: 20, payment_status: 'OPEN' }),
      invoice('d', '2026-09-14', { balance: 0, payment_status: 'OPEN' }),
      invoice('e', '2026-08-14', { balance: 25, payment_status: 'CANCELLED' }),
    ];
    const want = ['Open', 'Open, overdue', 'Open, overdue', 'Open', 'Open'];
    invoicesApi({
      'GET /agreements': [agreement({ id: 'A-2', from: '2025-05-01', invoices: list })],
      'GET /agreements/{id}/invoices': () => list,
    });
    show(<InvoicesPage />);
    const running = rows(await table('Vast 3 jaar A-2'));
    expect(running.map((r) => within(r).getAllByRole('cell')[2]?.textContent)).toEqual(want);
    expect(
      running.map((r) => r.hasAttribute('data-open')),
      '9-invoices-open',
    ).toEqual([true, true, true, false, false]);
    const part = /€.\d+,\d\d still to pay/;
    const parts = (all: HTMLElement[]) => all.map((r) => part.exec(r.textContent ?? '')?.[0].slice(2));
    const stillOpen = [undefined, undefined, '20,00 still to pay', undefined, undefined];
    expect(parts(running), 'of an invoice of which a part was paid').toEqual(stillOpen);
    cleanup();
    show(<LatestInvoices />);
    const latest = await screen.findAllByRole('listitem');
    expect(parts(latest)).toEqual(stillOpen);
    expect(latest.map((i) => /Open(, overdue)?/.exec(i.textContent ?? '')?.[0])).toEqual(want);
  });

  row('9-invoices-runs', 'equal paid term amounts are one line that opens to its invoices', async () => {
    const term = (id: string, month: string, more = {}) =>
      invoice(id, `2026-${month}-01`, {
        amount: 194,
        period_end_date: new Date(Date.UTC(2026, Number(month), 0)).toISOString().slice(0, 10),
        ...more,
      });
    invoicesApi({
      'GET /agreements/{id}/invoices': () => [
        term('open', '11', { payment_status: 'OPEN', balance: 194 }),
        ...['10', '09', '08', '07', '06', '05', '04'].map((month) => term(month, month)),
        term('alone', '03', { amount: 184.5 }),
        ...['02', '01'].map((month) => term(month, month, { amount: 180.5 })),
      ],
    });
    for (const [locale, texts] of [
      ['en', ['Monthly amount, 7 × € 194', 'for April to October 2026', '2 × € 180,50', 'Paid', 'Show 7 monthly amounts']],
      ['nl', ['Termijnbedrag, 7 × € 194', 'over april t/m oktober 2026', '2 × € 180,50', 'Betaald', 'Toon 7 termijnen']],
    ] as const) {
      const { unmount } = show(<InvoicesPage />, { locale });
      const running = (await screen.findAllByRole('table'))[0] as HTMLElement;
      const [open, seven, alone, two] = rows(running);
      expect(rows(running)).toHaveLength(4);
      expect(open).toHaveTextContent('Open');
      expect(seven).toHaveTextContent(texts[0]);
      expect(seven).toHaveTextContent(texts[1]);
      expect(within(seven as HTMLElement).getAllByRole('cell')[2]?.textContent).toBe(texts[3]);
      expect(within(seven as HTMLElement).getAllByRole('cell')[3]).toHaveTextContent('€ 1.358,00');
      expect(alone).toHaveTextContent('€ 184,50');
      expect(two).toHaveTextContent(texts[2]);
      expect(within(two as HTMLElement).getAllByRole('cell')[3]).toHaveTextContent('€ 361,00');
      const button = within(running).getByRole('button', { name: `${texts[4]} ${texts[1]}` });
      expect(button.textContent?.trim()).toBe(texts[4]);
      expect(button).toHaveAttribute('aria-expanded', 'false');
      await userEvent.click(button);
      expect(button).toHaveAttribute('aria-expanded', 'true');
      const dates = rows(running).map((r) => r.querySelector('time')?.dateTime.slice(5, 7));
      expect(dates, 'in their order, right after the line').toEqual([
        '11',
        '10',
        '10',
        '09',
        '08',
        '07',
        '06',
        '05',
        '04',
        '03',
        '02',
      ]);
      for (const r of rows(running).slice(2, 9)) within(r).getByRole('button', { name: /^(Download|.*downloaden$)/ });
      await userEvent.click(button);
      expect(rows(running)).toHaveLength(4);
      unmount();
    }
    // a run does not continue into another year; an invoice with a balance or a settlement is not part of a run
    const settlement = {
      receivable: { invoice_reference: 'x', amount_value: 1, invoice_type: 'INVOICE' as const },
      payables: [],
      rest_amount: 0,
      payment_reference: '',
    };
    invoicesApi({
      'GET /agreements/{id}/invoices': () => [
        term('i9', '08'),
        term('i8', '07'),
        term('i7', '06', { balance: 3 }),
        term('i6', '05'),
        term('i5', '04', { settlement }),
        term('i4', '02'),
        term('i3', '01'),
        invoice('i2', '2025-12-01', { amount: 194, period_end_date: '2025-12-31' }),
        invoice('i1', '2025-11-01', { amount: 194, period_end_date: '2025-11-30' }),
      ],
    });
    show(<InvoicesPage />);
    expect(rows(await table('Vast 3 jaar A-2')).map((r) => within(r).getAllByRole('cell')[1]?.textContent)).toEqual([
      expect.stringMatching(/^Monthly amount, 2 × €\s194for July to August 2026Show 2 monthly amounts/),
      expect.stringMatching(/^Monthly amount June 2026/),
      'Monthly amount May 2026',
      expect.stringMatching(/^Monthly amount April 2026/),
      expect.stringMatching(/^Monthly amount, 2 × €\s194for January to February 2026/),
      expect.stringMatching(/^Monthly amount, 2 × €\s194for November to December 2025/),
    ]);
  });

  test('shows the open amount, and the invoices it was settled with', async () => {
    const settled = (of: string) => ({ invoice_reference: of, amount_value: 1, invoice_type: 'INVOICE' as const });
    invoicesApi({
      'GET /agreements/{id}/invoices': () => [
        invoice('a', '2026-11-14', { amount: 86.2, balance: 40, payment_status: 'OUTSTANDING' }),
        invoice('b', '2026-10-14', {
          settlement: { receivable: settled('b'), payables: [settled('K-7')], rest_amount: 75, payment_reference: 'V' },
        }),
        invoice('c', '2026-09-14', {
          amount: -127.18,
          settlement: { receivable: settled(''), payables: [], rest_amount: 127.18, payment_reference: 'V' },
        }),
      ],
    });
    show(<InvoicesPage />);
    const [a, b, c] = rows(await table('Vast 3 jaar A-2'));
    expect(a).toHaveTextContent('€ 40,00 still to pay');
    expect(b).toHaveTextContent('Settled with K-7, € 75,00 left');
    expect(c).not.toHaveTextContent('Settled'); // not settled with another invoice, so the whole amount remains
  });

  row('8-invoices-failed', 'the list is empty, with a text', async () => {
    for (const failure of [
      () => refuse(404, 'not_found'),
      () => refuse(503, 'unavailable'),
      () => Promise.reject(new TypeError('network')),
    ]) {
      const api = invoicesApi({
        'GET /agreements': [agreement({ id: 'A-2', from: '2025-05-01', invoices: all.slice(0, 3) })],
        'GET /agreements/{id}/invoices': failure,
      });
      const { unmount } = show(<InvoicesPage />);
      await screen.findByText('No invoices to show');
      expect(screen.queryByRole('table')).toBeNull();
      api.answers['GET /agreements/{id}/invoices'] = () => all.slice(0, 3);
      await userEvent.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);
      expect(rows(await table('Vast 3 jaar A-2'))).toHaveLength(3);
      unmount();
    }
  });

  test('months are fetched when they are opened', async () => {
    const api = invoicesApi({ 'GET /agreements/{id}/billed': [{ month: '2026-10', amount: 125 }] });
    show(<InvoicesPage />);
    await table('Vast 3 jaar A-2');
    const asked = () => api.calls.filter((c) => c.path.endsWith('/billed'));
    expect(asked()).toEqual([]);
    await userEvent.click(screen.getAllByRole('button', { name: 'Billed per month' })[0] as HTMLElement);
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(asked()[0]?.query).toEqual({ months: '24' });
    await userEvent.click(await screen.findByRole('button', { name: /table/i }));
    expect(await screen.findByRole('table', { name: /Billed per month/ })).toHaveTextContent('€ 125,00');
  });
});

describe('files', () => {
  row('2.1-invoices-download', 'each invoice has a link; the file has the name in the response', async () => {
    const api = invoicesApi({ 'GET /invoices/{id}/file': () => file('factuur-i0.pdf', '%PDF-1.7') });
    show(<InvoicesPage />);
    const running = rows(await table('Vast 3 jaar A-2'));
    for (const r of running) expect(within(r).getByRole('button', { name: /^Download/ })).toBeVisible();
    const [final] = rows(await ended());
    expect(within(final as HTMLElement).queryByRole('button')).toBeNull();
    await userEvent.click(within(running[0] as HTMLElement).getByRole('button', { name: 'Download PDF of monthly amount' }));
    await waitFor(() => expect(api.saved).toEqual([{ name: 'factuur-i0.pdf', file: expect.anything() }]));
    expect(api.calls.at(-1)?.path).toBe('/invoices/i0/file');
  });

  test('a missing file shows an error at its row only', async () => {
    const api = invoicesApi({ 'GET /invoices/{id}/file': () => refuse(404, 'file_not_found') });
    show(<InvoicesPage />);
    const running = rows(await table('Vast 3 jaar A-2'));
    await userEvent.click(within(running[1] as HTMLElement).getByRole('button'));
    expect(await screen.findByRole('alert')).toHaveTextContent(/cannot find this file/);
    expect(running[1]).toContainElement(screen.getByRole('alert'));
    expect(api.saved).toEqual([]);
  });

  test('a year is one ZIP, fetched by the browser itself', async () => {
    const api = invoicesApi();
    show(<InvoicesPage />);
    await table('Vast 3 jaar A-2');
    await userEvent.click(screen.getByRole('button', { name: 'All as zip: invoices of 2026' }));
    await waitFor(() => expect(api.saved).toEqual([{ path: '/api/v0/agreements/A-2/invoices/archive?year=2026' }]));
  });
});

row('9-invoices-open', 'above the invoices stands what is to be paid and how, or that all is paid', async () => {
  const due = (id: string, day: string, of = 'A-2') =>
    invoice(id, day, { balance: 42.35, payment_status: 'OPEN', agreement_identifier_with_sequence: of });
  const open = (invoices: ReturnType<typeof invoice>[], overdue_amount = 0) => ({
    invoices,
    amount: invoices.length * 42.35,
    overdue_amount,
  });
  for (const [answer, want] of [
    [open([]), ['No open invoices']],
    [
      open([due('a', '2026-11-29')]),
      ['To pay€ 42,35', 'We collect this from your account. There is nothing you have to do.', 'will be collected on 29-11-2026'],
    ],
    [
      open([due('late', '2026-11-01'), due('a', '2026-11-29')], 42.35),
      [
        'To pay€ 84,70of which € 42,35 is overdue',
        'We collect part of this from your account. How to pay the rest is on the invoice.',
        'by 01-11-2026',
        'will be collected on 29-11-2026',
      ],
    ],
    [open([due('late', '2026-11-01')], 42.35), ['To pay€ 42,35all of it overdue', 'How to pay is on the invoice.']],
    [open([due('other', '2026-11-29', 'B-1')]), ['To pay€ 42,35', 'How to pay is on the invoice.', 'by 29-11-2026']],
  ] as const) {
    invoicesApi({ 'GET /openInvoices': answer });
    const { container } = show(<InvoicesPage />);
    const text = () => container.textContent?.replaceAll('\u00a0', ' ');
    for (const words of want) await waitFor(() => expect(text()).toContain(words));
    expect(text()?.includes('No open invoices')).toBe(want[0] === 'No open invoices');
    expect(text()?.includes('To pay')).toBe(want[0] !== 'No open invoices');
    expect(/of which|all of it/.test(text() ?? '')).toBe(want[0].includes('overdue'));
    const [said] = screen.getAllByText(/No open invoices|To pay/) as [HTMLElement];
    const list = await table('Vast 3 jaar A-2');
    expect(said.compareDocumentPosition(list), 'above the invoices').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    cleanup();
  }
  // an earlier release of the module does not have this operation, so the page makes no statement
  invoicesApi({ 'GET /openInvoices': refuse(404, 'not_found') });
  show(<InvoicesPage />);
  await table('Vast 3 jaar A-2');
  expect(document.body).not.toHaveTextContent(/To pay|No open invoices/);
});

row(
  ['9-invoices-latest', '2.1-dashboard-latest-invoices'],
  'the latest are at most five lines over all contracts, in which equal paid term amounts are one',
  async () => {
    const of = (id: string, invoices: ReturnType<typeof invoice>[]) => agreement({ id, from: '2025-05-01', invoices });
    const terms = (name: string, amount: number) =>
      ['11', '10', '09'].map((month) =>
        invoice(`${name}${month}`, `2026-${month}-01`, {
          amount,
          period_end_date: new Date(Date.UTC(2026, Number(month), 0)).toISOString().slice(0, 10),
        }),
      );
    // two contracts with the same amount, whose invoices alternate
    customerApi({
      'GET /agreements': [
        of('A-2', [...terms('a', 125), invoice('year', '2026-08-14', { invoice_type: 'ANNUAL' })]),
        of('B-1', terms('b', 125)),
      ],
    });
    show(<LatestInvoices />);
    expect((await screen.findAllByRole('listitem')).map((i) => i.textContent?.replaceAll('\u00a0', ' '))).toEqual([
      'Monthly amount, 3 × € 125for September to November 2026Paid€ 375,00',
      'Monthly amount, 3 × € 125for September to November 2026Paid€ 375,00',
      'Annual statementfor 2026Paid€ 125,00',
    ]);
    cleanup();
    // if the ten newest invoices of a contract fill a page, older ones of another contract are not shown, because newer ones may be
    // missing
    const ten = Array.from({ length: 10 }, (_, i) => invoice(`t${i}`, `2026-11-${20 - i}`));
    customerApi({
      'GET /agreements': [
        of('A-2', ten),
        of('B-1', [invoice('old', '2026-11-10', { amount: 10 }), invoice('new', '2026-11-12')]),
      ],
    });
    show(<LatestInvoices />);
    expect((await screen.findAllByRole('listitem')).map((i) => i.textContent?.replaceAll('\u00a0', ' '))).toEqual([
      expect.stringMatching(/^Monthly amount, 10 × € 125/),
      expect.stringMatching(/^Monthly amountDue date 12-11-2026/),
    ]);
    cleanup();
    const turn = [
      invoice('jan', '2026-01-01', { period_end_date: '2026-01-31' }),
      invoice('dec', '2025-12-01', { period_end_date: '2025-12-31' }),
      invoice('open', '2025-11-01', { payment_status: 'OPEN', balance: 125 }),
    ];
    customerApi({ 'GET /agreements': [of('A-2', turn)] });
    show(<LatestInvoices />);
    expect((await screen.findAllByRole('listitem')).map((i) => i.textContent?.replaceAll('\u00a0', ' '))).toEqual([
      'Monthly amountfor January 2026Paid€ 125,00',
      'Monthly amountfor December 2025Paid€ 125,00',
      'Monthly amountpay by 01-11-2025Open, overdue€ 125,00',
    ]);
    cleanup();
    customerApi({ 'GET /agreements': [of('A-2', all.slice(0, 10))] });
    show(<LatestInvoices />);
    expect(await screen.findAllByRole('listitem')).toHaveLength(5);
    expect(screen.getByRole('link', { name: 'All invoices' })).toHaveAttribute('href', '/invoices');
  },
);
