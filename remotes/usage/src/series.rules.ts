import { addDays, addMonths } from '@wattle/charts';
import type { Amounts, Commodity, Point, Series } from './api';

/** The length of the period shown. */
export type Span = 'day' | 'week' | 'month' | 'year' | 'years';
export type Unit = Series['unit'];
/** Usage, or feed-in. */
export type View = 'usage' | 'feedin';

/** Units of the bars for each span; the first is the default. */
export const unitsOf: Record<Span, readonly Unit[]> = {
  day: ['hour'],
  week: ['day', 'hour'],
  month: ['day', 'week'],
  year: ['month', 'week'],
  years: ['year', 'month'],
};

/** Returns the unit for sums and comparisons: weeks and months may extend beyond a span, and may be unfinished. */
export const finest = (span: Span, unit: Unit, monthly = false): Unit =>
  span === 'day' ? 'hour' : span === 'years' || monthly ? unit : 'day';

/** Spans that need no daily values (9-usage-chart-months). */
export const monthlySpans = ['year', 'years'] as const;

/** Returns the span to show without daily values: the same in months, or in years if those were chosen (9-usage-chart-months). */
export const monthly = <S extends { span: Span; unit: Unit }>(shown: S): S =>
  shown.span === 'years' && shown.unit === 'year'
    ? shown
    : { ...shown, span: shown.span === 'years' ? 'years' : 'year', unit: 'month' };

/** Returns the total of a view: all usage, or all feed-in; null if not measured. */
export function amountOf(amounts: Amounts, view: View): number | null {
  if (view === 'usage') return amounts.consumption;
  const { feedin_normal: normal, feedin_low: low } = amounts;
  return normal === null && low === null ? null : (normal ?? 0) + (low ?? 0);
}

/** Series of a chart: the meter's registers, and for usage both feed-in registers as one. */
export type Register = keyof Amounts | 'feedin';

export const registerOf = (amounts: Amounts, register: Register): number | null =>
  register === 'feedin' ? amountOf(amounts, 'feedin') : amounts[register];

/** Returns the registers with a value in any of these points: a single-tariff meter has only one. */
export const registersOf = (points: readonly Amounts[], commodity: Commodity, view: View): Register[] => {
  if (commodity === 'GAS') return ['consumption'];
  const all: Register[] = view === 'usage' ? ['normal', 'low', 'feedin'] : ['feedin_normal', 'feedin_low'];
  const counted = all.filter((register) => points.some((p) => registerOf(p, register) !== null));
  return counted.length > 0 ? counted : all.slice(0, view === 'usage' ? 2 : 1);
};

/** Returns the hours that occur twice in the night in which summer time ends, by start: the first is in summer time. */
export function repeatedHours(points: readonly Point[]): Map<string, 'summer' | 'winter'> {
  const clocks = points.map((p) => p.start.slice(0, 16));
  return new Map(
    points.flatMap((p, at) => {
      const clock = clocks[at] ?? '';
      const [first, last] = [clocks.indexOf(clock), clocks.lastIndexOf(clock)];
      return first === last ? [] : [[p.start, at === first ? 'summer' : 'winter'] as const];
    }),
  );
}

/**
 * Returns whether a missing point is upcoming, and therefore not a gap. `from` is today, or the first day without received data.
 * The day of a point is that of its start, in its own UTC offset.
 */
export const isUpcoming = (point: Point, from: string): boolean => point.missing && point.start.slice(0, 10) >= from;

/** Returns the last measured day, given the end of the last measurement: one that ends at midnight belongs to the previous day. */
export const lastDayOf = ({ day, time }: { day: string; time: string }): string => (time === '00:00' ? addDays(day, -1) : day);

/** The part of a period that has not been received yet. */
export interface NotReceived {
  /** The first day of that part. */
  since: string;
  /** Only today is missing, as usual: measurements arrive the next day. */
  today: boolean;
}

/**
 * Returns the part of a period after the last received day (2.5-usage-not-yet); undefined if everything was received, the period is
 * in the future, or nothing has ever been received. `max` is the last day that can have data: today, or the end of the agreement.
 */
export function notReceived(
  period: { from: string; to: string },
  last: string | null,
  today: string,
  max: string,
): NotReceived | undefined {
  if (last === null) return undefined;
  const next = addDays(last, 1);
  const since = next < period.from ? period.from : next;
  return since > max || since > today || since >= period.to ? undefined : { since, today: since === today };
}

/** Returns the day for the span "day": the current day, or the last received day if that is earlier. */
export const dayToOpen = (shown: string, last: string | undefined): string => (last !== undefined && shown > last ? last : shown);

/**
 * Returns the day a year earlier: for months and years by the calendar, for days and weeks 52 weeks earlier, so that weekdays
 * match. Returns undefined if it does not exist (29 February), or if there is nothing to compare with.
 */
export function yearBefore(span: Span, day: string): string | undefined {
  if (span === 'years') return undefined;
  if (span === 'day' || span === 'week') return addDays(day, -364);
  const before = addMonths(day, -12);
  return addMonths(before, 12) === day ? before : undefined;
}

/** Returns whether a month or a year is still running (9-usage-so-far). `max` is today, or the last day of a supply that has ended. */
export const isRunning = (span: Span, period: { from: string; to: string }, today: string, max: string): boolean =>
  (span === 'month' || span === 'year') && max === today && period.from <= today && today < period.to;

type Begin = Pick<Point, 'start' | 'day'>;

/** Pairs each period with the one a year earlier (a point or a bar): weeks by position, hours by time, others by the calendar. */
export function pairWithLastYear<P extends Begin>(
  points: readonly Begin[],
  before: readonly P[],
  span: Span,
  unit: Unit,
): (P | undefined)[] {
  if (unit === 'week') return points.map((_, at) => before[at]);
  const key = unit === 'hour' ? (p: Begin) => p.start.slice(0, 13) : (p: Begin) => p.day ?? p.start.slice(0, 10);
  const known = new Map(before.map((p) => [key(p), p]));
  return points.map((p) => {
    const own = key(p);
    const day = yearBefore(span, own.slice(0, 10));
    return day === undefined ? undefined : known.get(day + own.slice(10));
  });
}

/**
 * Returns the runs of days of which nothing is known, from `min` on, in a period that has ended (9-usage-past-gap). A day of hours
 * counts if none of its hours is known.
 */
export function gapsOf(
  points: readonly (Begin & { missing: boolean })[],
  unit: Unit,
  min: string,
): { from: string; to: string }[] {
  const dayOf = (p: Begin) => p.day ?? p.start.slice(0, 10);
  const known = new Set(points.filter((p) => !p.missing).map(dayOf));
  const next = (day: string) =>
    unit === 'hour' || unit === 'day'
      ? addDays(day, 1)
      : unit === 'week'
        ? addDays(day, 7)
        : addMonths(day, unit === 'month' ? 1 : 12);
  const gaps: { from: string; to: string }[] = [];
  for (const day of new Set(points.map(dayOf))) {
    const last = gaps.at(-1);
    if (known.has(day) || day < min) continue;
    if (last?.to === day) last.to = next(day);
    else gaps.push({ from: day, to: next(day) });
  }
  return gaps;
}

export interface Compared {
  value: number;
  /** The amount a year earlier. */
  past: number;
  /** Number of periods measured this year; `counted` are those that were measured completely in both years. */
  measured: number;
  counted: number;
  /** Starts of the first and last counted period a year earlier. */
  first: string;
  last: string;
}

/** Minimum fraction of the measured periods for a comparison; below it, gaps would determine the result. */
const minMeasuredShare = 0.75;

/**
 * Compares this span with a year earlier, over the periods that were measured completely in both years, so that gaps and an
 * unfinished month have no effect. Returns undefined if there are too few.
 */
export function compare(points: readonly Point[], pasts: readonly (Point | undefined)[], view: View): Compared | undefined {
  const whole = (p: Point | undefined): p is Point => p !== undefined && !p.missing && !p.partial && amountOf(p, view) !== null;
  const measured = points.map((now, at) => ({ now, past: pasts[at] })).filter(({ now }) => amountOf(now, view) !== null);
  const both = measured.flatMap(({ now, past }) => (whole(now) && whole(past) ? [{ now, past }] : []));
  const [first, last] = [both[0], both.at(-1)];
  if (!first || !last || both.length < minMeasuredShare * measured.length) return undefined;
  const sum = (side: 'now' | 'past') => both.reduce((total, pair) => total + (amountOf(pair[side], view) ?? 0), 0);
  return {
    value: sum('now'),
    past: sum('past'),
    measured: measured.length,
    counted: both.length,
    first: first.past.start,
    last: last.past.start,
  };
}
