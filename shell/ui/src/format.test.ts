import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect, test } from 'vitest';
import money from '../../../schemas/rules/1-currency-format.json';
import phone from '../../../schemas/rules/5.4-phone-display.json';
import {
  formatDay,
  formatDayLong,
  formatEnergy,
  formatEuros,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPhone,
  formatTariff,
  parseDay,
  parseMoney,
} from './format';

/** Returns the files of remotes that contain a call. */
function callersOf(call: RegExp): string[] {
  const root = path.join(import.meta.dirname, '../../../remotes');
  const all = globSync('*/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.|\.gen\./.test(file));
  expect(all.length).toBeGreaterThan(100);
  return all.filter((file) => call.test(readFileSync(path.join(root, file), 'utf8'))).sort();
}

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

row('1-currency-format', 'amounts have one format everywhere, and typed amounts are parsed', () => {
  expect(plain(formatMoney(123_450))).toBe('€ 1.234,50');
  expect([4500, 123_400, -100_000].map((cents) => plain(formatMoney(cents)))).toEqual(['€ 45,00', '€ 1.234,00', '€ -1.000,00']);
  expect(plain(formatMoney(-1250))).toBe('€ -12,50');
  expect(plain(formatMoney(0))).toBe('€ 0,00');
  expect(plain(formatMoney(300, { sign: true }))).toBe('€ +3,00');
  expect(formatMoney(123_456_789, { symbol: false })).toBe('1.234.567,89');
  for (const { given, want } of money.cases) expect(parseMoney(given), given).toBe(want);
});

row('1-currency-format', 'whole euros for prices of shares, what is expected, and equal amounts of a line of invoices', () => {
  expect([49, 1234, 0, -1234].map((n) => plain(formatEuros(n)))).toEqual(['€ 49', '€ 1.234', '€ 0', '€ -1.234']);
  expect([163.49, 163.5, -163.5].map((n) => plain(formatEuros(n)))).toEqual(['€ 163', '€ 164', '€ -164']);
  expect(callersOf(/\bformatEuros\(/)).toEqual([
    'billing/src/texts.tsx', // 9-invoices-runs
    'marketplace/src/basket-lines.tsx',
    'marketplace/src/buy-form.tsx',
    'marketplace/src/cart.tsx',
    'marketplace/src/create-offer.tsx',
    'marketplace/src/my-offers-page.tsx',
    'marketplace/src/offer-card.tsx',
    'marketplace/src/offer-page.tsx',
    'marketplace/src/redeem-offer.tsx',
    'staff/src/change.rules.ts', // a new price of an offer
    'staff/src/offers-page.tsx',
    'usage/src/cost-panels.tsx',
    'usage/src/hero.tsx',
    'usage/src/month-summary.tsx',
  ]);
});

test('a formatted amount parses to the same amount', () => {
  for (const cents of [0, 1, 99, 100, 12_350, 123_450, 100_000_000, -1, -8_412])
    expect(parseMoney(formatMoney(cents))).toBe(cents);
});

row('1-date-style', 'a day is formatted as d-m-y and parsed with - / . and space', () => {
  expect(formatDay('2026-11-20')).toBe('20-11-2026');
  expect(formatDay('2026-01-05')).toBe('05-01-2026');
  expect(formatDay('2026-11-20T09:15:00Z')).toBe('20-11-2026');
  for (const typed of ['20-11-2026', '20/11/2026', '20.11.2026', '20 11 2026', ' 20 - 11 - 2026 ', '20112026', '20-11-26']) {
    expect(parseDay(typed), typed).toBe('2026-11-20');
  }
  expect(parseDay('5-1-2026')).toBe('2026-01-05');
  expect(parseDay('29-02-2028')).toBe('2028-02-29');
  for (const typed of ['', '20-11', '31-04-2026', '29-02-2026', '32-01-2026', '2026-11-20', '00-01-2026', '1-13-2026']) {
    expect(parseDay(typed), typed).toBeNull();
  }
});

row('9-number-format', 'energy and shares have no decimals, tariffs two, rounded half away from zero', () => {
  expect(plain(formatEnergy(1234.4, 'kWh'))).toBe('1.234 kWh');
  expect(plain(formatEnergy(55.5, 'm³'))).toBe('56 m³');
  expect(plain(formatEnergy(7.49, 'kWh'))).toBe('7 kWh');
  expect(plain(formatEnergy(7.495, 'kWh', 'participation'))).toBe('7,50 kWh');
  for (const unit of ['m³', 'kWh'] as const)
    expect([9.99, 9.996, 10, 10.4, -0.165].map((n) => plain(formatEnergy(n, unit, 'cost')))).toEqual(
      ['9,99', '10,00', '10', '10', '-0,17'].map((n) => `${n} ${unit}`),
    );
  expect(plain(formatEnergy(-2.5, 'kWh'))).toBe('-3 kWh');
  expect(plain(formatEnergy(1.84, 'MW'))).toBe('1,8 MW');
  expect(formatNumber(24)).toBe('24');
  expect(plain(formatTariff(0.25))).toBe('€ 0,25');
  expect(formatNumber(2.5)).toBe('3');
  expect(formatNumber(-2.5)).toBe('-3');
  expect(formatNumber(1.005, 2)).toBe('1,01'); // its binary value is a little less than 1.005
  expect(formatNumber(-1.005, 2)).toBe('-1,01');
  expect(formatNumber(-0.4)).toBe('0');
  expect(formatNumber(0.1 + 0.2, 2)).toBe('0,30');
  expect(formatNumber(999.995, 2)).toBe('1.000,00');
  expect(formatNumber(1_234_567.8)).toBe('1.234.568');
  expect(formatNumber(1e-9, 2)).toBe('0,00');
  expect(formatNumber(Number.NaN)).toBe('–');
});

row('9-number-format', 'no caller chooses the decimals of energy', () => {
  // Power, households, exact tariffs and kWh prices, years, and fractions of a month. A headline with a separate unit has the kit's
  // decimals.
  const allowed = [
    'billing/src/price.rules.ts',
    'marketplace/src/offer-page.tsx',
    'production/src/glance.tsx',
    'production/src/made.tsx',
    'production/src/production-chart.tsx',
    'usage/src/cost.rules.ts',
  ];
  const decimals = /formatNumber\((?:[^(),]|\([^()]*\))+,\s*(?!energyDecimals\()[^)\s]|decimals=\{/;
  expect(callersOf(decimals)).toEqual(allowed);
});

row('5.4-phone-display', 'a stored +31 number is shown with a 0', () => {
  for (const { given, want } of phone.cases) expect(formatPhone(given)).toBe(want[0]);
});

test('months have their names in both languages', () => {
  expect(formatDayLong('2026-11-20', 'nl')).toBe('20 november 2026');
  expect(formatDayLong('2026-03-01', 'en-GB')).toBe('1 March 2026');
  expect(formatMonth('2026-11', 'nl')).toBe('november 2026');
});
