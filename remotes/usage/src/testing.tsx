// Shared by this remote's tests: a fake customer API, and a page around the tested component.

import { render } from '@testing-library/react';
import { FakePortal, type FakePortalProps, fakeApi } from '@wattle/sdk/testing';
import kitEn from '@wattle/ui/messages/en.json';
import kitNl from '@wattle/ui/messages/nl.json';
import type { ReactElement } from 'react';
import type {
  Agreement,
  Amounts,
  Connection,
  ConnectionCost,
  Consent,
  CostRow,
  History,
  Latest,
  Point,
  Reading,
  Series,
} from './api';
import en from './messages/en.json';
import nl from './messages/nl.json';

export const eans = { electricity: '871600000000000017', gas: '871600000000000024', old: '871600000000000031' };

export const agreement = (more: Partial<Agreement> = {}): Agreement => ({
  agreement_identifier: '10240001',
  agreement_identifier_with_sequence: '10240001-1',
  name: 'Stroom en gas',
  status: 'ACTIVE',
  period: { from: '2023-01-01', to: null },
  price_agreements: [],
  addresses: [
    {
      address_type: 'SHIPPING',
      street: 'Molenweg',
      house_number: '12',
      house_number_extension: '',
      zip_code: '9861GT',
      city: 'Grootegast',
      connections: [
        { ean_code: eans.electricity, commodity: 'ELECTRICITY' },
        { ean_code: eans.gas, commodity: 'GAS' },
      ],
    },
  ],
  ...more,
});

/** Prices of electricity and gas since October. */
export const prices: Agreement['price_agreements'] = (
  [
    ['normal', 'ELECTRICITY', 'kWh', 0.28941],
    ['standing', 'ELECTRICITY', 'month', 6.99],
    ['single', 'GAS', 'm³', 1.3],
    ['standing', 'GAS', 'month', 6.99],
  ] as const
).map(([kind, commodity, unit, amount]) => ({ description: kind, kind, commodity, unit, amount, from: '2026-10-01', to: null }));

export const connection = (more: Partial<Connection> = {}): Connection => ({
  commodity: 'ELECTRICITY',
  ean_code: eans.electricity,
  ean_group_number: '',
  location_id: 'L1',
  meter_type: 'SMART',
  meter_number: 'E0047',
  capacity: '3x25A',
  address: { street: 'Molenweg', house_number: '12', house_number_extension: '', zip_code: '9861GT', city: 'Grootegast' },
  agreement_identifier: '10240001',
  delivery: { '10240001': true },
  ...more,
});
export const gas = (more: Partial<Connection> = {}): Connection =>
  connection({ commodity: 'GAS', ean_code: eans.gas, meter_number: 'G0011', delivery: {}, ...more });

/** A second agreement, which has ended: another address, with a conventional meter. */
export const ended = agreement({
  agreement_identifier: '10240009',
  agreement_identifier_with_sequence: '10240009-2',
  name: 'Stroom variabel',
  status: 'TERMINATED',
  period: { from: '2019-01-01', to: '2022-12-31' },
  addresses: [
    {
      address_type: 'SHIPPING',
      street: 'Dijk',
      house_number: '3',
      house_number_extension: 'A',
      zip_code: '9351AA',
      city: 'Leek',
      connections: [{ ean_code: eans.old, commodity: 'ELECTRICITY' }],
    },
  ],
});
export const old = connection({ ean_code: eans.old, meter_type: 'CONVENTIONAL', location_id: 'L9', delivery: {} });

/** A reading; `n` counts months backward from November 2026. */
export const reading = (n: number, more: Partial<Reading> = {}): Reading => {
  const month = new Date(Date.UTC(2026, 10 - n, 1)).toISOString().slice(0, 10);
  return {
    ean_number: eans.electricity,
    measurement_date: month,
    meterType: 'SMART',
    meter_number: 'E0047',
    consumption: 229,
    consumption_normal: 12000 - 130 * n,
    consumption_low: 9000 - 99 * n,
    feedin_normal: 3000 - 80 * n,
    feedin_low: 1500 - 40 * n,
    unit: 'KWH',
    ...more,
  };
};

export const none: Amounts = { normal: null, low: null, feedin_normal: null, feedin_low: null, consumption: null };
/** An hour or a day with an amount for both tariffs. */
export const point = (start: string, normal: number | null, low: number | null = null, more: Partial<Point> = {}): Point => ({
  ...none,
  start,
  ...(start.includes('T00:00') ? { day: start.slice(0, 10) } : {}),
  normal,
  low,
  consumption: normal === null && low === null ? null : (normal ?? 0) + (low ?? 0),
  missing: normal === null && low === null,
  partial: false,
  ...more,
});

/** Days of a month with equal usage; nothing is measured from `until`. */
export function monthOf(month: string, used: number, until = 32): Point[] {
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return Array.from({ length: days }, (_, at) => {
    const start = `${month}-${String(at + 1).padStart(2, '0')}T00:00:00+01:00`;
    return at + 1 < until ? point(start, used, used) : point(start, null);
  });
}

export const series = (points: Point[], more: Partial<Series> = {}): Series => ({
  ean_code: eans.electricity,
  commodity: 'ELECTRICITY',
  unit_of_measurement: 'KWH',
  unit: 'day',
  zone: 'Europe/Amsterdam',
  from: points[0]?.start.slice(0, 10) ?? '',
  to: '',
  updated: '2026-11-20T08:15:00Z',
  complete: points.every((p) => !p.missing),
  total: {
    ...none,
    normal: points.reduce((sum, p) => sum + (p.normal ?? 0), 0),
    low: points.reduce((sum, p) => sum + (p.low ?? 0), 0),
    feedin_normal: points.reduce<number | null>(
      (sum, p) => (p.feedin_normal === null ? sum : (sum ?? 0) + p.feedin_normal),
      null,
    ),
    consumption: points.reduce<number | null>((sum, p) => (p.consumption === null ? sum : (sum ?? 0) + p.consumption), null),
  },
  points,
  ...more,
});

/** A row of a cost, by default for electricity in November until the 19th. */
export const costRow = (more: Partial<CostRow> = {}): CostRow => ({
  kind: 'normal',
  netted: false,
  from: '2026-11-01',
  to: '2026-11-20',
  quantity: 190.4,
  unit: 'kWh',
  price: 0.28941,
  amount: 55.1,
  ...more,
});

/** A cost for November until the 19th, by default known, with a bar for each day. */
export const cost = (rows: CostRow[], more: Partial<ConnectionCost> = {}): ConnectionCost => {
  const cents = rows.reduce((sum, row) => sum + Math.round(row.amount * 100), 0);
  const day = Math.floor(cents / 19);
  return {
    ean_code: eans.electricity,
    commodity: 'ELECTRICITY',
    last_month: false,
    consent_needed: false,
    net_metering_until: '2026-12-31',
    vat_percent: 21,
    from: '2026-11-01',
    to: '2026-11-20',
    total: cents / 100,
    rows,
    unknown: [],
    bars: Array.from({ length: 19 }, (_, at) => ({
      start: `2026-11-${String(at + 1).padStart(2, '0')}T00:00:00+01:00`,
      day: `2026-11-${String(at + 1).padStart(2, '0')}`,
      amount: (at === 18 ? cents - 18 * day : day) / 100,
    })),
    ...more,
  };
};

/** The last measurement, from this morning, as in `series`. */
export const latest = (more: Partial<Latest> = {}): Latest => ({
  ean_code: eans.electricity,
  commodity: 'ELECTRICITY',
  from: '2026-11-19',
  measured: '2026-11-19',
  consumption: 7.9,
  feedin: 1.1,
  unit: 'KWH',
  previous: 8.4,
  last_day: '2026-11-20',
  consent_needed: false,
  ...more,
});

export const consent = (given: boolean, more: Partial<Consent> = {}): Consent => ({
  consentPresent: given,
  consentDateTime: given ? '2026-03-12T23:30:00Z' : null,
  revokedDateTime: null,
  text_version: '2026-01',
  connections: [eans.electricity, eans.gas].map((ean_code) => ({
    ean_code,
    commodity: ean_code === eans.gas ? ('GAS' as const) : ('ELECTRICITY' as const),
    supported: true,
    consentPresent: given,
    consentDateTime: given ? '2026-03-12T23:30:00Z' : null,
    revokedDateTime: null,
    ...(given ? { text_version: '2026-01' } : {}),
  })),
  ...more,
});

export const history = (more: Partial<History> = {}): History => ({
  agreement_identifier: '10240001',
  from: '2024-11-20',
  last_retrieval: '2026-11-19T13:03:00Z',
  retrieval: { state: 'DONE', progress: 100, until: '2026-11-18' },
  connections: [
    {
      ean_code: eans.electricity,
      commodity: 'ELECTRICITY',
      unit: 'KWH',
      from: '2024-11-20',
      until: '2026-11-18',
      months: [],
    },
  ],
  ...more,
});

/**
 * A fake API of a customer with smart meters for electricity and gas, and an older agreement; `more` adds or replaces responses.
 */
export const customerApi = (more: Record<string, unknown> = {}) =>
  fakeApi({
    'GET /agreements': [ended, agreement()],
    'GET /connections': [gas(), connection(), old],
    'GET /readings/{agreement}/{location}/{ean}': ({ params }: { params: Record<string, string> }) =>
      params.ean === eans.electricity ? [2, 0, 1, 3, 4, 5].map((n) => reading(n)) : [],
    'GET /smartmeterreadings/historicaldata': consent(true),
    'GET /smartmeterreadings/historicaldata/{agreement}': history(),
    'GET /usage/latest': [latest(), latest({ ean_code: eans.gas, commodity: 'GAS', unit: 'M3N', feedin: null })],
    'GET /usage/{ean}/cost': ({ params }: { params: Record<string, string> }) =>
      params.ean === eans.gas
        ? cost([costRow({ kind: 'single', unit: 'm3', quantity: 61.2, price: 1.3, amount: 79.56 })], { commodity: 'GAS' })
        : cost([costRow(), costRow({ kind: 'standing', unit: 'month', quantity: 0.633, price: 6.99, amount: 4.43 })]),
    'GET /usage/{ean}/net-metering': {
      ean_code: eans.electricity,
      applies: false,
      from: '2025-11-01',
      to: '2026-11-01',
      fed_in: 0,
    },
    'GET /usage/{ean}/series': ({ query }: { query: Record<string, string> }) =>
      series(query.from?.startsWith('2025') ? monthOf('2025-11', 6) : monthOf('2026-11', 5, 20)),
    ...more,
  });

const core = {
  unexpected: 'Something went wrong.',
  'core.may.impersonator': 'You are only viewing this portal, so you cannot change anything.',
};

/** Renders in English by default. */
export function show(what: ReactElement, props: Partial<FakePortalProps> = {}) {
  const messages = props.locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en, ...core };
  return render(
    <FakePortal
      module="usage"
      locale="en"
      at="/usage"
      messages={messages}
      settings={{ consent_text_version: '2026-01', history_months: 24, intervals: 'consent' }}
      overlays={[{ name: 'usage-history', params: ['id'] }]}
      {...props}
    >
      {what}
    </FakePortal>,
  );
}
