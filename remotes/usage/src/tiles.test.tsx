import { cleanup, screen, waitFor } from '@testing-library/react';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, test, vi } from 'vitest';
import type { Latest, Summary } from './api';
import LatestTile from './latest-tile';
import MonthSummary from './month-summary';
import MonthTile from './month-tile';
import { customerApi, eans, latest, reading, show } from './testing';

afterEach(cleanup);

const summary: Summary = {
  month: '2026-11',
  commodity: 'ELECTRICITY',
  unit: 'KWH',
  consumption: 188,
  same_days: 180,
  same_month_last_year: 200,
  days: [10, null, 9],
  consent_needed: false,
};
const electricity = latest();
const text = (e: Element) => e.textContent?.replace(/\u00a0/g, ' ');

test('shows this month against last year: a number, a sentence and a sparkline', async () => {
  customerApi({ 'GET /usage/summary': summary });
  show(<MonthTile hide={() => undefined} />);
  expect(await screen.findByText('188')).toBeVisible();
  expect(screen.getByText('Electricity in November 2026: 10% less than on the same days of November 2025')).toBeVisible();
  expect(screen.getByRole('img', { name: 'Usage per day in November 2026' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'See your usage' })).toHaveAttribute('href', '/usage');
});

row('9-forecast-none-shown', 'this month without last year; no tile without measurements; a failure', async () => {
  customerApi({
    'GET /usage/summary': { ...summary, commodity: 'GAS', unit: 'M3N', same_days: null, same_month_last_year: null },
  });
  show(<MonthTile hide={() => undefined} />);
  expect(await screen.findByText('Gas in November 2026')).toBeVisible();
  cleanup();
  const hide = vi.fn();
  for (const [more, hides] of [
    [{ days: [null] }, true],
    [{ days: [null], reading: reading(0) }, false],
    [{ days: [7], consumption: 7 }, false],
  ] as const) {
    customerApi({ 'GET /usage/summary': { ...summary, consumption: null, ...more } });
    hide.mockClear();
    show(<MonthTile hide={hide} />);
    if (hides) await waitFor(() => expect(hide).toHaveBeenCalled());
    else expect(await screen.findByRole('link', { name: 'See your usage' })).toBeVisible();
    expect(hide).toHaveBeenCalledTimes(hides ? 1 : 0);
    cleanup();
  }
  customerApi({ 'GET /usage/summary': refuse(503, 'unavailable') });
  show(<MonthTile hide={() => undefined} />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
});

row(['9-number-format', '2.1-home-content'], 'shows the latest measurement of each kind, without decimals', async () => {
  const gas: Latest = {
    ...electricity,
    ean_code: eans.gas,
    commodity: 'GAS',
    unit: 'M3N',
    from: '2026-10-01',
    measured: '2026-10-31',
    consumption: 112,
    feedin: null,
    previous: 98,
  };
  customerApi({ 'GET /usage/latest': [gas, electricity] });
  show(<LatestTile />);
  const texts = (await screen.findAllByRole('listitem')).map((i) =>
    [...i.querySelectorAll(':scope > div > *')].map((c) => c.textContent?.replace(/\u00a0/g, ' ')),
  );
  expect(texts).toEqual([
    ['Electricity', 'on 19-11-2026', '8 kWh', 'the day before: 8 kWh', 'fed in: 1 kWh'],
    ['Gas', '01-10-2026 to 31-10-2026', '112 m³', 'before that: 98 m³'],
  ]);
  cleanup();
  // of several meters the most recent, whatever the order of the response
  const meter = (ean: string, measured: string): Latest => ({ ...electricity, ean_code: ean, from: measured, measured });
  customerApi({ 'GET /usage/latest': [meter('1', '2026-11-17'), gas, meter('2', '2026-11-19'), meter('3', '2026-11-18')] });
  show(<LatestTile />);
  const days = (await screen.findAllByRole('listitem')).map((i) => /on \d{2}-11-2026|01-10-2026/.exec(i.textContent ?? '')?.[0]);
  expect(days, '2.1-home-content').toEqual(['on 19-11-2026', 'on 18-11-2026', '01-10-2026']);
  cleanup();
  customerApi({ 'GET /usage/latest': [] });
  show(<LatestTile />);
  expect(await screen.findByText('No measurements have come in yet.')).toBeVisible();
});

row(['9-usage-last-reading', '2.1-home-content'], 'the last meter reading where daily values may not be shown', async () => {
  const withheld: Latest = {
    ...electricity,
    from: '2026-10-01',
    measured: '2026-10-31',
    consumption: 229.4,
    previous: null,
    feedin: null,
    consent_needed: true,
    reading: { ...reading(0), consumption_normal: 12000.9, feedin_normal: null, feedin_low: null },
  };
  const { reading: _, ...gas } = { ...withheld, ean_code: eans.gas, commodity: 'GAS' as const, unit: 'M3N' as const };
  customerApi({
    'GET /usage/latest': [
      withheld,
      {
        ...gas,
        consumption: null,
        reading: {
          ...reading(0),
          consumption: null,
          consumption_normal: 611.5,
          consumption_low: null,
          feedin_normal: null,
          feedin_low: null,
        },
      },
    ],
  });
  show(<LatestTile />);
  const words = (await screen.findAllByRole('listitem')).map((i) => [...i.querySelectorAll(':scope > div > *')].map(text));
  expect(words).toEqual([
    ['Electricity', '01-10-2026 to 31-10-2026', 'Meter reading of 01-11-2026: normal 12.000, off-peak 9.000', '229 kWh'],
    ['Gas', 'Meter reading of 01-11-2026: 611'],
  ]);
  expect(screen.getByText(/With your consent you see each day what you use and what it costs/)).toBeVisible();
  cleanup();
  const month = {
    ...summary,
    consumption: null,
    same_days: null,
    same_month_last_year: null,
    days: [null],
    consent_needed: true,
    reading: withheld.reading,
  };
  customerApi({ 'GET /usage/summary': month });
  const retitle = vi.fn();
  show(<MonthTile hide={() => undefined} retitle={retitle} />);
  expect(await screen.findByText('Meter reading of 01-11-2026: normal 12.000, off-peak 9.000')).toBeVisible();
  expect(screen.getByText(/With your consent you see each day what you use and what it costs/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See your usage' })).toBeVisible();
  expect(retitle, 'it is not of this month').toHaveBeenCalledExactlyOnceWith('Latest measurement');
  cleanup();
  customerApi({ 'GET /usage/summary': { ...summary, consent_needed: true } });
  show(<MonthTile hide={() => undefined} />);
  expect(await screen.findByText('Meters for which you gave no consent are not counted.')).toBeVisible();
});

test('on a phone the title row of the tile has this month’s usage', async () => {
  customerApi({ 'GET /usage/summary': summary });
  const { container } = show(<MonthSummary />);
  await waitFor(() => expect(container).toHaveTextContent(/^188 kWh$/));
});
