import { addDays, addMonths } from '@wattle/charts';
import type { Amounts, Commodity, Point, Series } from './api';

/** The span that is on screen, and what a bar in it stands for. */
export type Span = 'day' | 'week' | 'month' | 'year' | 'years';
export type Unit = Series['unit'];
/** Usage, or what was fed in. */
export type View = 'usage' | 'feedin';

/** Bars that a span can be shown in; the first is what it is shown in when nothing is chosen. */
export const unitsOf: Record<Span, readonly Unit[]> = {
  day: ['hour'],
  week: ['day', 'hour'],
  month: ['day', 'week'],
  year: ['month', 'week'],
  years: ['year', 'month'],
};

/** What a span is summed up and compared in: weeks and months run over its ends, and may still be going on. */
export const finest = (span: Span, unit: Unit, monthly = false): Unit =>
  span === 'day' ? 'hour' : span === 'years' || monthly ? unit : 'day';

/** Spans that need no daily values (9-usage-chart-months). */
export const monthlySpans = ['year', 'years'] as const;

/** What is shown where daily values may not be: the same in months, or in years where those were chosen (9-usage-chart-months). */
export const monthly = <S extends { span: Span; unit: Unit }>(shown: S): S =>
  shown.span === 'years' && shown.unit === 'year'
    ? shown
    : { ...shown, span: shown.span === 'years' ? 'years' : 'year', unit: 'month' };

/** What counts in a view: all that was taken, or all that was fed in. null: not measured. */
export function amountOf(amounts: Amounts, view: View): number | null {
  if (view === 'usage') return amounts.consumption;
  const { feedin_normal: normal, feedin_low: low } = amounts;
  return normal === null && low === null ? null : (normal ?? 0) + (low ?? 0);
}

/** What a chart shows: registers of the meter, and beside usage both feed-in registers as one. */
export type Register = keyof Amounts | 'feedin';

export const registerOf = (amounts: Amounts, register: Register): number | null =>
  register === 'feedin' ? amountOf(amounts, 'feedin') : amounts[register];

/** Those of a connection that ever counted something in these points: a meter for one tariff has no other. */
export const registersOf = (points: readonly Amounts[], commodity: Commodity, view: View): Register[] => {
  if (commodity === 'GAS') return ['consumption'];
  const all: Register[] = view === 'usage' ? ['normal', 'low', 'feedin'] : ['feedin_normal', 'feedin_low'];
  const counted = all.filter((register) => points.some((p) => registerOf(p, register) !== null));
  return counted.length > 0 ? counted : all.slice(0, view === 'usage' ? 2 : 1);
};

/** By the start of an hour that comes twice, in the night in which summer time ends: the first one still is summer time. */
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
 * What has yet to come is no gap: nothing can have been received. `from` is the civil day of today, or the first day that has not
 * been received; the day of the start is told by the offset that it carries.
 */
export const isUpcoming = (point: Point, from: string): boolean => point.missing && point.start.slice(0, 10) >= from;

/** Last day of which anything was measured, out of the end of the last measurement: one that ends at midnight is of the day before. */
export const lastDayOf = ({ day, time }: { day: string; time: string }): string => (time === '00:00' ? addDays(day, -1) : day);

/** What of a period has not been received yet. */
export interface Awaited {
  /** First day of it. */
  since: string;
  /** It is today alone, as on any day: what a meter measures arrives the day after. */
  today: boolean;
}

/**
 * What of a period is not known yet, after the last day that was received (2.5-usage-not-yet). undefined when all of it is, when it
 * has yet to come, or when nothing was ever received. `max` is the last day that there can be something of: today, or the end of the
 * agreement.
 */
export function awaited(
  period: { from: string; to: string },
  last: string | null,
  today: string,
  max: string,
): Awaited | undefined {
  if (last === null) return undefined;
  const next = addDays(last, 1);
  const since = next < period.from ? period.from : next;
  return since > max || since > today || since >= period.to ? undefined : { since, today: since === today };
}

/** Where "day" goes from a longer span: the day that was shown, or the last that was received when that one has not been. */
export const dayToOpen = (shown: string, last: string | undefined): string => (last !== undefined && shown > last ? last : shown);

/**
 * The same a year before: months and years by the calendar, days and weeks 52 weeks before, so that a Monday meets a Monday.
 * undefined: there was none (29 February), or there is nothing to compare with.
 */
export function yearBefore(span: Span, day: string): string | undefined {
  if (span === 'years') return undefined;
  if (span === 'day' || span === 'week') return addDays(day, -364);
  const before = addMonths(day, -12);
  return addMonths(before, 12) === day ? before : undefined;
}

/** Pairs each period with the one a year before: by its place for weeks, by the clock for hours, else by the calendar. */
export function lastYears(points: readonly Point[], before: readonly Point[], span: Span, unit: Unit): (Point | undefined)[] {
  if (unit === 'week') return points.map((_, at) => before[at]);
  const key = unit === 'hour' ? (p: Point) => p.start.slice(0, 13) : (p: Point) => p.day ?? p.start.slice(0, 10);
  const known = new Map(before.map((p) => [key(p), p]));
  return points.map((p) => {
    const own = key(p);
    const day = yearBefore(span, own.slice(0, 10));
    return day === undefined ? undefined : known.get(day + own.slice(10));
  });
}

export interface Compared {
  value: number;
  /** The same of a year before. */
  past: number;
  /** Periods that were measured this year, and how many of those were measured whole, this year and the one before: what was counted. */
  measured: number;
  counted: number;
  /** Starts of the first and the last period of then that were counted. */
  first: string;
  last: string;
}

/** Below this part of what was measured, a comparison says more about the gaps than about the usage. */
const enough = 0.75;

/**
 * This span and the same a year ago, over the periods that were measured whole in both years, so that neither a gap nor a month
 * that still runs makes it lie. undefined when those are too few.
 */
export function compare(points: readonly Point[], pasts: readonly (Point | undefined)[], view: View): Compared | undefined {
  const whole = (p: Point | undefined): p is Point => p !== undefined && !p.missing && !p.partial && amountOf(p, view) !== null;
  const measured = points.map((now, at) => ({ now, past: pasts[at] })).filter(({ now }) => amountOf(now, view) !== null);
  const both = measured.flatMap(({ now, past }) => (whole(now) && whole(past) ? [{ now, past }] : []));
  const [first, last] = [both[0], both.at(-1)];
  if (!first || !last || both.length < enough * measured.length) return undefined;
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
