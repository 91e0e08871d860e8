// @vitest-environment node

import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import type { Point } from './api';
import { freshness, powerIn } from './fresh.rules';
import {
  aYearEarlier,
  choose,
  comparable,
  dayOf,
  earlierValues,
  hasNext,
  inEuros,
  leftOut,
  next,
  percentOf,
  periodNameOf,
  previous,
  pricesOf,
  readSelection,
  seasonOf,
  stateOf,
  sumOf,
  type View,
  views,
} from './view.rules';
import { beaufort, isNight, skyOf } from './weather.rules';

const point = (day: string, value: number | null = 1, hour?: number): Point => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const labels = { date: { year, month, day: date }, ...(hour === undefined ? {} : { hour }) };
  return { labels, value, rounded_value: value, record: false };
};

describe('the current view', () => {
  row(['4-production-types', '4-production-default'], 'is that of the URL, or the default', () => {
    expect(views).toEqual(['WEEK4_WEEKS', 'DAY_HOURS', 'MONTH_DAYS', 'YEAR_MONTHS', 'YEAR3_YEARS']);
    expect(readSelection(null, null)).toEqual({ view: 'WEEK4_WEEKS', offset: 0 });
    for (const view of views) expect(readSelection(view, '-2')).toEqual({ view, offset: -2 });
    for (const [view, offset] of [
      ['NONE', '1'],
      ['', '0'],
      [null, '-1.5'],
      ['WEEK4', 'x'],
      ['week4_weeks', '-Infinity'],
    ] as const)
      expect(readSelection(view, offset), `${view} ${offset}`).toEqual({ view: 'WEEK4_WEEKS', offset: 0 });
  });
  row(['4-production-offset', '4-production-next', '4-production-reset'], 'goes back and forward, never into the future', () => {
    const now = choose('MONTH_DAYS');
    expect(now).toEqual({ view: 'MONTH_DAYS', offset: 0 });
    expect(hasNext(now)).toBe(false);
    expect(next(now)).toBe(now);
    const before = previous(previous(now));
    expect(before).toEqual({ view: 'MONTH_DAYS', offset: -2 });
    expect(hasNext(before)).toBe(true);
    expect(next(before)).toEqual({ view: 'MONTH_DAYS', offset: -1 });
  });
  test.each<[View, number, unknown]>([
    ['YEAR3_YEARS', 0, '2024–2026'],
    ['YEAR3_YEARS', -1, '2021–2023'],
    ['DAY_HOURS', -1, 'donderdag 19 november 2026'],
    ['MONTH_DAYS', 0, 'november 2026'],
    ['YEAR_MONTHS', -1, '2025'],
  ])('%s, %i back, has its name', (view, offset, name) => {
    expect(periodNameOf({ view, offset }, '2026-11-20', 'nl')).toEqual(name);
  });
});

row('9-production-period', 'four weeks are named by their first and last day, without what they share', () => {
  const name = (offset: number, today: string, locale = 'nl') => periodNameOf({ view: 'WEEK4_WEEKS', offset }, today, locale);
  for (const today of ['2026-11-23', '2026-11-29']) expect(name(0, today)).toEqual({ first: '2', last: '29 november' });
  expect(name(0, '2026-11-20')).toEqual({ first: '26 oktober', last: '22 november' });
  expect(name(0, '2026-11-20', 'en')).toEqual({ first: '26 October', last: '22 November' });
  expect(name(-1, '2026-11-20')).toEqual({ first: '28 september', last: '25 oktober' });
  expect(name(-11, '2026-11-20'), 'in two years').toEqual({ first: '22 december 2025', last: '18 januari' });
  expect(name(-12, '2026-11-20'), 'of another year').toEqual({ first: '24 november', last: '21 december 2025' });
});

row('9-production-compare', 'a year earlier is the same view, and each point has that of its hour, day, week or month', () => {
  const back = (view: View, offset: number, today = '2026-11-20') => aYearEarlier({ view, offset }, today)?.offset;
  expect([back('WEEK4_WEEKS', 0), back('MONTH_DAYS', -2), back('YEAR_MONTHS', -1), back('YEAR3_YEARS', 0)]).toEqual([
    -13,
    -14,
    -2,
    undefined,
  ]);
  expect([
    back('DAY_HOURS', 0),
    back('DAY_HOURS', -1),
    back('DAY_HOURS', 0, '2024-11-20'),
    back('DAY_HOURS', 0, '2024-02-29'),
  ]).toEqual([-365, -366, -366, -366]);
  const hours = (day: string, all: number[]) => all.map((h, i) => point(day, 10 + i, h));
  const night = hours('2026-10-25', [1, 2, 2, 3]);
  expect(earlierValues(night, hours('2025-10-25', [1, 2, 3]), 'DAY_HOURS')).toEqual([10, 11, null, 12]);
  expect(earlierValues(hours('2026-03-29', [1, 3]), hours('2025-03-29', [1, 2, 3]), 'DAY_HOURS')).toEqual([10, 12]);
  const february = ['2024-02-28', '2024-02-29'].map((d) => point(d, 5));
  expect(earlierValues(february, [point('2023-02-28', 4)], 'MONTH_DAYS')).toEqual([4, null]);
  expect(earlierValues(february, [point('2023-01-01', 7), point('2023-02-01', null)], 'YEAR_MONTHS')).toEqual([7, null]);
  const now = { day: '2026-11-20', time: '11:00' };
  const months = [point('2026-09-01', 2), point('2026-10-01', null), point('2026-11-01', 4), point('2026-12-01', null)];
  expect(comparable(months, [3, 3, 3, 3], 'YEAR_MONTHS', now)).toEqual({ value: 2, earlier: 3 });
  expect(comparable(months, [null, 3, 3, 3], 'YEAR_MONTHS', now)).toBeNull();
  expect(comparable(months, [], 'YEAR_MONTHS', now)).toBeNull();
  // only what is finished in an unfinished period: full hours, and days through yesterday
  const today = hours('2026-11-20', [9, 10, 11]);
  expect(comparable(today, [1, 2, 4], 'DAY_HOURS', now)).toEqual({ value: 21, earlier: 3 });
  for (const view of ['MONTH_DAYS', 'WEEK4_WEEKS'] as const) {
    const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map((day, i) => point(day, 10 + i));
    expect(comparable(days, [1, 2, 4], view, now), view).toEqual({ value: 21, earlier: 3 });
  }
});

row('9-production-compare', 'of what is finished, the runs that only one of the years has are left out', () => {
  const now = { day: '2026-11-20', time: '11:00' };
  const days = [1, null, 1, 1, null, 1, null, 1].map((value, at) => point(`2026-11-${13 + at}`, value));
  const runs = (earlier: (number | null)[]) =>
    leftOut(days, earlier, 'MONTH_DAYS', now).map(
      (run) => [run.first, run.last].map((p) => dayOf(p).slice(8)).join('-') + run.measured,
    );
  expect(runs([2, null, 2, 2, null, 2, null, null]), 'today is not finished').toEqual([]);
  expect(runs([2, null, null, null, null, 2, 2, 2])).toEqual(['15-16now', '19-19then']);
  expect(runs([null, 2, 2, null, 2, 2, null]), 'next to each other').toEqual(['13-14one', '16-17one']);
  expect(runs([]).join(), 'nothing of last year').toBe('13-13now,15-16now,18-18now');
  expect(leftOut(days, [], 'YEAR_MONTHS', now), 'this month').toEqual([]);
});

describe('a point', () => {
  test('has a day, also in the first centuries', () => {
    expect(dayOf(point('2026-03-07'))).toBe('2026-03-07');
    expect(dayOf(point('0987-11-20'))).toBe('0987-11-20');
  });
  test.each<[string, View, string, number | undefined, string]>([
    ['an hour of tomorrow', 'DAY_HOURS', '2026-11-21', 3, 'upcoming'],
    ['an hour of yesterday', 'DAY_HOURS', '2026-11-19', 23, 'over'],
    ['the hour before', 'DAY_HOURS', '2026-11-20', 10, 'over'],
    ['this hour', 'DAY_HOURS', '2026-11-20', 11, 'going'],
    ['the next hour', 'DAY_HOURS', '2026-11-20', 12, 'upcoming'],
    ['midnight, without an hour', 'DAY_HOURS', '2026-11-20', undefined, 'over'],
    ['today', 'MONTH_DAYS', '2026-11-20', undefined, 'going'],
    ['yesterday', 'MONTH_DAYS', '2026-11-19', undefined, 'over'],
    ['tomorrow', 'MONTH_DAYS', '2026-11-21', undefined, 'upcoming'],
    ['today, of four weeks', 'WEEK4_WEEKS', '2026-11-20', undefined, 'going'],
    ['yesterday, of four weeks', 'WEEK4_WEEKS', '2026-11-19', undefined, 'over'],
    ['tomorrow, of four weeks', 'WEEK4_WEEKS', '2026-11-21', undefined, 'upcoming'],
    ['this month', 'YEAR_MONTHS', '2026-11-01', undefined, 'going'],
    ['last month', 'YEAR_MONTHS', '2026-10-01', undefined, 'over'],
    ['this year', 'YEAR3_YEARS', '2026-01-01', undefined, 'going'],
    ['last year', 'YEAR3_YEARS', '2025-01-01', undefined, 'over'],
  ])('%s', (_, view, day, hour, state) => {
    expect(stateOf(point(day, 1, hour), view, { day: '2026-11-20', time: '11:30' })).toBe(state);
  });
  test('of the hour that occurs twice the first is summer time', () => {
    const points = [1, 2, 2, 3].map((hour) => point('2026-10-25', 1, hour));
    expect(points.map((_, at) => seasonOf(points, at))).toEqual([undefined, 'summer', 'winter', undefined]);
    expect(seasonOf([point('2026-10-25'), point('2026-10-26')], 0)).toBeUndefined();
    expect(seasonOf([], 0)).toBeUndefined();
  });
  test('the sum leaves out missing values', () => {
    expect(sumOf([point('2026-11-19', 2), point('2026-11-20', null), point('2026-11-21', 3)])).toBe(5);
    expect(sumOf([point('2026-11-19', 0)])).toBe(0);
    expect(sumOf([point('2026-11-20', null)])).toBeNull();
    expect(sumOf([])).toBeNull();
  });
});

row('3-weather-statuses', 'the worst word in a description counts', () => {
  for (const [text, sky] of [
    ['Onweer met hagel', 'thunder'],
    ['hagel', 'hail'],
    ['lichte sneeuw en regen', 'snow'],
    ['winterse neerslag', 'snow'],
    ['motregen', 'drizzle'],
    ['miezerig', 'drizzle'],
    ['zwaar bewolkt en REGEN', 'rain'],
    ['bui', 'rain'],
    ['mist bij onbewolkt weer', 'fog'],
    ['nevel', 'fog'],
    ['onbewolkt', 'clear'],
    ['helder, enkele wolk', 'clear'],
    ['zonnig', 'clear'],
    ['half bewolkt met opklaringen', 'cloudy'],
    ['wolkenvelden', 'cloudy'],
    ['opklaringen', 'clear'],
    ['zandstorm', 'other'],
    ['', 'other'],
  ] as const)
    expect(skyOf(text), text).toBe(sky);
});

test('wind force in Beaufort, at its bounds', () => {
  expect([0, 0.29, 0.3, 1.6, 3.39, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.69, 32.7, 50].map(beaufort)).toEqual([
    0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 12,
  ]);
});

row('9-production-fresh', 'returns the age of a measurement, to the minute', () => {
  const now = { day: '2026-11-20', time: '11:00' };
  for (const [day, time, want] of [
    ['2026-11-20', '10:59', { kind: 'live' }],
    ['2026-11-20', '11:03', { kind: 'live' }],
    ['2026-11-20', '10:45', { kind: 'live' }],
    ['2026-11-20', '10:44', { kind: 'minutes', n: 16 }],
    ['2026-11-20', '10:01', { kind: 'minutes', n: 59 }],
    ['2026-11-20', '10:00', { kind: 'hours', n: 1 }],
    ['2026-11-20', '08:00', { kind: 'hours', n: 3 }],
    ['2026-11-19', '11:01', { kind: 'hours', n: 23 }],
    ['2026-11-19', '11:00', { kind: 'since' }],
    ['2026-10-20', '10:59', { kind: 'since' }],
  ] as const)
    expect(freshness({ day, time }, now), `${day} ${time}`).toEqual(want);
});
row('9-production-fresh', 'formats power in kW or MW', () => {
  expect([0, 0.5, 999.9, 1000, 1800].map(powerIn)).toEqual([
    { value: 0, unit: 'kW' },
    { value: 0.5, unit: 'kW' },
    { value: 999.9, unit: 'kW' },
    { value: 1, unit: 'MW' },
    { value: 1.8, unit: 'MW' },
  ]);
});

row('9-production-euro', 'the value of points, and the prices that it was calculated at', () => {
  const of = (day: string, euro?: number, price?: number): Point => ({
    ...point(day),
    ...(euro === undefined ? {} : { euro }),
    ...(price === undefined ? {} : { price }),
  });
  const all = [of('2026-11-01'), of('2026-11-02', 0.4, 0.08), of('2026-11-03', 0.9, 0.076), of('2026-11-04', 0)];
  expect(inEuros(all).map((p) => [p.value, p.rounded_value, p.record])).toEqual([
    [null, null, false],
    [0.4, 0.4, false],
    [0.9, 0.9, true],
    [0, 0, false],
  ]);
  expect(inEuros([of('2026-11-01'), of('2026-11-04', 0)]).some((p) => p.record)).toBe(false);
  expect(pricesOf(all)).toEqual([0.08, 0.076]);
  expect(pricesOf([...all, of('2026-11-05', 0.1)])).toBeNull(); // the price changed within that period
});

row('9-production-running', 'a part in percent is 0 or 100 only if it is exactly that', () => {
  expect([percentOf(98, 160), percentOf(0, 168), percentOf(168, 168), percentOf(1, 1000), percentOf(999, 1000)]).toEqual([
    61, 0, 100, 1, 99,
  ]);
});

row('9-weather-night', 'the sun is down between the sunset and the sunrise of the day', () => {
  // sunrise and sunset in De Bilt, from the almanac, in UTC
  for (const [day, rise, set] of [
    ['2026-11-20', '07:13', '15:39'],
    ['2026-06-21', '03:18', '20:03'],
    ['2026-03-20', '05:41', '17:51'],
  ] as const) {
    const at = (time: string, minutes: number) => Date.parse(`${day}T${time}:00Z`) + minutes * 60_000;
    expect([isNight(at(rise, -10)), isNight(at(rise, 10)), isNight(at(set, -10)), isNight(at(set, 10))], day).toEqual([
      true,
      false,
      false,
      true,
    ]);
  }
});
