import type { CustomerSpec, DemoRecord } from './harness';

const address = { street: 'Molenweg', house_number: '12', house_number_extension: '', zip_code: '9861GT', city: 'Grootegast' };

const agreement = (
  id: string,
  sequence: number,
  name: string,
  status: string,
  period: { from: string; to: string | null },
  connections: [string, string][],
): DemoRecord => ({
  kind: 'agreement',
  data: {
    debtor_number: '{{debtor}}',
    agreement_id: `${id}-${sequence}`,
    agreement_identifier: id,
    agreement_identifier_with_sequence: `${id}-${sequence}`,
    name,
    company_name: 'Energie',
    period,
    product_category: 'ENERGY',
    status,
    addresses: [
      {
        address_type: 'SHIPPING',
        ...address,
        connections: connections.map(([ean_code, commodity]) => ({ ean_code, commodity })),
      },
    ],
    tariff_sheets: [],
  },
});

const connection = (ean_code: string, commodity: string, meter_type: string, agreement: string, feedsIn = false): DemoRecord => ({
  kind: 'connection',
  data: {
    debtor_number: '{{debtor}}',
    commodity,
    ean_code,
    ean_group_number: '',
    location_id: `L-${agreement}`,
    meter_type,
    meter_number: `M${commodity.slice(0, 1)}001`,
    capacity: '3x25A',
    address,
    agreement_identifier: agreement,
    delivery: { [agreement]: feedsIn },
  },
});

const electricity = '{{ean 1}}';
const gas = '{{ean 2}}';
const old = '{{ean 3}}';
const running = '{{id}}';
const before = '{{id}}A';

/** Fifteen monthly electricity readings with feed-in; no gas readings. */
const readings = Array.from(
  { length: 15 },
  (_, n): DemoRecord => ({
    kind: 'reading',
    data: {
      ean_code: electricity,
      measurement_date: `{{month -${14 - n}}}`,
      meter_number: 'ME001',
      consumption_normal: 12000 + 130 * n,
      consumption_low: 9000 + 99 * n,
      feedin_normal: 2000 + 80 * n,
      feedin_low: 900 + 40 * n,
    },
  }),
);

/**
 * A home with a smart meter, solar panels and gas, measured for two years; before that, another agreement with a conventional
 * meter.
 */
export const smartHome = {
  records: [
    agreement(running, 2, 'Zeker groen', 'ACTIVE', { from: '{{day -900}}', to: null }, [
      [electricity, 'ELECTRICITY'],
      [gas, 'GAS'],
    ]),
    agreement(before, 1, 'Modelcontract', 'TERMINATED', { from: '{{day -2000}}', to: '{{day -901}}' }, [[old, 'ELECTRICITY']]),
    connection(electricity, 'ELECTRICITY', 'SMART', running, true),
    connection(gas, 'GAS', 'SMART', running),
    connection(old, 'ELECTRICITY', 'CONVENTIONAL', before),
    ...readings,
  ],
  households: [
    { ean_code: electricity, commodity: 'ELECTRICITY', yearly: 3200, solar_kwp: 3.6, from_days: 760 },
    { ean_code: gas, commodity: 'GAS', yearly: 1150, from_days: 760 },
  ],
} satisfies CustomerSpec;

/** The same home with consent, so that days and hours are shown. */
export const consentHome = {
  ...smartHome,
  calls: [{ method: 'GET', module: 'usage', path: '/smartmeterreadings/historicaldata?consentGiven=true' }],
} satisfies CustomerSpec;

/** Prices since August 2025, for electricity with feed-in and for gas. */
const prices = (
  [
    ['normal', 'ELECTRICITY', 'kWh', 0.28941],
    ['low', 'ELECTRICITY', 'kWh', 0.26012],
    ['feed_in', 'ELECTRICITY', 'kWh', 0.0725],
    ['feed_in_cost', 'ELECTRICITY', 'kWh', 0.0615],
    ['standing', 'ELECTRICITY', 'maand', 6.99],
    ['tax_reduction', 'ELECTRICITY', 'jaar', -628.96],
    ['single', 'GAS', 'm³', 1.21345],
    ['standing', 'GAS', 'maand', 6.99],
  ] as const
).map(([kind, commodity, unit, amount]) => ({
  description: kind,
  kind,
  commodity,
  unit,
  amount,
  includes_vat: true,
  from: '{{month -15}}',
}));

/**
 * The home with consent and prices. Its meter readings match the measured values, so that they complete days without measurements.
 */
export const euroHome = {
  records: consentHome.records
    .filter((r) => r.kind !== 'reading')
    .map((r) =>
      r.kind === 'agreement' && r.data.status === 'ACTIVE' ? { ...r, data: { ...r.data, price_agreements: prices } } : r,
    ),
  households: smartHome.households.map((home) => ({ ...home, readings: true })),
  calls: consentHome.calls,
} satisfies CustomerSpec;
