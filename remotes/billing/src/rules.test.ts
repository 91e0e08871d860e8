import { cases } from '@wattle/schemas';
import { row } from '@wattle/sdk/vitest';
import { readIban } from '@wattle/ui/iban';
import { describe, expect, test } from 'vitest';
import {
  type Agreement,
  byAddress,
  byStart,
  markOf,
  openAtFirst,
  placesOf,
  streetLine,
  titleOf,
  townLine,
} from './agreement.rules';
import { checkAccountName, checkFromDate, checkIban, dayAfter } from './iban.rules';
import {
  byDueDate,
  byRun,
  byYear,
  type Invoice,
  isOverdue,
  isPayable,
  isStatement,
  latestRuns,
  monthOf,
  newestRuns,
  notShown,
  otherYears,
  shownAs,
  yearOf,
  yearsOf,
} from './invoice.rules';
import { cents } from './money';
import { exactPrice, price, pricesUntil } from './price.rules';
import { numberOf } from './product.rules';
import { checkTermAmount, sumRunning, yearEnd } from './term-amount.rules';
import { agreement, home, invoice } from './testing';

interface Case<G> {
  given: G;
  today?: string;
  want: unknown;
}
function run<G>(name: string, check: (given: G, today: string) => unknown): void {
  const all = cases<Case<G>>(name);
  expect(all.length).toBeGreaterThan(0);
  for (const { given, today = '2026-11-20', want } of all) expect(check(given, today), JSON.stringify(given)).toEqual(want);
}
/** Runs the cases in schemas/rules/<id>.json, which the Go rule also runs. */
const vectors = <G>(id: string, judge: (given: G, today: string) => unknown): void => row(id, () => run(id, judge));

interface Iban {
  iban: string;
  current: string;
}
const iban = (g: Iban) => checkIban(g.iban, g.current);
vectors('5.1-iban-normalise', (s: string) => [readIban(s)]);
vectors('5.1-iban-required', iban);
vectors('5.1-iban-same', iban);
vectors('5.1-iban-length', iban);
vectors('5.1-iban-checksum-reconcile', iban);
vectors('5.1-name-required', checkAccountName);
vectors('5.1-name-max', checkAccountName);
vectors('5.1-date-required', checkFromDate);
vectors('5.1-date-min', checkFromDate);

interface Amount {
  amount: string;
  current_amount: number;
  min_amount: number;
  max_amount: number;
}
const amount = (g: Amount) =>
  checkTermAmount(g.amount, { current: cents(g.current_amount), min: cents(g.min_amount), max: cents(g.max_amount) });
vectors('5.6-amount-range', amount);
vectors('5.6-amount-differs', amount);
vectors('5.6-amount-decimals', amount);
row('9-term-amount-advice', 'with the advised amount nothing remains to be paid, unless it is the maximum', () => {
  const all = cases<{ given: Record<string, number>; want: [number] }>('9-term-amount-advice');
  const seen = { even: 0, highest: 0 };
  for (const { given, want } of all) {
    const { months_left = 0, months_unchanged = 0 } = given;
    if (months_left === months_unchanged) continue;
    const left = yearEnd(cents(want[0]), {
      expected: cents(given.expected_cost ?? 0),
      paid: cents(given.paid ?? 0),
      current: cents(given.current_amount ?? 0),
      left: months_left,
      unchanged: months_unchanged,
    });
    if (want[0] === given.max_amount) seen.highest++;
    else expect(left, JSON.stringify(given)).toBeGreaterThanOrEqual(0);
    if (left >= 0 && left < 100 * (months_left - months_unchanged)) seen.even++;
  }
  expect(seen.highest).toBeGreaterThan(0);
  expect(seen.even).toBeGreaterThan(2);
});
vectors(
  '9-term-amount-forecast',
  (g: {
    expected_cost: number;
    paid: number;
    months_left: number;
    months_unchanged?: number;
    current_amount: number;
    amount: number;
  }) => [
    yearEnd(cents(g.amount), {
      expected: cents(g.expected_cost),
      paid: cents(g.paid),
      current: cents(g.current_amount),
      left: g.months_left,
      unchanged: g.months_unchanged ?? 0,
    }) / 100,
  ],
);

vectors('9-invoice-overdue', (i: Pick<Invoice, 'payment_status' | 'balance' | 'due_date'>, today) => [
  isPayable(i),
  isOverdue(i, today),
]);

describe('amounts', () => {
  row('9-prices-until', 'the first price that ends before the agreement does, unless another follows it', () => {
    const price = (description: string, from: string, to: string | null) =>
      ({ description, commodity: 'GAS', unit: 'm³', amount: 1, from, to }) as const;
    const until = (end: string | null, ...prices: ReturnType<typeof price>[]) =>
      pricesUntil({ period: { from: '2025-01-01', to: end }, price_agreements: prices });
    const year = price('Gas', '2026-01-01', '2026-12-31');
    expect(until('2027-08-31', year)).toBe('2026-12-31');
    expect(until(null, year)).toBe('2026-12-31');
    expect(until('2026-12-31', year)).toBeUndefined();
    expect(until('2027-01-01', year)).toBe('2026-12-31');
    expect(until('2027-08-31', year, price('Gas', '2027-01-01', '2027-08-31'))).toBeUndefined();
    expect(until('2027-08-31', year, price('Gas', '2027-01-01', null))).toBeUndefined();
    expect(until(null, price('Netbeheer', '2026-01-01', null), year), 'one of two').toBe('2026-12-31');
    expect(until(null)).toBeUndefined();
  });
  test('exact decimals of a price', () => {
    expect([price(0.28941), exactPrice(0.28941)]).toEqual(['€\u00a00,29', '€\u00a00,28941']);
    expect(exactPrice(7.5)).toBeUndefined();
  });
});

describe('bank account', () => {
  test('the day after, over the end of a month and a change of the clock', () => {
    expect(['2026-11-30', '2026-10-24', '2028-02-28'].map(dayAfter)).toEqual(['2026-12-01', '2026-10-25', '2028-02-29']);
  });
});

describe('agreements', () => {
  const of = (id: string, from: string, more: Partial<Agreement> = {}) => agreement({ id, from, ...more });
  row('2.1-agreements-order', 'sorts by start, newest first', () => {
    const sorted = byStart([of('A-1', '2020-01-01'), of('A-3', '2026-01-01'), of('A-2', '2023-05-01')]);
    expect(sorted.map((a) => a.agreement_identifier_with_sequence)).toEqual(['A-3', 'A-2', 'A-1']);
  });
  row('2.1-agreements-title-truncate', () => {
    const fifty = 'x'.repeat(50);
    expect(titleOf(fifty)).toBe(fifty);
    expect(titleOf(`${fifty}y`)).toBe(`${fifty}…`);
    expect(titleOf('Zakelijke stroom en gas met zonnepanelen voor verenigingen'), 'no part of a word').toBe(
      'Zakelijke stroom en gas met zonnepanelen voor…',
    );
    expect(titleOf(`${'Groen '.repeat(7)}stroom12 van nu`), 'the word that just fits').toBe(`${'Groen '.repeat(7)}stroom12…`);
  });
  row('2.1-agreements-deeplink-open', 'opens the requested agreement, else the first', () => {
    const all = [of('A-3', '2026-01-01'), of('A-1', '2020-01-01')];
    expect(openAtFirst(all, 'A-1')).toBe('A-1');
    expect(openAtFirst(all, undefined)).toBe('A-3');
    expect(openAtFirst(all, 'nothing')).toBe('A-3');
  });
  row('3-agreement-terminated-hidden', 'ended agreements are left out of the addresses', () => {
    const groups = byAddress([
      of('A-1', '2020-01-01', { status: 'TERMINATED' }),
      of('A-2', '2021-01-01'),
      of('A-3', '2026-01-01', { status: 'FUTURE' }),
      of('A-4', '2020-05-01', { status: 'CANCELLED' }),
    ]);
    expect(groups.map((g) => g.agreements.map((a) => a.agreement_identifier_with_sequence))).toEqual([['A-3', 'A-2', 'A-4']]);
  });
});

row('9-invoice-for', 'what tells an agreement from the others: its address, else its name, else its number', () => {
  const of = (id: string, more: Partial<Agreement> = {}) => agreement({ id, from: '2025-05-01', ...more });
  const at = (house_number: string) => ({ addresses: [{ ...home, house_number }] });
  expect(markOf('A-1', [of('A-1')]), 'there are no others').toBeUndefined();
  expect(markOf('C-1', [of('A-1'), of('B-1')]), 'it is not known').toBeUndefined();
  const three = [of('A-1', at('1')), of('B-1', at('2')), of('B-2', at('2'))];
  expect(three.map((a) => markOf(a.agreement_identifier_with_sequence, three))).toEqual([
    'Molenweg 1 A',
    'Vast 3 jaar B-1',
    'Vast 3 jaar B-2',
  ]);
  const same = [of('A-1', { name: 'Groen' }), of('A-2', { name: 'Groen' })];
  expect(markOf('A-2', same)).toBe('A-2');
  expect(markOf('A-1', [of('A-1', { addresses: [] }), of('A-2')]), 'without an address').toBe('Vast 3 jaar A-1');
});

row('9-invoice-for', 'a statement has the years of its period', () => {
  expect(yearsOf('2025-07-01', '2026-03-31')).toBe('2025/26');
  expect(yearsOf('2026-01-01', '2026-12-31')).toBe('2026');
  expect(yearsOf('1999-04-01', '2000-03-31')).toBe('1999/00');
});

describe('invoices', () => {
  row('2.1-invoices-highlight', () => {
    const kinds = ['INVOICE', 'PERIODICAL', 'ANNUAL', 'FINAL', 'MAR', 'MEAR', 'DISCOUNT'] as const;
    expect(kinds.filter((invoice_type) => isStatement({ invoice_type }))).toEqual(['ANNUAL', 'FINAL']);
  });
  row('9-invoices-runs', 'only successive, equal, paid term amounts are a run', () => {
    const of = (more: Partial<Invoice>[]) =>
      byRun(more.map((m, i) => invoice(String(i), '2026-11-14', m))).map((run) => run.map((i) => i.invoice_id).join(''));
    expect(of([{}, { payment_status: 'CLOSED' }, { payment_status: 'OVERPAYMENT' }, { amount: 126 }, {}, {}])).toEqual([
      '012',
      '3',
      '45',
    ]);
    const settled = {
      receivable: { invoice_reference: 'x', amount_value: 1, invoice_type: 'INVOICE' },
      payables: [],
      rest_amount: 0,
      payment_reference: '',
    } as const satisfies Record<string, unknown>;
    const alone: Partial<Invoice>[] = [
      { invoice_type: 'ANNUAL' },
      { invoice_type: 'INVOICE' },
      { payment_status: 'OUTSTANDING', balance: 125 },
      { payment_status: 'SETTLED' },
      { payment_status: 'PAYMENT_IN_PROGRESS' },
      { balance: 3 },
      { settlement: { ...settled, payables: [] } },
    ];
    for (const other of alone) expect(of([{}, other, other, {}]), JSON.stringify(other)).toEqual(['0', '1', '2', '3']);
    expect(of([])).toEqual([]);
  });
  row('9-invoices-runs', 'a run ends with its year, and no page cuts it', () => {
    const list = Array.from({ length: 30 }, (_, i) => {
      const day = new Date(Date.UTC(2026, 2 - i, 14)).toISOString().slice(0, 10);
      return invoice(String(i), day, i === 8 ? { invoice_type: 'ANNUAL' } : {});
    });
    const lengths = (count: number) => newestRuns(list, count).map((r) => r.length);
    expect(lengths(30)).toEqual([3, 5, 1, 6, 12, 3]);
    expect(lengths(3)).toEqual([3]);
    expect(lengths(4)).toEqual([3, 5]);
    expect(lengths(10)).toEqual([3, 5, 1, 6]);
    expect(lengths(15)).toEqual([3, 5, 1, 6]);
    expect(lengths(16)).toEqual([3, 5, 1, 6, 12]);
    // the latest invoices have the same lines, even if an agreement has more invoices than it contains
    expect(latestRuns([list.slice(0, 15)]).map((r) => r.length)).toEqual([3, 5, 1, 6]);
  });
  row('9-invoices-add-up', 'the shown invoices and the rest are the total of the year', () => {
    // amounts of three kinds, so that there are runs, with cents for which a floating-point sum is wrong
    const list = Array.from({ length: 40 }, (_, i) =>
      invoice(String(i).padStart(2, '0'), `${2026 - Math.floor(i / 15)}-03-14`, {
        amount: [178.1, 178.1, -12.35, 310.2][(i * 7) % 4] ?? 0,
      }),
    );
    for (let count = 0; count <= list.length; count++) {
      for (const group of byYear(newestRuns(list, count))) {
        const all = list.filter((i) => yearOf(i) === group.year);
        const sum = (some: readonly Invoice[]) => some.reduce((cs, i) => cs + cents(i.amount), 0);
        const rest = notShown(group, { count: all.length, amount: sum(all) / 100 });
        const shown = group.runs.flat();
        expect(shown.length + rest.count).toBe(all.length);
        expect(sum(shown) + rest.amount).toBe(sum(all));
      }
    }
  });
  row('2.1-invoices-order', () => {
    const list = byDueDate([invoice('a', '2025-12-31'), invoice('b', '2026-02-01'), invoice('c', '2026-01-14')]);
    expect(list.map((i) => i.invoice_id)).toEqual(['b', 'c', 'a']);
  });
  row(['2.1-invoices-year-basis', '2.1-invoices-grouping'], 'the year is that of the due date', () => {
    const groups = byYear(
      byRun([
        { ...invoice('a', '2026-01-05'), issue_date: '2025-12-20' },
        { ...invoice('b', '2025-12-31'), issue_date: '2025-12-17' },
      ]),
    );
    expect(groups.map((g) => [g.year, g.runs.flat().map((i) => i.invoice_id)])).toEqual([
      ['2026', ['a']],
      ['2025', ['b']],
    ]);
  });
  row(
    ['4-balance-show-open', '4-balance-show-paid', '4-balance-show-other'],
    'every status of the server has a displayed status',
    () => {
      const shown = (...all: string[]) => [...new Set(all.map(shownAs))];
      expect(shown('OUTSTANDING', 'CANCELLED', 'OPEN', 'WRITE_OFF', 'INVALID', 'IN_SETTLEMENT')).toEqual(['open']);
      expect(shown('PAID', 'CLOSED', 'OVERPAYMENT')).toEqual(['paid']);
      expect(['REFUND', 'SETTLED', 'PAYMENT_IN_PROGRESS', 'LATER'].map(shownAs)).toEqual([
        'refund',
        'settled',
        'progress',
        undefined,
      ]);
    },
  );
  test('recognizes a whole month and a part of one', () => {
    expect(monthOf('2026-02-01', '2026-02-28')).toBe('2026-02');
    expect(monthOf('2028-02-01', '2028-02-28')).toBeUndefined();
    expect(monthOf('2026-02-02', '2026-02-28')).toBeUndefined();
  });
});

describe('the rows of a page', () => {
  const of = (id: string, from: string, more: Partial<Agreement> = {}) => agreement({ id, from, ...more });
  const ids = (all: readonly Agreement[]) => all.map((a) => a.agreement_identifier_with_sequence);
  const address = { ...(of('A-1', '2020-01-01').addresses[0] as Agreement['addresses'][number]), house_number_extension: 'A' };

  row('2.1-agreements-order', 'for equal starts the higher sequence is first, compared as a number', () => {
    expect(ids(byStart([of('A-9', '2026-01-01'), of('A-10', '2026-01-01')]))).toEqual(['A-10', 'A-9']);
    expect(ids(byStart([of('A-2', '2026-01-01'), of('A-3', '2026-01-01')]))).toEqual(['A-3', 'A-2']);
  });
  row('2.1-agreements-title-truncate', 'trims the space before the ellipsis, and keeps a leading space', () => {
    expect(titleOf(` ${'x'.repeat(48)} yz`)).toBe(` ${'x'.repeat(48)}…`);
    expect(titleOf('😀'.repeat(51))).toBe(`${'😀'.repeat(50)}…`);
  });
  row('2.1-agreements-deeplink-open', 'also by the identifier in links of products; nothing when there are no agreements', () => {
    const all = [of('A-3', '2026-01-01'), of('B-1', '2020-01-01')];
    expect(openAtFirst(all, 'B')).toBe('B-1');
    expect(openAtFirst([], 'B')).toBeUndefined();
  });
  row('9-contract-number', 'a product has the number of the agreement that runs on its first day', () => {
    const all = [of('A-1', '2020-01-01'), of('A-3', '2026-01-01'), of('A-2', '2023-01-01'), of('B-1', '2024-01-01')];
    for (const [day, number] of [
      ['2020-01-01', 'A-1'],
      ['2022-12-31', 'A-1'],
      ['2023-01-01', 'A-2'],
      ['2026-05-01', 'A-3'],
      ['2019-12-31', 'A-1'], // before all of them
    ] as const)
      expect(numberOf({ agreement_identifier: 'A', start_date: day }, all), day).toBe(number);
    expect(numberOf({ agreement_identifier: 'C', start_date: '2026-01-01' }, all)).toBe('C');
  });
  test('formats an address in two lines', () => {
    expect(streetLine(address)).toBe(`${address.street} ${address.house_number} A`);
    expect(streetLine({ ...address, house_number_extension: '' })).toBe(`${address.street} ${address.house_number}`);
    for (const [zip_code, shown] of [
      ['9861GT', '9861 GT'],
      ['9861  gt', '9861 gt'],
      ['B9861GT', 'B9861GT'],
      ['9861GTX', '9861GTX'],
    ] as const)
      expect(townLine({ zip_code, city: 'Grootegast' })).toBe(`${shown} Grootegast`);
  });
  test('the delivery addresses are the shipping addresses, or all addresses when there are none', () => {
    const [ship, bill] = [
      { ...address, address_type: 'SHIPPING' as const },
      { ...address, address_type: 'INVOICE' as const },
    ];
    expect(placesOf(of('A-1', '2020-01-01', { addresses: [bill, ship] }))).toEqual([ship]);
    expect(placesOf(of('A-1', '2020-01-01', { addresses: [bill] }))).toEqual([bill]);
  });
  test('two spellings of an address are the same, and an agreement counts once', () => {
    const other = { ...address, city: address.city.toUpperCase() };
    const groups = byAddress([
      of('A-1', '2020-01-01', { addresses: [address, address] }),
      of('A-2', '2021-01-01', { addresses: [other] }),
      of('A-3', '2022-01-01', { addresses: [{ ...address, house_number: '99' }] }),
    ]);
    expect(groups.map((g) => ids(g.agreements))).toEqual([['A-3'], ['A-2', 'A-1']]);
    expect(groups[1]?.key).toBe(`${streetLine(address)} ${townLine(address)}`.toLowerCase());
  });
  row('2.1-invoices-grouping', 'groups invoices by year', () => {
    const list = byDueDate([invoice('a', '2026-03-01'), invoice('b', '2025-03-01'), invoice('c', '2026-04-01')]);
    const groups = byYear(byRun(list));
    expect(groups.map((g) => [g.year, ...g.runs.flat().map((i) => i.invoice_id)])).toEqual([
      ['2026', 'c', 'a'],
      ['2025', 'b'],
    ]);
    expect(byDueDate([invoice('a', '2026-03-01'), invoice('b', '2026-03-01')]).map((i) => i.invoice_id)).toEqual(['b', 'a']);
  });
  row('9-invoices-years', 'the years that are not shown, with how many invoices lead to them', () => {
    const years = [2025, 2026, 2023, 2024, 2022].map((year) => ({ year, count: year === 2022 ? 0 : 12 }));
    const shown = byYear(byRun([invoice('a', '2026-03-01')]));
    expect(otherYears(shown, years).map((y) => [y.year, y.shown])).toEqual([
      [2025, 22],
      [2024, 34],
      [2023, 46],
    ]);
    expect(otherYears([], years).map((y) => y.shown)).toEqual([10, 22, 34, 46]);
    expect(otherYears(shown, [])).toEqual([]);
  });
  test('a price of two decimals has no exact form, and at most five decimals are shown', () => {
    expect([7, 7.25, 7.125, 0.1234567].map(exactPrice)).toEqual([
      undefined,
      undefined,
      '€\u00a07,125',
      expect.stringMatching(/^€\u00a00,1234[56]$/),
    ]);
  });
  test('adds up the monthly amounts, without ended agreements', () => {
    const [gas, gone] = [{ current_amount: 20.1 }, { current_amount: 99, reason: 'billing.term_amount_ended' }];
    const power = { current_amount: 125.2, reason: 'billing.term_amount_pending' };
    expect(sumRunning([gas, gone, power])).toEqual({ running: [gas, power], total: 14_530 });
    expect(sumRunning([gone])).toEqual({ running: [], total: undefined });
  });
});
