import { cases } from '@wattle/schemas';
import { clockAt } from '@wattle/sdk';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import type { Commodity, MeterType, Series } from './api';
import {
  type Basis,
  checkHistory,
  checkUnit,
  connectionsOf,
  eanText,
  energyUnit,
  feedsIn,
  hasDelivered,
  hasSwitch,
  historyStart,
  openAtFirst,
  placeOf,
  sortAgreements,
  unitOf,
} from './connection.rules';
import { isWorthSaving } from './csv.rules';
import { decodeHistoryId, encodeHistoryId } from './history-id.rules';
import { markOf } from './quantity';
import {
  amountOf,
  compare,
  dayToOpen,
  finest,
  gapsOf,
  isRunning,
  isUpcoming,
  lastDayOf,
  monthly,
  notReceived,
  pairWithLastYear,
  registerOf,
  registersOf,
  repeatedHours,
  yearBefore,
} from './series.rules';
import { agreement, connection, ended, gas, monthOf, none, old, point } from './testing';

interface Case<G> {
  given: G;
  today: string;
  settings: { history_months: number; intervals: Basis };
  want: unknown;
}
/** Runs the cases in schemas/rules/<id>.json, which the Go rule also runs. */
function vectors<G>(id: string, check: (c: Case<G>) => unknown): void {
  row(id, () => {
    const all = cases<Case<G>>(id);
    expect(all.length).toBeGreaterThan(0);
    for (const c of all) expect(check(c), JSON.stringify(c)).toEqual(c.want);
  });
}

vectors<Commodity>('3-unit-per-commodity', (c) => [unitOf(c.given)]);
type Meter = { meter_type: MeterType; consent: boolean; unit: Series['unit'] };
for (const id of ['5.10-historical-conditions', '9-usage-intervals-basis'])
  vectors<Meter>(id, ({ given, settings }) => checkHistory(given.meter_type, given.consent, settings.intervals));
vectors<Meter>('9-usage-units', ({ given, settings }) =>
  checkUnit(given.unit, given.meter_type, given.consent, settings.intervals),
);
vectors<{ contract_start: string }>('9-historical-span', ({ given, today, settings }) => [
  historyStart(given.contract_start, today, settings.history_months),
]);

row('9-usage-chart-months', 'shows months or years, whatever was requested', () => {
  for (const [span, unit, then] of [
    ['day', 'hour', 'year month'],
    ['week', 'hour', 'year month'],
    ['month', 'day', 'year month'],
    ['year', 'week', 'year month'],
    ['years', 'year', 'years year'],
    ['years', 'month', 'years month'],
  ] as const) {
    const shown = monthly({ span, unit, day: '2026-11-20' });
    expect(`${shown.span} ${shown.unit}`, span).toBe(then);
    expect(shown.day).toBe('2026-11-20');
    expect(checkUnit(shown.unit, 'SMART', false, 'consent')).toEqual([]);
  }
});

row('2.3-usage-history-encoding', 'decodes what it encodes, in characters allowed in a path; other texts are invalid', () => {
  const id = { agreement_identifier: '10240001–é?>', location_id: 'L/1', ean_code: '871600000000000017', delivery: true };
  const encoded = encodeHistoryId(id);
  expect(encoded).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(decodeHistoryId(encoded)).toEqual(id);
  const plain = { agreement_identifier: '1', location_id: '2', ean_code: '3', delivery: false };
  expect(encodeHistoryId(plain)).toBe(Buffer.from(JSON.stringify(plain)).toString('base64url'));
  const other = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const fields = ['agreement_identifier', 'location_id', 'ean_code'] as const;
  for (const bad of [
    '',
    '%%%',
    'abc',
    other(null),
    other('text'),
    other([]),
    other({ ...plain, delivery: 'true' }),
    ...fields.flatMap((name) => ['', 5, null].map((value) => other({ ...plain, [name]: value }))),
    Buffer.from(JSON.stringify(plain).replace('"1"', '"\u00ff"'), 'latin1').toString('base64url'), // invalid UTF-8
    '_w',
  ])
    expect(decodeHistoryId(bad), bad).toBeUndefined();
  // Every letter of base64, and every length of padding.
  for (const location_id of ['?>?>', '?>?>?', '?>?>??', 'ÿ~ÿ~ÿ~'])
    for (const delivery of [true, false]) {
      const hard = { ...plain, location_id, delivery };
      expect(encodeHistoryId(hard)).toBe(Buffer.from(JSON.stringify(hard)).toString('base64url'));
      expect(decodeHistoryId(encodeHistoryId(hard))).toEqual(hard);
    }
});

row('7.2-csv-min-size', 'eighty bytes, not eighty characters', () => {
  expect(isWorthSaving(new Blob(['x'.repeat(79)]))).toBe(false);
  expect(isWorthSaving(new Blob(['x'.repeat(80)]))).toBe(true);
  expect(isWorthSaving(new Blob(['é'.repeat(40)]))).toBe(true);
});

describe('connections of an agreement', () => {
  row('2.1-usage-route', 'are matched by the EAN codes of its addresses, electricity first', () => {
    expect(connectionsOf(agreement(), [gas(), old, connection()])).toEqual([connection(), gas()]);
    const moved = connection({ agreement_identifier: ended.agreement_identifier }); // the EAN code determines it, not this
    expect(connectionsOf(agreement(), [moved, old])).toEqual([moved]);
    expect(connectionsOf(ended, [gas(), old, connection()])).toEqual([old]);
  });
  test('have a feed-in switch with electricity on a smart meter only', () => {
    expect(hasSwitch([connection(), gas()])).toBe(true);
    expect(hasSwitch([old, gas()])).toBe(false);
    expect(hasSwitch([])).toBe(false);
  });
  row('3-connection-delivery', 'feed in according to their delivery for this agreement', () => {
    expect(feedsIn(connection({ delivery: { '10240001': false, '10240009': true } }), agreement())).toBe(false);
    expect(feedsIn(connection(), agreement())).toBe(true);
    expect(feedsIn(connection({ delivery: { '10240001-1': true } }), agreement())).toBe(true);
    expect(feedsIn(connection(), ended)).toBe(false);
  });
  test('current agreements come before ended ones; the path decides which is open', () => {
    const all = sortAgreements([ended, agreement()]);
    expect(all.map((a) => a.name)).toEqual(['Stroom en gas', 'Stroom variabel']);
    expect(openAtFirst(all, undefined)).toBe(all[0]);
    expect(openAtFirst(all, '10240009-2')).toBe(all[1]);
    expect(openAtFirst(all, '10240009')).toBe(all[1]);
    expect(openAtFirst(all, 'gone')).toBe(all[0]);
  });
});

test('a canceled or future agreement has delivered nothing', () => {
  expect(hasDelivered(agreement(), '2026-11-20')).toBe(true);
  expect(hasDelivered(ended, '2026-11-20')).toBe(true);
  expect(hasDelivered(agreement({ status: 'CANCELLED' }), '2026-11-20')).toBe(false);
  expect(hasDelivered(agreement({ status: 'FUTURE', period: { from: '2026-11-21', to: null } }), '2026-11-20')).toBe(false);
});

describe('a year before', () => {
  test('compares days and weeks by weekday, months and years by date; a leap day has none', () => {
    expect(yearBefore('day', '2026-11-20')).toBe('2025-11-21');
    expect(yearBefore('week', '2026-11-16')).toBe('2025-11-17');
    expect(yearBefore('month', '2026-11-01')).toBe('2025-11-01');
    expect(yearBefore('month', '2028-02-29')).toBeUndefined();
    expect(yearBefore('years', '2026-01-01')).toBeUndefined();
  });

  test('is compared over the periods measured completely in both', () => {
    const [now, then] = [monthOf('2026-11', 5, 20), monthOf('2025-11', 6)];
    const pasts = pairWithLastYear(now, then, 'month', 'day');
    expect(compare(now, pasts, 'usage')).toEqual({
      value: 190,
      past: 228,
      measured: 19,
      counted: 19,
      first: '2025-11-01T00:00:00+01:00',
      last: '2025-11-19T00:00:00+01:00',
    });
    const partial = now.map((p, at) => (at === 18 ? { ...p, partial: true } : p));
    expect(compare(partial, pasts, 'usage')).toMatchObject({ value: 180, past: 216, measured: 19, counted: 18 });
    const gap = pasts.map((p, at) => (p && at === 3 ? point(p.start, null) : p));
    expect(compare(now, gap, 'usage')).toMatchObject({ value: 180, past: 216, measured: 19, counted: 18 });
    expect(
      compare(
        now,
        pasts.map((p, at) => (at < 6 ? undefined : p)),
        'usage',
      ),
    ).toBeUndefined();
    expect(compare(now, pasts, 'feedin')).toBeUndefined();
    expect(compare([], [], 'usage')).toBeUndefined();
  });

  test('pairs hours by time of day and weeks by position', () => {
    const now = [point('2026-03-29T01:00:00+01:00', 1), point('2026-03-29T03:00:00+02:00', 2)];
    const then = ['01', '02', '03'].map((h) => point(`2025-03-30T${h}:00:00+01:00`, Number(h)));
    expect(pairWithLastYear(now, then, 'day', 'hour').map((p) => p?.normal)).toEqual([1, 3]);
    const weeks = ['2025-01-06', '2025-01-13'].map((d, at) => point(`${d}T00:00:00+01:00`, at));
    expect(
      pairWithLastYear(
        ['2026-01-05', '2026-01-12'].map((d) => point(`${d}T00:00:00+01:00`, 9)),
        weeks,
        'year',
        'week',
      ),
    ).toEqual(weeks);
  });
});

row('9-usage-so-far', 'a month or a year runs from its first to its last day, while there is supply', () => {
  const november = { from: '2026-11-01', to: '2026-12-01' };
  const on = (today: string, max = today) => isRunning('month', november, today, max);
  expect(['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map((day) => on(day))).toEqual([false, true, true, false]);
  expect(on('2026-11-20', '2026-11-10'), 'it has ended').toBe(false);
  const spans = (['day', 'week', 'month', 'year', 'years'] as const).map((span) =>
    isRunning(span, november, '2026-11-20', '2026-11-20'),
  );
  expect(spans).toEqual([false, false, true, true, false]);
});

row('9-usage-past-gap', 'returns the runs of days without a value, from the first day of the contract', () => {
  const days = monthOf('2025-11', 5).map((p, at) => (at === 0 || (at > 13 && at < 16) ? { ...p, missing: true } : p));
  expect(gapsOf(days, 'day', '2025-11-01')).toEqual([
    { from: '2025-11-01', to: '2025-11-02' },
    { from: '2025-11-15', to: '2025-11-17' },
  ]);
  expect(gapsOf(days, 'day', '2025-11-02')).toEqual([{ from: '2025-11-15', to: '2025-11-17' }]);
  const hours = (day: string, used: (number | null)[]) => used.map((u, at) => point(`${day}T0${at}:00:00+01:00`, u));
  const two = [...hours('2025-11-15', [null, null]), ...hours('2025-11-16', [null, 1])];
  expect(gapsOf(two, 'hour', '2023-01-01')).toEqual([{ from: '2025-11-15', to: '2025-11-16' }]);
  const months = [point('2025-01-01T00:00:00+01:00', null), point('2025-02-01T00:00:00+01:00', 1)];
  expect(gapsOf(months, 'month', '2023-01-01')).toEqual([{ from: '2025-01-01', to: '2025-02-01' }]);
  const weeks = [point('2025-11-03T00:00:00+01:00', null)];
  expect(gapsOf(weeks, 'week', '2023-01-01')).toEqual([{ from: '2025-11-03', to: '2025-11-10' }]);
  const years = [point('2024-01-01T00:00:00+01:00', null)];
  expect(gapsOf(years, 'year', '2023-01-01')).toEqual([{ from: '2024-01-01', to: '2025-01-01' }]);
});

row('9-usage-many', 'a connection is told from others of its kind by its address, or its EAN where they share one', () => {
  const at = (ean_code: string, house_number: string) =>
    connection({ ean_code, address: { ...connection().address, house_number, house_number_extension: 'A' } });
  const [one, two, same] = [at('871600000000000011', '1'), at('871600000000000012', '2'), at('871600000000000013', '2')];
  expect(markOf(one, [one, gas()])).toBeUndefined();
  expect(markOf(one, [one, two, same])).toBe('Molenweg 1 A');
  expect(markOf(two, [one, two, same])).toBe(`EAN ${eanText(two.ean_code)}`);
});

describe('points', () => {
  test('name the hour that occurs twice: summer time first', () => {
    const starts = ['01:00:00+02:00', '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00'].map((t) => `2026-10-25T${t}`);
    expect([...repeatedHours(starts.map((s) => point(s, 1)))]).toEqual([
      ['2026-10-25T02:00:00+02:00', 'summer'],
      ['2026-10-25T02:00:00+01:00', 'winter'],
    ]);
  });
  test('are a gap when nothing was measured, and blank from today on', () => {
    expect(isUpcoming(point('2026-11-20T10:00:00+01:00', null), '2026-11-20')).toBe(true);
    expect(isUpcoming(point('2026-11-19T10:00:00+01:00', null), '2026-11-20')).toBe(false);
    expect(isUpcoming(point('2026-11-20T08:00:00+01:00', 0), '2026-11-20')).toBe(false);
  });
  test('have the registers with a value', () => {
    const both = [point('2026-11-01T00:00:00+01:00', 1, 2), point('2026-11-02T00:00:00+01:00', null)];
    expect(registersOf(both, 'ELECTRICITY', 'usage')).toEqual(['normal', 'low']);
    expect(registersOf([point('2026-11-01T00:00:00+01:00', 1)], 'ELECTRICITY', 'usage')).toEqual(['normal']);
    expect(registersOf(both, 'GAS', 'usage')).toEqual(['consumption']);
    expect(registersOf(both, 'ELECTRICITY', 'feedin')).toEqual(['feedin_normal']);
    const fed = [{ ...none, normal: 1, feedin_normal: 2, feedin_low: 3 }];
    expect(registersOf(fed, 'ELECTRICITY', 'usage')).toEqual(['normal', 'feedin']);
    expect(registersOf(fed, 'ELECTRICITY', 'feedin')).toEqual(['feedin_normal', 'feedin_low']);
  });
  test('sum feed-in of both tariffs; missing values are not zero', () => {
    expect(amountOf({ ...none, feedin_normal: 1, feedin_low: 2 }, 'feedin')).toBe(3);
    expect(amountOf({ ...none, feedin_low: 2 }, 'feedin')).toBe(2);
    expect(amountOf(none, 'feedin')).toBeNull();
    expect(amountOf(none, 'usage')).toBeNull();
  });
});

row('2.5-usage-day-last', 'the last received day replaces one that was not received', () => {
  expect(lastDayOf({ day: '2026-11-20', time: '00:00' })).toBe('2026-11-19'); // a period that ends at midnight belongs to the day before
  expect(lastDayOf({ day: '2026-11-20', time: '00:15' })).toBe('2026-11-20');
  expect(dayToOpen('2026-11-20', '2026-11-19')).toBe('2026-11-19');
  expect(dayToOpen('2026-11-19', '2026-11-19')).toBe('2026-11-19');
  expect(dayToOpen('2026-06-15', '2026-11-19')).toBe('2026-06-15'); // a day that was viewed earlier
  expect(dayToOpen('2026-11-20', undefined)).toBe('2026-11-20');
});

row('2.5-usage-not-yet', 'returns the part of a period that was not received, since when, and whether it is only today', () => {
  const today = '2026-11-20';
  const month = { from: '2026-11-01', to: '2026-12-01' };
  const day = (from: string, to: string) => ({ from, to });
  expect(notReceived(month, '2026-11-19', today, today)).toEqual({ since: today, today: true });
  expect(notReceived(month, '2026-11-20', today, today)).toBeUndefined(); // part of today has been received
  expect(notReceived(month, '2026-11-17', today, today)).toEqual({ since: '2026-11-18', today: false });
  expect(notReceived(day('2026-11-20', '2026-11-21'), '2026-11-17', today, today)).toEqual({ since: today, today: true });
  expect(notReceived(day('2026-11-18', '2026-11-19'), '2026-11-17', today, today)).toEqual({ since: '2026-11-18', today: false });
  expect(notReceived(day('2026-11-17', '2026-11-18'), '2026-11-17', today, today)).toBeUndefined();
  expect(notReceived(day('2026-10-01', '2026-11-01'), '2026-11-17', today, today)).toBeUndefined();
  expect(notReceived(day('2026-11-21', '2026-11-22'), '2026-11-19', today, '2026-12-31')).toBeUndefined(); // in the future
  expect(notReceived(month, '2026-11-10', today, '2026-11-10')).toBeUndefined(); // the agreement has ended
  expect(notReceived(month, '2026-11-09', today, '2026-11-10')).toEqual({ since: '2026-11-10', today: false });
  expect(notReceived(month, null, today, today)).toBeUndefined();
});

test('formats a moment in the label’s zone', () => {
  expect(clockAt('2026-03-12T23:30:00Z', 'Europe/Amsterdam')).toEqual({ day: '2026-03-13', time: '00:30' });
  expect(clockAt('2026-07-01T22:15:00Z', 'Europe/Amsterdam')).toEqual({ day: '2026-07-02', time: '00:15' });
});

describe('reads values in the right order', () => {
  row('3-unit-per-commodity', 'formats the unit', () => {
    expect([energyUnit('GAS'), energyUnit('ELECTRICITY')]).toEqual(['m³', 'kWh']);
  });
  test('formats an EAN in groups; anything else stays as it is', () => {
    expect(eanText('871600000000000017')).toBe('87\u00a01600\u00a00000\u00a00000\u00a00017');
    expect(eanText('8716000000000000171')).toBe('8716000000000000171');
    expect(eanText('x71600000000000017')).toBe('x71600000000000017');
  });
  test('returns one address line: that of a connection, else the first, else nothing', () => {
    const [first] = agreement().addresses as [(typeof ended.addresses)[number]];
    const [bare, far] = [
      { ...first, connections: [], street: 'Leegstraat' },
      { ...first, street: 'Brugstraat', house_number_extension: 'A' },
    ];
    expect(placeOf(agreement({ addresses: [bare, far] }))).toBe('Brugstraat 12 A, Grootegast');
    expect(placeOf(agreement({ addresses: [bare] }))).toBe('Leegstraat 12, Grootegast');
    expect(placeOf(agreement({ addresses: [{ ...bare, city: '' }] }))).toBe('Leegstraat 12');
    expect(placeOf(agreement({ addresses: [] }))).toBe('');
  });
  test('sorts current agreements first, then by age, newest first', () => {
    const of = (name: string, status: 'ACTIVE' | 'TERMINATED', from: string) =>
      agreement({ name, status, period: { from, to: null } });
    const all = [
      of('a', 'TERMINATED', '2025-01-01'),
      of('b', 'ACTIVE', '2020-01-01'),
      of('c', 'ACTIVE', '2021-01-01'),
      of('d', 'TERMINATED', '2026-01-01'),
    ];
    for (const given of [all, [...all].reverse()])
      expect(
        sortAgreements(given)
          .map((a) => a.name)
          .join(''),
      ).toBe('cbda');
    expect(hasDelivered(agreement({ period: { from: '2026-11-20', to: null } }), '2026-11-20')).toBe(true); // from today on
  });
  test('sorts connections of one commodity by EAN', () => {
    const two = ['871600000000000017', '871600000000000018'].map((ean_code) => connection({ ean_code }));
    const [first] = agreement().addresses as [(typeof ended.addresses)[number]];
    const wide = agreement({
      addresses: [{ ...first, connections: two.map(({ ean_code, commodity }) => ({ ean_code, commodity })) }],
    });
    expect(connectionsOf(wide, [...two].reverse())).toEqual(two);
  });
  test('the unit of the sum of a span', () => {
    expect([finest('day', 'hour'), finest('day', 'month', true)]).toEqual(['hour', 'hour']);
    expect([finest('week', 'hour'), finest('month', 'week'), finest('year', 'month')]).toEqual(['day', 'day', 'day']);
    expect([finest('years', 'year'), finest('years', 'month'), finest('year', 'month', true)]).toEqual([
      'year',
      'month',
      'month',
    ]);
  });
  row('9-usage-chart-months', 'years in years stay as they are; a year in years becomes months', () => {
    const years = { span: 'years', unit: 'year' } as const;
    expect(monthly(years)).toBe(years);
    expect(monthly({ span: 'year', unit: 'year' })).toEqual({ span: 'year', unit: 'month' });
    expect(monthly({ span: 'years', unit: 'month' })).toEqual({ span: 'years', unit: 'month' });
  });
  test('feed-in is the sum of the measured registers', () => {
    expect(amountOf({ ...none, feedin_normal: 3 }, 'feedin')).toBe(3);
    expect(amountOf({ ...none, feedin_low: 4 }, 'feedin')).toBe(4);
    expect(amountOf(none, 'feedin')).toBeNull();
    expect(registerOf({ ...none, feedin_low: 4, consumption: 9 }, 'feedin')).toBe(4);
    expect(registerOf({ ...none, normal: 5 }, 'normal')).toBe(5);
    const some = [none, { ...none, normal: 1 }];
    expect(registersOf(some, 'ELECTRICITY', 'usage')).toEqual(['normal']);
    expect(registersOf([none], 'ELECTRICITY', 'usage')).toEqual(['normal', 'low']);
    expect(registersOf([none], 'ELECTRICITY', 'feedin')).toEqual(['feedin_normal']);
  });
  test('the future begins today', () => {
    const [today, yesterday] = ['2026-11-20', '2026-11-19'].map((d) => point(`${d}T00:00:00+01:00`, null));
    expect(isUpcoming(today as Series['points'][number], '2026-11-20')).toBe(true);
    expect(isUpcoming(yesterday as Series['points'][number], '2026-11-20')).toBe(false);
    expect(isUpcoming(point('2026-11-20T00:00:00+01:00', 1), '2026-11-20')).toBe(false);
  });
  test('an hour is paired by time, a month by date, also when the day does not exist', () => {
    const hours = (day: string, off: string) => ['09', '10'].map((h) => point(`${day}T${h}:00:00${off}`, 1));
    expect(
      pairWithLastYear(hours('2026-11-20', '+01:00'), hours('2025-11-21', '+01:00'), 'day', 'hour').map((p) => p?.start),
    ).toEqual(['2025-11-21T09:00:00+01:00', '2025-11-21T10:00:00+01:00']);
    const month = (start: string) => point(start, 1, null, {});
    const { day: _, ...bare } = month('2025-11-01T00:00:00+01:00');
    expect(pairWithLastYear([month('2026-11-01T00:00:00+01:00')], [bare], 'year', 'month')).toEqual([bare]);
    expect(pairWithLastYear([month('2026-11-01T00:00:00+01:00')], [bare], 'years', 'year')).toEqual([undefined]);
  });
  row('2.3-usage-history-encoding', 'every letter of base64, with and without padding', () => {
    for (const text of ['~~~', 'ÿÿÿ>', '???', 'a', 'ab', 'abc', 'ûûþþ']) {
      const id = { agreement_identifier: text, location_id: text, ean_code: text, delivery: false };
      const encoded = encodeHistoryId(id);
      expect(encoded).toBe(Buffer.from(JSON.stringify(id)).toString('base64url'));
      expect(decodeHistoryId(encoded)).toEqual(id);
    }
    const other = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const plain = { agreement_identifier: '1', location_id: '2', ean_code: '3', delivery: false };
    for (const bad of [
      other({ ...plain, ean_code: 3 }),
      other({ ...plain, location_id: null }),
      other('text'),
      other(7),
      other(null),
    ])
      expect(decodeHistoryId(bad), bad).toBeUndefined();
    // bytes that are not valid UTF-8
    const raw = Buffer.concat([
      Buffer.from('{"agreement_identifier":"'),
      Buffer.from([0xff]),
      Buffer.from('","location_id":"2","ean_code":"3","delivery":false}'),
    ]);
    expect(decodeHistoryId(raw.toString('base64url'))).toBeUndefined();
  });
});
