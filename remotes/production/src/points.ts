import { type ChartPoint, dayName, monthLabel } from '@wattle/charts';
import { formatDay, formatMonth } from '@wattle/ui';
import type { IntlShape } from 'react-intl';
import type { Point } from './api';
import { dayOf, daysName, type LeftOut, seasonOf, stateOf, type View } from './view.rules';

/** Converts API points to chart points. */
export function chartPoints(
  intl: IntlShape,
  points: readonly Point[],
  view: View,
  now: { day: string; time: string },
  earlier: readonly (number | null)[] = [],
): ChartPoint[] {
  return points.map((p, at) => {
    const state = stateOf(p, view, now);
    const { label, name } = namesOf(intl, p, view, seasonOf(points, at));
    return {
      start: startOf(p, at),
      label,
      name,
      values: { made: p.value, earlier: earlier[at] ?? null },
      unfinished: state === 'going' && p.value !== null,
      upcoming: p.value === null && state !== 'over',
    };
  });
}

const isMonday = (day: string): boolean => new Date(`${day}T00:00:00Z`).getUTCDay() === 1;

/** Returns a unique id for a point, even in the hour that occurs twice. */
export const startOf = (point: Point, at: number): string => `${dayOf(point)} ${at}`;

/** Returns the names of what a comparison leaves out: `15 november`, `9 t/m 12 november`, `januari t/m maart`, `10:00–13:00`. */
export const leftOutNames = (intl: IntlShape, all: readonly LeftOut[]): string[] =>
  all.map(({ view, first, last }) => {
    if (view === 'DAY_HOURS') return `${hourOf(first)}–${hourOf(last, 1)}`;
    const [from, until] = [dayOf(first), dayOf(last)];
    const month = (day: string) => formatMonth(day, intl.locale).split(' ')[0] ?? '';
    const names =
      view === 'YEAR_MONTHS' ? { first: month(from), last: month(until) } : daysName(from, until, until.slice(0, 4), intl.locale);
    return first === last
      ? names.last
      : intl.formatMessage({ id: 'production.weeks', defaultMessage: '{first} to {last}' }, names);
  });

const hourOf = ({ labels: { hour = 0 } }: Point, later = 0): string => `${String((hour + later) % 24).padStart(2, '0')}:00`;

function namesOf(intl: IntlShape, point: Point, view: View, season: 'summer' | 'winter' | undefined) {
  const day = dayOf(point);
  switch (view) {
    case 'DAY_HOURS': {
      const [from, until] = [hourOf(point), hourOf(point, 1)];
      const name = intl.formatMessage(
        {
          id: 'production.hour',
          defaultMessage: '{from}–{until}{season, select, summer { summer time} winter { winter time} other {}}',
        },
        { from, until, season },
      );
      return { label: from, name };
    }
    case 'MONTH_DAYS':
      return { label: String(point.labels.date.day), name: dayName(day, intl.locale) };
    case 'WEEK4_WEEKS': // 9-production-days: a label for each week
      return { label: isMonday(day) ? formatDay(day).slice(0, 5) : '', name: dayName(day, intl.locale) };
    case 'YEAR_MONTHS':
      return { label: monthLabel(day, intl.locale), name: formatMonth(day, intl.locale) };
    case 'YEAR3_YEARS':
      return { label: day.slice(0, 4), name: day.slice(0, 4) };
  }
}
