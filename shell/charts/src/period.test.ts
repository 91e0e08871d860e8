// @vitest-environment node

import { row } from '@wattle/sdk/vitest';
import { expect, test } from 'vitest';
import { geometryOf } from './geometry';
import { addDays, addMonths, dayName, monthLabel, periodName, periodOf, shift, weekdayLabel, weekOf } from './period';
import { decimalsOf, type Slot, shownLabels, ticks } from './scale';
import { isFeedInBelow, stack } from './stack';
import type { ValueFormat } from './types';
import { formatterOf, sum } from './write';

test('periods are complete: weeks from Monday, months and years from their first day, across clock changes', () => {
  expect(periodOf('day', '2026-10-25')).toEqual({ from: '2026-10-25', to: '2026-10-26' });
  expect(periodOf('week', '2026-10-25')).toEqual({ from: '2026-10-19', to: '2026-10-26' });
  expect(periodOf('week', '2027-01-01')).toEqual({ from: '2026-12-28', to: '2027-01-04' });
  expect(periodOf('month', '2028-02-29')).toEqual({ from: '2028-02-01', to: '2028-03-01' });
  expect(periodOf('year', '2026-11-20')).toEqual({ from: '2026-01-01', to: '2027-01-01' });
  expect(periodOf('years', '2026-11-20', '2024-03-01', '2026-11-20')).toEqual({ from: '2024-01-01', to: '2027-01-01' });
});

test('shifts by one period, also from the end of a long month', () => {
  expect(shift('day', '2026-03-28', 2)).toBe('2026-03-30');
  expect(shift('week', '2026-12-30', 1)).toBe('2027-01-06');
  expect(shift('month', '2026-01-31', 1)).toBe('2026-02-28');
  expect(shift('month', '2026-01-15', -1)).toBe('2025-12-15');
  expect(shift('year', '2028-02-29', -1)).toBe('2027-02-28');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(addMonths('2026-12-01', 1)).toBe('2027-01-01');
});

test('names periods in both languages, weeks by their days', () => {
  expect(dayName('2026-11-20', 'nl')).toBe('vrijdag 20 november 2026');
  expect(dayName('2026-11-20', 'en')).toBe('Friday 20 November 2026');
  expect(periodName('week', periodOf('week', '2026-11-20'), 'nl')).toBe('16 – 22 nov 2026');
  expect(periodName('week', periodOf('week', '2026-10-31'), 'en')).toBe('26 Oct – 1 Nov 2026');
  expect(periodName('week', periodOf('week', '2026-01-01'), 'nl')).toBe('29 dec 2025 – 4 jan 2026');
  expect(weekOf('2027-01-01')).toEqual({ week: 53, year: 2026 });
  expect(weekOf('2025-12-29')).toEqual({ week: 1, year: 2026 });
  expect(periodName('month', periodOf('month', '2026-03-20'), 'en')).toBe('March 2026');
  expect(periodName('year', periodOf('year', '2026-03-20'), 'nl')).toBe('2026');
  expect(periodName('years', { from: '2024-01-01', to: '2027-01-01' }, 'nl')).toBe('2024–2026');
  expect([monthLabel('2026-03', 'nl'), monthLabel('2026-03-01', 'en')]).toEqual(['mrt', 'Mar']);
  expect([weekdayLabel('2026-11-20', 'nl'), weekdayLabel('2026-11-20', 'en')]).toEqual(['vr', 'Fri']);
});

test('ticks are round, start at zero, and are four without negative values', () => {
  expect(ticks(0, 312)).toEqual([0, 120, 240, 360]);
  expect(ticks(0, 0.3)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(ticks(0, 0)).toEqual([0, 1, 2, 3]);
  expect(ticks(-4, 13.3)).toEqual([-5, 0, 5, 10, 15]);
  expect(ticks(-84.12, 135)).toEqual([-100, 0, 100, 200]);
  expect(ticks(-3, 0)).toEqual([-3, -2, -1, 0]);
  expect(decimalsOf(ticks(0, 1.1))).toBe(1);
  for (const max of [0.004, 0.7, 1, 9, 10, 99, 101, 1234, 98_765]) {
    const marks = ticks(0, max);
    expect(marks.at(-1)).toBeGreaterThanOrEqual(max);
    expect(marks).toHaveLength(4);
  }
});

test('as many labels as fit are drawn, on a small chart at most every second', () => {
  const shown = (labels: string[], column: number, small: boolean) => [...shownLabels(labels, 8, column, small)];
  const months = 'jan feb mrt apr mei jun jul aug sep okt nov dec'.split(' ');
  expect(shown(months, 60, false)).toHaveLength(12);
  expect(shown(months, 60, true)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(shown(['2024', '2025', '2026'], 100, true)).toHaveLength(3);
  expect(shown(Array(25).fill('00:00'), 12, false)).toEqual([0, 5, 10, 15, 20]);
  // a week shown by hour has one label per day
  const week = Array.from({ length: 168 }, (_, hour) => (hour % 24 === 0 ? 'ma' : ''));
  expect(shown(week, 5, false)).toEqual([0, 24, 48, 72, 96, 120, 144]);
});

test('low is stacked on normal; feed-in is below zero unless it is alone; a credit is below zero', () => {
  const series = [
    { key: 'n', label: 'Normaal', kind: 'normal' },
    { key: 'l', label: 'Dal', kind: 'low' },
    { key: 'f', label: 'Teruglevering', kind: 'feed-in' },
  ] as const;
  const point = { start: '1', label: '1', values: { n: 2, l: 3, f: 4 } };
  expect(stack(point, series, isFeedInBelow(series)).map(({ from, to, last }) => [from, to, last])).toEqual([
    [0, 2, false],
    [2, 5, true],
    [0, -4, true],
  ]);
  expect(stack(point, series.slice(2), isFeedInBelow(series.slice(2)))[0]?.to).toBe(4);
  expect(stack({ ...point, values: { n: -84.12 } }, series, true)[0]?.to).toBe(-84.12);
  expect(stack({ ...point, missing: true }, series, true)).toEqual([]);
});

test('sums have no rounding errors, and missing is not zero', () => {
  expect(sum([0.1, 0.2, null])).toBe(0.3);
  expect(sum([null, null])).toBeNull();
});

row('9-number-format', 'kWh and m³ have no decimals in charts, except for hours and production per participation', () => {
  const written = (how: ValueFormat, value: number) =>
    formatterOf(how, [{ start: '1', label: '1', values: { a: value } }], [{ key: 'a', label: 'A', kind: 'normal' }])(value);
  expect(written({ unit: 'kWh' }, 12.345)).toBe('12\u00a0kWh');
  expect(written({ unit: 'm³' }, 0.5)).toBe('1\u00a0m³');
  expect(written({ unit: 'kWh', detail: 'hours' }, 12.345)).toBe('12,3\u00a0kWh');
  expect(written({ unit: 'kWh', detail: 'hours' }, 1.2345)).toBe('1,23\u00a0kWh');
  expect(written({ unit: 'kWh', detail: 'participation' }, 1234.5)).toBe('1.234,50\u00a0kWh');
  expect(written({ unit: 'MW' }, 1.84)).toBe('1,84\u00a0MW');
  const named = (made: number) =>
    geometryOf({
      width: 600,
      height: 300,
      slots: [{ at: 0 }] as unknown as Slot[],
      points: [{ start: '1', label: '1', values: { made } }],
      series: [{ key: 'made', label: 'made', kind: 'normal' }],
      feedInBelow: false,
    }).names;
  expect(named(312), 'an axis without decimals').toEqual(['0', '120', '240', '360']);
  expect(named(0.3), 'an axis with the decimals that tell its lines apart').toEqual(['0', '0,1', '0,2', '0,3']);
});
