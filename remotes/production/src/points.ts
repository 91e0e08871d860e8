import { type ChartPoint, dayName, monthLabel } from '@wattle/charts';
import { formatDay, formatMonth } from '@wattle/ui';
import type { IntlShape } from 'react-intl';
import type { Point } from './api';
import { dayOf, seasonOf, stateOf, type View } from './view.rules';

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

function namesOf(intl: IntlShape, point: Point, view: View, season: 'summer' | 'winter' | undefined) {
  const day = dayOf(point);
  switch (view) {
    case 'DAY_HOURS': {
      const [from, until] = [0, 1].map((n) => `${String(((point.labels.hour ?? 0) + n) % 24).padStart(2, '0')}:00`);
      const name = intl.formatMessage(
        {
          id: 'production.hour',
          defaultMessage: '{from}–{until}{season, select, summer { summer time} winter { winter time} other {}}',
        },
        { from, until, season },
      );
      return { label: from ?? '', name };
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
