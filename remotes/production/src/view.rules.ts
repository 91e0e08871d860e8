import { addDays, periodName, periodOf, shift, weekOf } from '@wattle/charts';
import type { Point } from './api';

/** 4-production-types, in the order of the buttons; the first is the default (4-production-default). */
export const views = ['WEEK4_WEEKS', 'DAY_HOURS', 'MONTH_DAYS', 'YEAR_MONTHS', 'YEAR3_YEARS'] as const;
export type View = (typeof views)[number];

/** The current view and period. `offset` counts periods back: 0, -1, -2 … */
export interface Selection {
  view: View;
  offset: number;
}

/** Reads the view from the URL; an invalid view or offset is replaced by the default. */
export function readSelection(view: string | null, offset: string | null): Selection {
  const back = Number(offset ?? 0);
  return {
    view: views.find((v) => v === view) ?? views[0],
    offset: Number.isSafeInteger(back) && back < 0 ? back : 0,
  };
}

/** 4-production-offset */
export const previous = ({ view, offset }: Selection): Selection => ({ view, offset: offset - 1 });
/** 4-production-next: there is no data of the future. */
export const hasNext = ({ offset }: Selection): boolean => offset < 0;
export const next = (shown: Selection): Selection => (hasNext(shown) ? { ...shown, offset: shown.offset + 1 } : shown);
/** 4-production-reset */
export const choose = (view: View): Selection => ({ view, offset: 0 });

const dayUnit = { DAY_HOURS: 'day', MONTH_DAYS: 'month', YEAR_MONTHS: 'year' } as const;

/** Returns the name of the current period, or for four weeks the first and the last day. */
export function periodNameOf(
  { view, offset }: Selection,
  today: string,
  locale: string,
): string | { first: number; last: number } {
  if (view === 'WEEK4_WEEKS') {
    const last = addDays(today, 28 * offset);
    return { first: weekOf(addDays(last, -21)).week, last: weekOf(last).week };
  }
  if (view === 'YEAR3_YEARS') {
    const last = Number(today.slice(0, 4)) + 3 * offset;
    return `${last - 2}–${last}`;
  }
  const unit = dayUnit[view];
  return periodName(unit, periodOf(unit, shift(unit, today, offset)), locale);
}

/** Returns the first day of a point's period. */
export const dayOf = ({ labels: { date } }: Point): string =>
  [String(date.year).padStart(4, '0'), ...[date.month, date.day].map((n) => String(n).padStart(2, '0'))].join('-');

/** Returns whether a point is in the future, or still running: then it has the production so far. */
export function stateOf(point: Point, view: View, now: { day: string; time: string }): 'over' | 'going' | 'upcoming' {
  const begin = dayOf(point);
  if (begin > now.day) return 'upcoming';
  const hour = Number(now.time.slice(0, 2));
  if (view === 'DAY_HOURS') {
    if (begin < now.day || (point.labels.hour ?? 0) < hour) return 'over';
    return (point.labels.hour ?? 0) > hour ? 'upcoming' : 'going';
  }
  const unit = { YEAR3_YEARS: 'year', YEAR_MONTHS: 'month', WEEK4_WEEKS: 'week', MONTH_DAYS: 'day' } as const;
  return periodOf(unit[view], begin).to > now.day ? 'going' : 'over';
}

/** For the hour that occurs twice when summer time ends: the first is summer time, the second winter time. */
export const seasonOf = (points: readonly Point[], at: number): 'summer' | 'winter' | undefined => {
  const { hour } = points[at]?.labels ?? {};
  if (hour === undefined) return undefined;
  if (points[at + 1]?.labels.hour === hour) return 'summer';
  return points[at - 1]?.labels.hour === hour ? 'winter' : undefined;
};

/** Returns the total production; null when nothing was measured. */
export const sumOf = (points: readonly Point[]): number | null => {
  const values = points.flatMap((p) => (p.value === null ? [] : [p.value]));
  return values.length > 0 ? values.reduce((sum, v) => sum + v, 0) : null;
};
