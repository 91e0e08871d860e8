import { cleanup, screen, waitFor } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import type { Forecast, Summary } from './api';
import { wholeEuros } from './forecast.rules';
import MonthSummary from './month-summary';
import MonthTile from './month-tile';
import { cost, costRow, customerApi, eans, point, reading, series, show } from './testing';

afterEach(cleanup);

const text = (e: Element | null) => e?.textContent?.replaceAll('\u00a0', ' ');
const usage = { so_far: 152, added: 0, expected: 240, low: 228, high: 252 };
const electricity: Forecast['connections'][number] = {
  ean_code: eans.electricity,
  commodity: 'ELECTRICITY',
  unit: 'KWH',
  until: '2026-11-20',
  last_day: '2026-11-19',
  usage,
  cost: { estimated: false, so_far: 61.4, expected: 86.2, low: 82, high: 90.4, last_year: null },
  unknown: [],
};
const gas: Forecast['connections'][number] = {
  ...electricity,
  ean_code: eans.gas,
  commodity: 'GAS',
  unit: 'M3N',
  usage: { so_far: 61, added: 0, expected: 95, low: 88, high: 102 },
  cost: { estimated: false, so_far: 80.8, expected: 114.9, low: 106.6, high: 123.2, last_year: null },
};
const forecast = (more: Partial<Forecast> = {}): Forecast => ({
  month: '2026-11',
  connections: [electricity, gas],
  total: { estimated: false, so_far: 142.2, expected: 201.1, low: 188.6, high: 213.6, last_year: null },
  ...more,
});
const summary: Summary = {
  month: '2026-11',
  commodity: 'ELECTRICITY',
  unit: 'KWH',
  consumption: 152,
  same_days: null,
  same_month_last_year: null,
  days: [8, 8],
  consent_needed: false,
};
const tile = () => show(<MonthTile hide={() => undefined} />).container;

row('9-dashboard-hero', 'this month so far and what is expected, in all, for electricity and for gas', async () => {
  const api = customerApi({ 'GET /usage/forecast': forecast() });
  const container = tile();
  expect(await screen.findByText('€ 142,20')).toBeVisible();
  expect(text(container)).toContain('up to and including 19-11-2026');
  expect(text(container)).toContain('We expect € 201 for the whole month, between € 189 and € 214.');
  expect(screen.getByRole('img', { name: /^€\s142,20 of about €\s201$/ })).toBeVisible();
  expect(screen.getAllByRole('listitem').map(text)).toEqual([
    'Electricity€ 61,40 of about € 86152 kWh of about 240 kWh',
    'Gas€ 80,80 of about € 11561 m³ of about 95 m³',
  ]);
  const bars = screen.getAllByRole('listitem').map((part) => (part.querySelector('b') as HTMLElement).style.width);
  expect(
    bars.map((w) => Math.round(Number.parseFloat(w))),
    '9-dashboard-hero: of what is expected',
  ).toEqual([63, 64]);
  expect(screen.getByRole('link', { name: 'See your usage' })).toHaveAttribute('href', '/usage');
  expect(text(container)).not.toContain('is counted');
  expect(api.calls.some((c) => JSON.stringify(c).includes('/usage/summary'))).toBe(false);
  cleanup();
  show(<MonthSummary />);
  expect(await screen.findByText('€ 201')).toBeVisible();
});

row('9-hero-last-year', 'the bar has a mark at what this month cost a year ago, and a sentence says it', async () => {
  const total = { estimated: false, so_far: 142.2, expected: 201.1, low: 188.6, high: 213.6 };
  customerApi({ 'GET /usage/forecast': forecast({ total: { ...total, last_year: 427.2 } }) });
  const container = tile();
  await screen.findByText('€ 142,20');
  expect(text(container)).toContain('between € 189 and € 214.In November 2025 it was € 427.');
  const mark = screen.getByRole('img', { name: /^€\s142,20/ }).querySelector('s') as HTMLElement;
  expect(Number.parseFloat(mark.style.insetInlineStart), 'more than the band: before the corner of the bar').toBeCloseTo(
    98.04,
    2,
  );
  cleanup();
  customerApi({ 'GET /usage/forecast': forecast({ total: { ...total, last_year: 106.8 } }) });
  tile();
  await screen.findByText('€ 142,20');
  expect((screen.getByRole('img', { name: /^€\s142,20/ }).querySelector('s') as HTMLElement).style.insetInlineStart).toBe('50%');
  cleanup();
  customerApi({ 'GET /usage/forecast': forecast() });
  const unknown = tile();
  await screen.findByText('€ 142,20');
  expect(unknown.querySelector('s'), 'not known').toBeNull();
  expect(text(unknown)).not.toContain('2025');
});

row('9-dashboard-hero', 'the parts add up to the total, of what was used and of what is expected', async () => {
  const costs = (so_far: number, expected: number) => ({
    estimated: false,
    so_far,
    expected,
    low: expected,
    high: expected,
    last_year: null,
  });
  customerApi({
    'GET /usage/forecast': forecast({
      connections: [
        { ...electricity, cost: costs(41.47, 62.6) },
        { ...gas, cost: costs(111.26, 189.6) },
      ],
      total: costs(152.73, 252.2), // 63 and 190 would add up to 253
    }),
  });
  const container = tile();
  expect(await screen.findByText('€ 152,73')).toBeVisible();
  expect(text(container)).toContain('We expect € 252 for the whole month.');
  expect(screen.getAllByRole('listitem').map((e) => text(e)?.slice(0, 40))).toEqual([
    expect.stringContaining('€ 41,47 of about € 63152 kWh'),
    expect.stringContaining('€ 111,26 of about € 18961 m³'),
  ]);
  for (const [amounts, whole] of [
    [
      [62.6, 189.6],
      [63, 189],
    ],
    [
      [0.5, 0.5],
      [1, 0],
    ],
    [
      [10.4, 20.4, 30.4],
      [11, 20, 30],
    ],
    [
      [-3.5, 12.2],
      [-3, 12],
    ],
    [
      [-0.4, -0.4],
      [0, -1],
    ],
    [[86.2], [86]],
    [[], []],
  ])
    expect(wholeEuros(amounts ?? [])).toEqual(whole);
});

row('9-dashboard-hero', 'estimated usage stands next to the measured one if the cost counts it and it shows', async () => {
  const cost = { estimated: true, so_far: 61.4, expected: 86.2, low: 82, high: 90.4, last_year: null };
  for (const [one, said] of [
    [{ usage: { ...usage, added: 3 }, cost }, '152 kWh measured and 3 kWh estimated, of about 240 kWh'],
    [{ usage: { ...usage, added: 0.4 }, cost }, '152 kWh of about 240 kWh'],
    [{ usage: { ...usage, added: 3 }, cost: { ...cost, estimated: false } }, '152 kWh of about 240 kWh'],
  ] as const) {
    customerApi({ 'GET /usage/forecast': forecast({ connections: [{ ...electricity, ...one }] }) });
    const { unmount } = show(<MonthTile hide={() => undefined} />);
    expect(text(await screen.findByRole('listitem'))).toBe(`Electricity€ 61,40 of about € 86${said}`);
    unmount();
  }
});

row('9-dashboard-hero', 'the cost so far is called estimated, or partly estimated if anything was measured', async () => {
  const total = { estimated: true, so_far: 142.2, expected: 201.1, low: 188.6, high: 213.6, last_year: null };
  const unmeasured = { ...electricity, usage: { ...usage, so_far: 0, added: 152 } };
  for (const [connections, said] of [
    [[unmeasured, gas], '€ 142,20partly estimated, up to and including 19-11-2026'],
    [[unmeasured], '€ 142,20estimated, up to and including 19-11-2026'],
  ] as [Forecast['connections'], string][]) {
    customerApi({ 'GET /usage/forecast': forecast({ connections, total }) });
    const container = tile();
    await waitFor(() => expect(text(container)).toContain(said));
    cleanup();
  }
});

row('9-dashboard-hero', 'until the last day of which everything is measured, whichever part is behind', async () => {
  const later = { ...electricity, until: '2026-11-20' };
  const earlier = { ...gas, until: '2026-11-18' };
  for (const connections of [
    [later, earlier],
    [
      { ...later, until: earlier.until },
      { ...earlier, until: later.until },
    ],
  ]) {
    customerApi({ 'GET /usage/forecast': forecast({ connections }) });
    const container = tile();
    await waitFor(() => expect(text(container)).toContain('up to and including 17-11-2026'));
    cleanup();
  }
});

row('9-dashboard-hero', 'says until which day usage counts when that is another one', async () => {
  customerApi({ 'GET /usage/forecast': forecast({ connections: [{ ...electricity, last_day: '2026-11-20' }] }) });
  const container = tile();
  await waitFor(() => expect(text(container)).toContain('Usage is counted up to and including 20-11-2026.'));
  expect(text(container)).toContain('up to and including 19-11-2026');
});

row(
  ['9-dashboard-hero', '9-usage-last-reading'],
  'without consent what the last complete month cost, if that is known',
  async () => {
    const { usage: _, cost: __, until: ___, last_day: ____, ...rest } = electricity;
    const { total: _____, ...all } = forecast({
      connections: [
        { ...rest, reason: 'consent' },
        { ...rest, ean_code: eans.gas, commodity: 'GAS', unit: 'M3N', reason: 'consent' },
      ],
    });
    const october = { last_month: true, consent_needed: true, from: '2026-10-01', to: '2026-11-01', bars: [] };
    const known = (amount: number) => cost([costRow({ from: '2026-10-01', to: '2026-11-01', amount })], october);
    const answers = {
      'GET /usage/forecast': all,
      'GET /usage/summary': { ...summary, consumption: null, days: [null], consent_needed: true, reading: reading(0) },
      'GET /usage/{ean}/cost': ({ params }: { params: Record<string, string> }) => known(params.ean === eans.gas ? 110.4 : 41.4),
      'GET /usage/{ean}/series': ({ query }: { query: Record<string, string> }) =>
        series([point(`${query.from}T00:00:00+02:00`, query.from === '2025-10-01' ? 120 : query.to === '2026-11-01' ? 90 : 0)]),
    };
    customerApi(answers);
    const retitle = vi.fn();
    const { container } = show(<MonthTile hide={() => undefined} retitle={retitle} />);
    expect(await screen.findByText('€ 151,80')).toBeVisible();
    expect(text(container)).toContain('cost of what you used in October 2026');
    expect(retitle).toHaveBeenLastCalledWith('Last month'); // the tile is not about this month
    expect(text(container)).toContain('With your consent you see each day what you use and what it costs.');
    expect(text(container)).not.toContain('Meter reading');
    await waitFor(() =>
      expect(screen.getAllByRole('listitem').map(text)).toEqual([
        'Electricity€ 41,4090 kWh25% less than October 2025',
        'Gas€ 110,4090 m³25% less than October 2025',
      ]),
    );
    cleanup();
    customerApi({ ...answers, 'GET /usage/{ean}/cost': { ...known(1), total: null } });
    retitle.mockClear();
    const { container: unknown } = show(<MonthTile hide={() => undefined} retitle={retitle} />);
    await waitFor(() => expect(text(unknown)).toContain('Meter reading of 01-11-2026'));
    expect(text(unknown)).not.toContain('€');
    expect(retitle).toHaveBeenLastCalledWith('Latest measurement');
  },
);

row('9-dashboard-hero', 'before the first measurement of the month there is only what is expected', async () => {
  const none = { ...electricity, until: '2026-11-01', usage: { so_far: 0, added: 0, expected: 240, low: 228, high: 252 } };
  customerApi({
    'GET /usage/forecast': forecast({
      connections: [none],
      total: { estimated: false, so_far: 0, expected: 86.2, low: 86.2, high: 86.2, last_year: null },
    }),
  });
  const container = tile();
  await waitFor(() => expect(text(container)).toContain('€ 86expected this month'));
  expect(text(container)).toContain('We expect € 86 for the whole month.');
});

row(
  ['9-forecast-none-shown', '9-dashboard-hero'],
  'without a forecast the usage of this month, and why there is none',
  async () => {
    const without = (reason: 'history' | 'gaps' | 'changed') => {
      const { usage: _, cost: __, until: ___, ...rest } = electricity;
      const { total: ____, ...all } = forecast({ connections: [{ ...rest, reason }, gas] });
      return all;
    };
    for (const [reason, want] of [
      ['history', 'once we have measured for more than a year'],
      ['gaps', 'too many measurements of last year are missing'],
      ['changed', 'too different from last year'],
    ] as const) {
      customerApi({ 'GET /usage/forecast': without(reason), 'GET /usage/summary': summary });
      const container = tile();
      await waitFor(() => expect(text(container)).toContain(want));
      expect(text(container)).toContain('152 kWh');
      cleanup();
    }
    // the cost is unknown, but the usage is known
    const { total: _, ...unpriced } = forecast();
    customerApi({ 'GET /usage/forecast': unpriced, 'GET /usage/summary': summary });
    const container = tile();
    await waitFor(() => expect(text(container)).toContain('We expect about 240 kWh for the whole month.'));
    expect(text(container)).toContain('152 kWh');
    expect(text(container)).not.toContain('€');
  },
);
