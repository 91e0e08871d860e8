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

/** What counts in a view: all that was taken, or all that was fed in. null: not measured. */
export function amountOf(amounts: Amounts, view: View): number | null {
  if (view === 'usage') return amounts.consumption;
  const { feedin_normal: normal, feedin_low: low } = amounts;
  return normal === null && low === null ? null : (normal ?? 0) + (low ?? 0);
}

/** Which registers of a connection ever counted something in these points: a meter for one tariff has no other. */
export const registersOf = (points: readonly Amounts[], commodity: Commodity, view: View): (keyof Amounts)[] => {
  if (commodity === 'GAS') return ['consumption'];
  const all: (keyof Amounts)[] = view === 'usage' ? ['normal', 'low', 'feedin_normal', 'feedin_low'] : ['feedin_normal', 'feedin_low'];
  const counted = all.filter((register) => points.some((p) => p[register] !== null));
  return counted.length > 0 ? counted : all.slice(0, view === 'usage' ? 2 : 1);
};

/** A wall clock that comes twice shows so: the second time with the other offset (the night in which summer time ends). */
export const repeats = (points: readonly Point[]): Set<string> => {
  const seen = new Set<string>();
  return new Set(points.map((p) => p.start.slice(0, 16)).filter((clock) => seen.size === seen.add(clock).size));
};

/**
 * What has yet to come is no gap: nothing can have been measured. `today` is the civil day, and the day of the start is told by the
 * offset that it carries.
 */
export const isUpcoming = (point: Point, today: string): boolean => point.missing && point.start.slice(0, 10) >= today;

/** Pairs each period with the one a year before: by its place in the span, by the clock for hours. */
export function lastYears(points: readonly Point[], before: readonly Point[], unit: Unit, shift: (day: string) => string) {
  const key = unit === 'hour' ? (p: Point) => p.start.slice(0, 13) : (p: Point) => p.day ?? p.start.slice(0, 10);
  const known = new Map(before.map((p) => [key(p), p]));
  return points.map((p, at) => {
    if (unit === 'week' || unit === 'year') return before[at];
    const own = key(p);
    return known.get(shift(own.slice(0, 10)) + own.slice(10));
  });
}

export interface Comparison {
  /** Change in percent, rounded; below zero is less. */
  percent: number;
  /** Of how many periods: those that were measured whole in both years. */
  periods: number;
  /** Whole span, or only as far as this year was measured. */
  whole: boolean;
  /** Start of the first and of the last period of last year that was counted. */
  first: string;
  last: string;
}

/**
 * This span against the same a year ago, over the periods that were measured whole this year. undefined when one of those was not
 * measured a year ago, or when there is nothing to divide by: half a comparison would mislead.
 */
export function compare(points: readonly Point[], before: readonly (Point | undefined)[], view: View): Comparison | undefined {
  const whole = (p: Point | undefined) => p !== undefined && !p.missing && !p.partial && amountOf(p, view) !== null;
  const pairs = points.map((p, i) => ({ now: p, then: before[i] })).filter(({ now }) => whole(now));
  // A leap day and the hour that a clock change adds or takes have no counterpart.
  const both = pairs.filter(({ then }) => then !== undefined);
  if (both.length === 0 || both.length < pairs.length - 1 || both.some(({ then }) => !whole(then))) return undefined;
  const sum = (side: 'now' | 'then') => both.reduce((total, pair) => total + (amountOf(pair[side] as Point, view) ?? 0), 0);
  const then = sum('then');
  if (then <= 0) return undefined;
  return {
    percent: Math.round((100 * (sum('now') - then)) / then),
    periods: both.length,
    whole: pairs.length === points.length,
    first: both[0]?.then?.start ?? '',
    last: both.at(-1)?.then?.start ?? '',
  };
}
