import { addDays, addMonths, periodName, periodOf, shift } from '@wattle/charts';
import { formatDayLong } from '@wattle/ui/format';
import type { Point } from './api';

/** 4-production-types, in the order of the buttons; the first is the default (4-production-default). */
export const views = ['WEEK4_WEEKS', 'DAY_HOURS', 'MONTH_DAYS', 'YEAR_MONTHS', 'YEAR3_YEARS'] as const;
export type View = (typeof views)[number];

/** The current view and period. `offset` counts periods backward: 0, -1, -2 … */
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
/** 4-production-next: there is no data about the future. */
export const hasNext = ({ offset }: Selection): boolean => offset < 0;
export const next = (shown: Selection): Selection => (hasNext(shown) ? { ...shown, offset: shown.offset + 1 } : shown);
/** 4-production-reset */
export const choose = (view: View): Selection => ({ view, offset: 0 });

const dayUnit = { DAY_HOURS: 'day', MONTH_DAYS: 'month', YEAR_MONTHS: 'year' } as const;

/**
 * Returns the name of the current period; for four weeks, its first and last day (9-production-period): `2` and `29 november`, with
 * the month of the first day if it is another one, and with the year if it is not the current one.
 */
export function periodNameOf(
  { view, offset }: Selection,
  today: string,
  locale: string,
): string | { first: string; last: string } {
  if (view === 'WEEK4_WEEKS') {
    const week = addDays(today, 28 * offset);
    return daysName(periodOf('week', addDays(week, -21)).from, addDays(periodOf('week', week).to, -1), today.slice(0, 4), locale);
  }
  if (view === 'YEAR3_YEARS') {
    const last = Number(today.slice(0, 4)) + 3 * offset;
    return `${last - 2}–${last}`;
  }
  const unit = dayUnit[view];
  return periodName(unit, periodOf(unit, shift(unit, today, offset)), locale);
}

/** Returns the names of a first and a last day, without what the first shares with the last, and without `year`. */
export function daysName(first: string, last: string, year: string, locale: string): { first: string; last: string } {
  const name = (day: string, same: string) =>
    formatDayLong(day, locale)
      .split(' ')
      .slice(0, day.slice(0, 7) === same.slice(0, 7) ? 1 : day.slice(0, 4) === same.slice(0, 4) ? 2 : 3)
      .join(' ');
  return { first: name(first, last), last: name(last, `${year}-`) };
}

/** Returns the same view a year earlier (for four weeks, 52 weeks earlier); undefined for whole years (9-production-compare). */
export function aYearEarlier({ view, offset }: Selection, today: string): Selection | undefined {
  const back = { WEEK4_WEEKS: 13, MONTH_DAYS: 12, YEAR_MONTHS: 1 } as const;
  if (view === 'YEAR3_YEARS') return undefined;
  if (view !== 'DAY_HOURS') return { view, offset: offset - back[view] };
  const day = shift('day', today, offset);
  return { view, offset: offset - daysFrom(addMonths(day, -12), day) };
}

const daysFrom = (from: string, until: string): number => Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000);

/** Returns the value a year earlier for each point: null if it was not measured, or if the earlier period has no such point. */
export function earlierValues(points: readonly Point[], earlier: readonly Point[], view: View): (number | null)[] {
  const key = (all: readonly Point[], at: number): string => {
    const { hour, date } = (all[at] as Point).labels;
    if (view === 'MONTH_DAYS') return `${date.day}`;
    if (view !== 'DAY_HOURS') return `${at}`;
    return `${hour} ${all.slice(0, at).some((p) => p.labels.hour === hour)}`; // the hour that occurs twice
  };
  const known = new Map(earlier.map((p, at) => [key(earlier, at), p.value]));
  return points.map((_, at) => known.get(key(points, at)) ?? null);
}

/** A sum for this year, and the sum for the same part of last year. */
export interface Both {
  value: number;
  earlier: number;
}

export const sumOfBoth = (a: Both | null, b: Both | null): Both | null =>
  a && b ? { value: a.value + b.value, earlier: a.earlier + b.earlier } : (a ?? b);

/** Returns the sums over the finished points that were measured in both years; null if there are none. */
export function comparable(
  points: readonly Point[],
  earlier: readonly (number | null)[],
  view: View,
  now: { day: string; time: string },
): Both | null {
  let sums: Both | null = null;
  points.forEach((p, at) => {
    const before = earlier[at] ?? null;
    if (p.value === null || before === null || stateOf(p, view, now) !== 'over') return;
    sums = { value: (sums?.value ?? 0) + p.value, earlier: (sums?.earlier ?? 0) + before };
  });
  return sums;
}

/** Consecutive finished points that a comparison leaves out, because each was measured only in `one` of the years. */
export interface LeftOut {
  view: View;
  first: Point;
  last: Point;
  /** Which year that is, if it is the same one for all points; `then` is a year earlier. */
  measured: 'now' | 'then' | 'one';
}

/** Returns what `comparable` leaves out of the sums of finished points. */
export function leftOut(
  points: readonly Point[],
  earlier: readonly (number | null)[],
  view: View,
  now: { day: string; time: string },
): LeftOut[] {
  const runs: LeftOut[] = [];
  points.forEach((p, at) => {
    const isThen = (earlier[at] ?? null) !== null;
    if ((p.value !== null) === isThen || stateOf(p, view, now) !== 'over') return;
    const measured = isThen ? 'then' : 'now';
    const run = runs.at(-1);
    if (run && run.last === points[at - 1])
      Object.assign(run, { last: p, measured: run.measured === measured ? measured : 'one' });
    else runs.push({ view, first: p, last: p, measured });
  });
  return runs;
}

/** Returns the first day of a point's period. */
export const dayOf = ({ labels: { date } }: Point): string =>
  [String(date.year).padStart(4, '0'), ...[date.month, date.day].map((n) => String(n).padStart(2, '0'))].join('-');

/** Returns whether a point is finished, in the future, or unfinished and therefore has the production so far. */
export function stateOf(point: Point, view: View, now: { day: string; time: string }): 'over' | 'going' | 'upcoming' {
  const begin = dayOf(point);
  if (begin > now.day) return 'upcoming';
  const hour = Number(now.time.slice(0, 2));
  if (view === 'DAY_HOURS') {
    if (begin < now.day || (point.labels.hour ?? 0) < hour) return 'over';
    return (point.labels.hour ?? 0) > hour ? 'upcoming' : 'going';
  }
  const unit = { YEAR3_YEARS: 'year', YEAR_MONTHS: 'month', WEEK4_WEEKS: 'day', MONTH_DAYS: 'day' } as const;
  return periodOf(unit[view], begin).to > now.day ? 'going' : 'over';
}

/** For the hour that occurs twice when summer time ends: the first is in summer time, the second in winter time. */
export const seasonOf = (points: readonly Point[], at: number): 'summer' | 'winter' | undefined => {
  const { hour } = points[at]?.labels ?? {};
  if (hour === undefined) return undefined;
  if (points[at + 1]?.labels.hour === hour) return 'summer';
  return points[at - 1]?.labels.hour === hour ? 'winter' : undefined;
};

/** Returns the points with their value in euros instead of kWh; the highest value is also that in euros (9-production-euro). */
export function inEuros(points: readonly Point[]): Point[] {
  const best = Math.max(0, ...points.map((p) => p.euro ?? 0));
  const at = best > 0 ? points.findIndex((p) => p.euro === best) : -1;
  return points.map((p, i) => ({ ...p, value: p.euro ?? null, rounded_value: p.euro ?? null, record: i === at }));
}

/** Returns the kWh prices from which values in euros were calculated, in chronological order; null if a period has several. */
export function pricesOf(points: readonly Point[]): number[] | null {
  const valued = points.filter((p) => p.euro !== undefined && p.euro !== 0);
  if (valued.some((p) => p.price === undefined)) return null;
  return [...new Set(valued.flatMap((p) => p.price ?? []))];
}

/** Returns a part of a whole as a percentage, which is 0 or 100 only if it is exactly that. */
export const percentOf = (part: number, all: number): number =>
  part === 0 ? 0 : part === all ? 100 : Math.min(99, Math.max(1, Math.round((100 * part) / all)));

/** Returns the total production; null if nothing was measured. */
export const sumOf = (points: readonly Point[]): number | null => {
  const values = points.flatMap((p) => (p.value === null ? [] : [p.value]));
  return values.length > 0 ? values.reduce((sum, v) => sum + v, 0) : null;
};
