import { row } from '@wattle/sdk/vitest';
import { expect, test } from 'vitest';
import type { CostRow } from './api';
import {
  costDays,
  estimatedPart,
  exactPrice,
  isUnfinished,
  knownCost,
  needsDays,
  reasonsOf,
  sumOf,
  timeOf,
  timeText,
} from './cost.rules';
import { cost, costRow, latest } from './testing';

test('the rules of costs', () => {
  const november = { from: '2026-11-01', to: '2026-12-01' };
  expect(costDays(november, latest({ measured: '2026-11-19' }))).toEqual({ from: '2026-11-01', to: '2026-11-20' });
  expect(costDays({ from: '2026-10-01', to: '2026-11-01' }, latest())).toEqual({ from: '2026-10-01', to: '2026-11-01' });
  expect(costDays(november, latest({ measured: '2026-10-31' }))).toBeUndefined();
  const { last_day: _, ...reading } = latest();
  expect(costDays(november, reading)).toBeUndefined();
  const one = { from: '2026-11-01', to: '2026-11-20', total: 0.1 };
  expect(sumOf([one, { ...one, total: 0.2 }])).toEqual({ cents: 30, from: one.from, to: one.to });
  expect(sumOf([one])?.cents).toBe(10);
  for (const others of [[undefined], [{ ...one, to: '2026-11-19' }]]) expect(sumOf([one, ...others])).toBeUndefined();
  expect(sumOf([])).toBeUndefined();
  expect(isUnfinished('month', '2026-11-01', '2026-11-20', '2026-11-21')).toBe(true);
  expect(isUnfinished('month', '2026-10-01', '2026-11-20', '2026-11-21')).toBe(false);
  expect(isUnfinished('month', '2026-11-01', '2026-11-21', '2026-11-21')).toBe(false); // the contract has ended
  expect(isUnfinished('month', '2026-12-01', '2026-11-20', '2026-12-31')).toBe(false);
  expect(isUnfinished('week', '2026-11-16', '2026-11-23', '2026-11-24')).toBe(false);
  expect(isUnfinished('day', '2026-11-19', '2026-11-20', '2026-12-01')).toBe(false);
  const changed = cost([costRow({ to: '2026-11-10' }), costRow({ from: '2026-11-10' }), costRow({ kind: 'low' })]);
  expect(changed.rows.map((r) => needsDays(r, changed.rows))).toEqual([true, true, false]);
  const day = (n: number) => ({ from: `2026-11-0${n}`, to: `2026-11-0${n + 1}` });
  expect(
    reasonsOf([
      { reason: 'price', kind: 'low', ...day(2) },
      { reason: 'measurement', ...day(4) },
      { reason: 'price', kind: 'low', ...day(1) },
    ]),
  ).toEqual([
    { reason: 'price', kind: 'low', days: [day(1), day(2)] },
    { reason: 'measurement', kind: undefined, days: [day(4)] },
  ]);
  expect([0.28941, 0.0615, 6.99, -628.96].map(exactPrice)).toEqual([
    '€\u00a00,28941',
    '€\u00a00,0615',
    '€\u00a06,99',
    '€\u00a0-628,96',
  ]);
  expect([1, 0.633, 0.033].map(timeText)).toEqual(['1', '0,63', '0,033']);
});

row('9-usage-euro-estimate', 'a cost is estimated partly unless all its days are, and so is the sum of costs', () => {
  const of = (...days: { from: string; to: string }[]) =>
    knownCost(cost([costRow()], { total: null, estimate: { total: 5, rows: [], bars: [], days, added: 3 } }));
  const all = of({ from: '2026-11-01', to: '2026-11-20' });
  const late = of({ from: '2026-11-02', to: '2026-11-20' });
  const early = of({ from: '2026-11-01', to: '2026-11-19' });
  const none = knownCost(cost([costRow()]));
  expect([all, late, early, none].map((c) => c?.estimated)).toEqual(['all', 'partly', 'partly', undefined]);
  for (const [costs, want] of [
    [[all, all], 'all'],
    [[all, none], 'partly'],
    [[none, late], 'partly'],
    [[none, none], undefined],
  ] as const)
    expect(sumOf(costs)?.estimated).toBe(want);
});

row('9-usage-part-estimated', 'the part of the only estimated bar that was not measured, by its usage', () => {
  const bars = [1, 2, 3].map((day) => ({ start: `2026-11-0${day}T00:00:00+01:00`, amount: 2, estimated: day === 2 }));
  expect(estimatedPart(bars, [9, 6, 9], 2)).toBe(0.25);
  expect(estimatedPart(bars, [9, null, 9], 2)).toBe(true); // nothing was measured
  expect(estimatedPart(bars, [9, 6, 9], undefined)).toBe(true);
  const two = bars.map((bar) => ({ ...bar, estimated: bar !== bars[0] }));
  expect(estimatedPart(two, [9, 6, 9], 2)).toBe(true); // how much was added to which is not known
});

row('9-usage-euro-times', 'a charge by time says how many days of which months or years, if that is exactly its quantity', () => {
  const of = (unit: CostRow['unit'], from: string, to: string, quantity: number) => timeOf(costRow({ unit, from, to, quantity }));
  expect(of('month', '2026-11-01', '2026-11-20', 0.633)).toEqual({ whole: 0, parts: [{ days: 19, of: 30 }] });
  expect(of('month', '2026-01-15', '2026-11-20', 10.182)).toEqual({
    whole: 9,
    parts: [
      { days: 17, of: 31 },
      { days: 19, of: 30 },
    ],
  });
  expect(of('month', '2026-10-01', '2026-11-01', 1)).toEqual({ whole: 1, parts: [] });
  expect(of('year', '2028-12-31', '2030-01-01', 1.003)).toEqual({ whole: 1, parts: [{ days: 1, of: 366 }] });
  expect(of('month', '2026-11-01', '2026-11-20', 0.6)).toBeUndefined(); // a day in between is missing
  expect(of('day', '2026-11-01', '2026-11-20', 19)).toBeUndefined();
  expect(of('kWh', '2026-11-01', '2026-11-20', 19)).toBeUndefined();
});
