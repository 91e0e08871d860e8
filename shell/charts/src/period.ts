import { formatDayLong, formatMonth } from '@wattle/ui';

/** The length of a period. `years` is the whole range of the data: it has no previous or next period. */
export type PeriodUnit = 'day' | 'week' | 'month' | 'year' | 'years';

/** A range of civil days; `to` is exclusive. */
export interface Period {
  /** First day, `YYYY-MM-DD`. */
  from: string;
  /** The day after the last, `YYYY-MM-DD`. */
  to: string;
}

const milliseconds = 86_400_000;
// Civil days are calculated in UTC, where every day has 24 hours, so clock changes have no effect.
const at = (day: string) => Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
const formatDate = (time: number) => new Date(time).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => formatDate(at(day) + days * milliseconds);

/** Returns the same day `months` later, or the last day of that month when it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.slice(0, 10).split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return formatDate(first.getTime() + (Math.min(date, last) - 1) * milliseconds);
}

/** Returns the period that contains a day. Weeks begin on Monday; `years` runs from the year of `min` to that of `max`. */
export function periodOf(unit: PeriodUnit, day: string, min = day, max = day): Period {
  const month = `${day.slice(0, 7)}-01`;
  const year = (of: string) => `${of.slice(0, 4)}-01-01`;
  switch (unit) {
    case 'day':
      return { from: day.slice(0, 10), to: addDays(day, 1) };
    case 'week': {
      const monday = addDays(day, -((new Date(at(day)).getUTCDay() + 6) % 7));
      return { from: monday, to: addDays(monday, 7) };
    }
    case 'month':
      return { from: month, to: addMonths(month, 1) };
    case 'year':
      return { from: year(day), to: addMonths(year(day), 12) };
    case 'years':
      return { from: year(min), to: addMonths(year(max), 12) };
  }
}

/** Returns a day in the period `count` periods later, or earlier when negative. */
export function shift(unit: PeriodUnit, day: string, count: number): string {
  if (unit === 'day') return addDays(day, count);
  if (unit === 'week') return addDays(day, 7 * count);
  return unit === 'years' ? day : addMonths(day, unit === 'month' ? count : 12 * count);
}

const shortMonths = {
  nl: 'jan feb mrt apr mei jun jul aug sep okt nov dec'.split(' '),
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
};

/** Formats a month as `nov`, for the labels under a chart. */
export const monthLabel = (day: string, locale: string): string =>
  shortMonths[language(locale)][Number(day.slice(5, 7)) - 1] ?? '';

const weekdays = {
  nl: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag'.split(' '),
  en: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '),
};
const language = (locale: string) => (locale.startsWith('en') ? 'en' : 'nl');

/** Formats a day as `vrijdag 20 november 2026`. */
export const dayName = (day: string, locale: string): string =>
  `${weekdays[language(locale)][new Date(at(day)).getUTCDay()]} ${formatDayLong(day, locale)}`;

/** Formats a weekday as `vr`, `Fri`. */
export const weekdayLabel = (day: string, locale: string): string =>
  dayName(day, locale).slice(0, language(locale) === 'en' ? 3 : 2);

/** Returns the ISO 8601 week number, and the year that the week belongs to. */
export function weekOf(day: string): { week: number; year: number } {
  const thursday = addDays(periodOf('week', day).from, 3);
  const year = Number(thursday.slice(0, 4));
  return { week: 1 + Math.floor((at(thursday) - at(`${year}-01-01`)) / (7 * milliseconds)), year };
}

/**
 * Formats a period: `vrijdag 20 november 2026`, `16 – 22 nov 2026`, `november 2026`, `2026`, `2024–2026`. A week has its days, because
 * few people know its number.
 */
export function periodName(unit: PeriodUnit, period: Period, locale: string): string {
  const last = addDays(period.to, -1);
  switch (unit) {
    case 'day':
      return dayName(period.from, locale);
    case 'week': {
      const short = (day: string) => `${Number(day.slice(8))} ${monthLabel(day, locale)}`;
      const isWithin = (length: number) => period.from.slice(0, length) === last.slice(0, length);
      const since = isWithin(7)
        ? Number(period.from.slice(8))
        : short(period.from) + (isWithin(4) ? '' : ` ${period.from.slice(0, 4)}`);
      return `${since} – ${short(last)} ${last.slice(0, 4)}`;
    }
    case 'month':
      return formatMonth(period.from, locale);
    default: {
      const [first, final] = [period.from.slice(0, 4), last.slice(0, 4)];
      return first === final ? first : `${first}–${final}`;
    }
  }
}
