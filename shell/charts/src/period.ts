import { formatDayLong, formatMonth } from '@wattle/ui';

/** A span of time that is shown at once. `years` is all there is: it has no one before or after it. */
export type PeriodUnit = 'day' | 'week' | 'month' | 'year' | 'years';

/** Civil days; `to` is the first day after it. */
export interface Period {
  from: string;
  to: string;
}

const milliseconds = 86_400_000;
// Civil days are reckoned in UTC, where each has 24 hours: no clock change can move them.
const at = (day: string) => Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
const written = (time: number) => new Date(time).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => written(at(day) + days * milliseconds);

/** The same day `months` further, or the last of that month when it is shorter. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.slice(0, 10).split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return written(first.getTime() + (Math.min(date, last) - 1) * milliseconds);
}

/** The period that a day lies in: weeks begin on Monday. `years` runs from the year of `min` to that of `max`. */
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

/** A day in the period `count` further on (or back). */
export function shift(unit: PeriodUnit, day: string, count: number): string {
  if (unit === 'day') return addDays(day, count);
  if (unit === 'week') return addDays(day, 7 * count);
  return unit === 'years' ? day : addMonths(day, unit === 'month' ? count : 12 * count);
}

const shortMonths = {
  nl: 'jan feb mrt apr mei jun jul aug sep okt nov dec'.split(' '),
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
};

/** `nov`, for labels under a chart. */
export const monthLabel = (day: string, locale: string): string =>
  shortMonths[language(locale)][Number(day.slice(5, 7)) - 1] ?? '';

const weekdays = {
  nl: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag'.split(' '),
  en: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '),
};
const language = (locale: string) => (locale.startsWith('en') ? 'en' : 'nl');

/** `vrijdag 20 november 2026`. */
export const dayName = (day: string, locale: string): string =>
  `${weekdays[language(locale)][new Date(at(day)).getUTCDay()]} ${formatDayLong(day, locale)}`;

/** `vr`, `Fri`. */
export const weekdayLabel = (day: string, locale: string): string =>
  dayName(day, locale).slice(0, language(locale) === 'en' ? 3 : 2);

/** Number of the week by ISO 8601, and the year that it belongs to. */
export function weekOf(day: string): { week: number; year: number } {
  const thursday = addDays(periodOf('week', day).from, 3);
  const year = Number(thursday.slice(0, 4));
  return { week: 1 + Math.floor((at(thursday) - at(`${year}-01-01`)) / (7 * milliseconds)), year };
}

/** `vrijdag 20 november 2026`, `week 47 van 2026`, `november 2026`, `2026`, `2024–2026`. */
export function periodName(unit: PeriodUnit, period: Period, locale: string): string {
  const last = addDays(period.to, -1);
  switch (unit) {
    case 'day':
      return dayName(period.from, locale);
    case 'week': {
      const { week, year } = weekOf(period.from);
      return language(locale) === 'en' ? `week ${week} of ${year}` : `week ${week} van ${year}`;
    }
    case 'month':
      return formatMonth(period.from, locale);
    default: {
      const [first, final] = [period.from.slice(0, 4), last.slice(0, 4)];
      return first === final ? first : `${first}–${final}`;
    }
  }
}
