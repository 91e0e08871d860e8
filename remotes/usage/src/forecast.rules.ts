import type { Commodity, Expected, Forecast } from './api';
import { centsOf } from './money';

type Cost = NonNullable<Forecast['total']>;
type One = Forecast['connections'][number];

/** The forecast for all connections of a commodity together. */
export interface CommodityForecast {
  commodity: Commodity;
  /** The last day with any measurements, for the connection that is furthest behind. */
  last: string;
  /** The day after the last completely measured one, for the connection that is furthest behind. */
  until: string;
  usage: Expected;
  feedin: Expected | undefined;
  /** undefined if the cost of a connection is unknown. */
  cost: Cost | undefined;
}

const add = (a: Expected, b: Expected): Expected => ({
  so_far: a.so_far + b.so_far,
  added: a.added + b.added,
  expected: a.expected + b.expected,
  low: a.low + b.low,
  high: a.high + b.high,
});
const addCost = (a: Cost, b: Cost): Cost => {
  return {
    expected: a.expected + b.expected,
    low: a.low + b.low,
    high: a.high + b.high,
    estimated: a.estimated || b.estimated,
    so_far: a.so_far === null || b.so_far === null ? null : a.so_far + b.so_far,
    last_year: a.last_year === null || b.last_year === null ? null : a.last_year + b.last_year,
  };
};
const addOptional = <T>(a: T | undefined, b: T | undefined, sum: (a: T, b: T) => T) => (a && b ? sum(a, b) : (a ?? b));

/**
 * Adds up the connections of each commodity, electricity first. A commodity is omitted if one of its connections has no forecast.
 */
export function commodities(forecast: Forecast): CommodityForecast[] {
  return (['ELECTRICITY', 'GAS'] as const).flatMap((commodity) => {
    const all = forecast.connections.filter((c) => c.commodity === commodity);
    const parts = all.flatMap(({ until, last_day: last = '', usage, feedin, cost }: One) =>
      until && usage ? [{ commodity, until, last, usage, feedin, cost }] : [],
    );
    if (parts.length === 0 || parts.length < all.length) return [];
    return [
      parts.reduce((a, b) => ({
        commodity,
        until: a.until < b.until ? a.until : b.until,
        last: a.last < b.last ? a.last : b.last,
        usage: add(a.usage, b.usage),
        feedin: addOptional(a.feedin, b.feedin, add),
        cost: a.cost && b.cost && addCost(a.cost, b.cost),
      })),
    ];
  });
}

/**
 * Returns amounts in whole euros that add up to their rounded total (9-dashboard-hero): each is rounded down, and those with the
 * largest remainders get the remaining euros.
 */
export function wholeEuros(amounts: readonly number[]): number[] {
  const cents = amounts.map(centsOf);
  const total = cents.reduce((sum, one) => sum + one, 0);
  const whole = cents.map((one) => Math.floor(one / 100));
  const rounded = Math.sign(total) * Math.round(Math.abs(total) / 100); // like formatEuros
  const left = whole.reduce((rest, one) => rest - one, rounded);
  const rest = (at: number) => (cents[at] ?? 0) - 100 * (whole[at] ?? 0);
  const first = [...cents.keys()].sort((a, b) => rest(b) - rest(a)).slice(0, left);
  return whole.map((one, at) => (first.includes(at) ? one + 1 : one));
}

/** Returns why a commodity has no forecast: the reason of its first connection without one. */
export const reasonOf = (forecast: Forecast, commodity: Commodity): One['reason'] =>
  forecast.connections.find((c) => c.commodity === commodity && c.reason)?.reason;

/** Returns the last measured day of the month, given the day after it; undefined if nothing has been measured yet. */
export function lastMeasured(until: string): string | undefined {
  return until.endsWith('-01') ? undefined : new Date(Date.parse(until) - 86_400_000).toISOString().slice(0, 10);
}
