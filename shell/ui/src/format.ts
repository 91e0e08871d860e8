/**
 * Parses and formats numbers, money and days, in nl-NL notation in every interface language. Pure and without Intl, so that the
 * result is the same in every browser and on every device.
 */

/**
 * Formats a number with '.' for thousands and ',' for decimals. The last digit is rounded half away from zero (9-number-format).
 */
export function formatNumber(value: number, decimals = 0): string {
  if (!Number.isFinite(value)) return '–';
  const [whole = '0', fraction = ''] = roundedDigits(Math.abs(value), decimals);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  const negative = value < 0 && /[1-9]/.test(whole + fraction);
  return `${negative ? '-' : ''}${grouped}${fraction && `,${fraction}`}`;
}

/**
 * Rounds the shortest decimal string of a number, not its binary value: 1.005 becomes 1,01 although its binary value is a little
 * less. Returns the integer part and the decimals.
 */
function roundedDigits(value: number, decimals: number): [string, string] {
  const plain = value < 1e-6 ? '0' : value < 1e21 ? String(value) : value.toFixed(0);
  const [whole = '0', fraction = ''] = plain.split('.');
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  const up = Number(fraction[decimals] ?? '0') >= 5;
  const digits = (BigInt(whole + kept) + (up ? 1n : 0n)).toString().padStart(decimals + 1, '0');
  return [digits.slice(0, digits.length - decimals), decimals ? digits.slice(-decimals) : ''];
}

const nbsp = '\u00a0';

/** Formats cents as `€ 1.234,50`, `€ -12,50` (1-currency-format). With `sign` also `€ +3,00`; with `symbol: false` `1.234,50`. */
export function formatMoney(cents: number, options: { sign?: boolean; symbol?: boolean } = {}): string {
  const text = formatNumber(Math.round(cents) / 100, 2);
  const signed = options.sign && cents > 0 ? `+${text}` : text;
  return options.symbol === false ? signed : `€${nbsp}${signed}`;
}

/** Formats whole euros without decimals, for prices of shares and for what is expected: `€ 49` (1-currency-format). */
export function formatEuros(euros: number): string {
  return `€${nbsp}${formatNumber(euros, 0)}`;
}

/**
 * Parses a typed amount into cents; returns null when it is ambiguous or not an amount (1-currency-format, vectors in
 * schemas/rules/1-currency-format.json). A single separator followed by one or two digits is the decimal separator; dots before
 * groups of three digits separate thousands, so 1.234 is 1234 euros.
 */
export function parseMoney(text: string): number | null {
  const typed = text.replace(/[\s\u00a0€]/g, '').replace(/\u2212/g, '-');
  const found = /^([+-]?)([1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$|^([+-]?)([1-9]\d{0,2}(?:,\d{3})+|\d+)\.(\d{1,2})$/.exec(
    typed,
  );
  if (!found) return null;
  const [, sign, whole, cents, signB, wholeB, centsB] = found;
  const digits = (whole ?? wholeB ?? '').replace(/[.,]/g, '');
  if (digits.length > 12) return null;
  const total = Number(digits) * 100 + Number((cents ?? centsB ?? '').padEnd(2, '0'));
  return (sign || signB) === '-' && total > 0 ? -total : total;
}

/** Formats `2026-11-20` as `20-11-2026` (1-date-style). It also accepts an ISO 8601 timestamp and uses its date. */
export function formatDay(day: string): string {
  const found = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
  return found ? `${found[3]}-${found[2]}-${found[1]}` : day;
}

/**
 * Parses a typed day into `YYYY-MM-DD`, or null: parts separated by - / . or space, or eight digits; two-digit years are 20yy
 * (1-date-style).
 */
export function parseDay(text: string): string | null {
  const found =
    /^\s*(\d{1,2})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{4}|\d{2})\s*$/.exec(text) ?? /^\s*(\d{2})(\d{2})(\d{4})\s*$/.exec(text);
  if (!found) return null;
  const [day, month, year] = [Number(found[1]), Number(found[2]), Number(found[3]) + (found[3]?.length === 2 ? 2000 : 0)];
  return isDay(year, month, day) ? `${padTwo(year, 4)}-${padTwo(month)}-${padTwo(day)}` : null;
}

function isDay(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return year > 0 && days !== undefined && day >= 1 && day <= days;
}

const padTwo = (value: number, size = 2) => String(value).padStart(size, '0');

const months = {
  nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
};

/** Formats a day as `20 november 2026`, for sentences. */
export function formatDayLong(day: string, locale: string): string {
  const [year, month, date] = day.slice(0, 10).split('-');
  const name = months[locale.startsWith('en') ? 'en' : 'nl'][Number(month) - 1];
  return name ? `${Number(date)} ${name} ${year}` : day;
}

/** Formats a month as `november 2026`. Accepts `2026-11` or a day in that month. */
export function formatMonth(day: string, locale: string): string {
  return formatDayLong(`${day.slice(0, 7)}-01`, locale).replace(/^1 /, '');
}

/** Formats an EAN as on the invoice: `87 1687 9400 0000 0017`, with no-break spaces. */
export const formatEan = (ean: string): string =>
  ean.replace(/^(\d{2})(\d{4})(\d{4})(\d{4})(\d{4})$/, '$1\u00a0$2\u00a0$3\u00a0$4\u00a0$5');

/** A unit of energy, gas volume or power. */
export type EnergyUnit = 'kWh' | 'MWh' | 'm³' | 'kW' | 'MW';

/**
 * What an amount of energy belongs to. Production per participation always has two decimals because it is small; energy that
 * explains a cost has them only below ten.
 */
export type EnergyOf = 'connection' | 'participation' | 'cost';

/**
 * Returns the number of decimals of an amount of energy (9-number-format): 0 for kWh and m³, 2 for production per participation, 1
 * for power and MWh.
 */
export const energyDecimals = (unit: EnergyUnit, of?: EnergyOf): number =>
  of === 'participation' ? 2 : unit === 'kWh' || unit === 'm³' ? 0 : 1;

/** Formats energy as `1.234 kWh`, `56 m³`, `1,8 MW`; the unit determines the number of decimals. */
export const formatEnergy = (value: number, unit: EnergyUnit, of?: EnergyOf): string =>
  `${formatNumber(value, of === 'cost' && Math.abs(value) < 10 ? 2 : energyDecimals(unit, of))}${nbsp}${unit}`;

/** Formats tariffs and production per participation with two decimals (9-number-format). */
export function formatTariff(euros: number): string {
  return `€${nbsp}${formatNumber(euros, 2)}`;
}

export { formatPhone } from './tel';

/** Normalizes an IBAN to its stored form: letters and digits in upper case, without a leading "IBAN" (5.1-iban-normalise). */
export const readIban = (text: string): string =>
  text
    .replace(/[^a-z0-9]/gi, '')
    .toUpperCase()
    .replace(/^IBAN/, '');

/** Formats an IBAN in groups of four: `NL91 ABNA 0417 1643 00`. */
export const formatIban = (iban: string): string => readIban(iban).replace(/(.{4})(?=.)/g, '$1 ');

/** Hides all but the last four characters of an IBAN: `•••• •••• •••• ••43 00`. */
export const maskIban = (iban: string): string =>
  readIban(iban)
    .replace(/.(?=.{4})/g, '•')
    .replace(/(.{4})(?=.)/g, '$1 ');
