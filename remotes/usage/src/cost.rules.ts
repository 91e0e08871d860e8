import { addDays, addMonths } from '@wattle/charts';
import { formatNumber } from '@wattle/ui';
import type { ConnectionCost, CostBar, CostRow, Latest, Point, Unknown } from './api';
import { centsOf } from './money';
import { type Span, type Unit, yearBefore } from './series.rules';

/** Spans for which costs are shown. Net metering settles a year, so all years together have no cost. */
export const costSpans: readonly Span[] = ['day', 'week', 'month', 'year'];

/**
 * Returns the days of a period to request the cost of: up to the last complete day, because a later day would make the whole cost
 * unknown. Returns undefined if none of them was measured.
 */
export function costDays(
  period: { from: string; to: string },
  latest: Latest | undefined,
): { from: string; to: string } | undefined {
  if (!latest?.last_day) return undefined;
  const until = addDays(latest.measured, 1);
  const to = until < period.to ? until : period.to;
  return period.from < to ? { from: period.from, to } : undefined;
}

/** A known cost, or an estimate if not everything was measured. */
export interface KnownCost {
  from: string;
  to: string;
  total: number;
  /** Whether all its days are estimated, or only some of them; undefined if all were measured. */
  estimated?: 'all' | 'partly' | undefined;
  /** The part in kWh or m³ that was not measured. */
  added?: number | undefined;
}

/** Returns a cost if it is known, otherwise its estimate (9-usage-euro-estimate). */
export function knownCost({ from, to, total, estimate }: ConnectionCost): KnownCost | undefined {
  const sum = total ?? estimate?.total;
  if (sum === undefined) return undefined;
  const isWhole = estimate?.days.some((run) => run.from <= from && run.to >= to);
  return { from, to, total: sum, estimated: total === null ? (isWhole ? 'all' : 'partly') : undefined, added: estimate?.added };
}

/** Returns the same days a year earlier, as the charts compare them; undefined if they do not exist. */
export function daysBefore(span: Span, days: { from: string; to: string }): { from: string; to: string } | undefined {
  const from = yearBefore(span, days.from);
  const to = yearBefore(span, days.to);
  return from && to ? { from, to } : undefined;
}

/** Returns the total of costs in cents; undefined if there are none, one is unknown, or their days differ. */
export function sumOf(
  costs: readonly (KnownCost | undefined)[],
): { cents: number; from: string; to: string; estimated: KnownCost['estimated'] } | undefined {
  const [first] = costs;
  if (!first) return undefined;
  let cents = 0;
  for (const cost of costs) {
    if (!cost || cost.from !== first.from || cost.to !== first.to) return undefined;
    cents += centsOf(cost.total);
  }
  const estimated = costs.every((c) => c?.estimated === first.estimated) ? first.estimated : 'partly';
  return { cents, from: first.from, to: first.to, estimated };
}

/** Returns the bar for each point, from the estimate if there is one; undefined if its days were not requested. */
export function barsOf(points: readonly Point[], { bars, estimate }: ConnectionCost): (CostBar | undefined)[] {
  const known = new Map((estimate?.bars.length ? estimate.bars : bars).map((bar) => [bar.start, bar]));
  return points.map((p) => known.get(p.start));
}

/**
 * Returns which part of an estimated bar was not measured, as a fraction of its usage (9-usage-part-estimated); true if that is not
 * known, because several bars are estimated or nothing of this one was measured.
 * @param measured the usage of each bar that was measured
 */
export function estimatedPart(
  bars: readonly (CostBar | undefined)[],
  measured: readonly (number | null)[],
  added: number | undefined,
): number | true {
  const places = bars.flatMap((bar, at) => (bar?.estimated ? [at] : []));
  const own = measured[places[0] ?? 0] ?? 0;
  return places.length === 1 && own > 0 && added ? added / (own + added) : true;
}

/**
 * Returns whether more days will be added to the bar that begins on a day.
 * @param asked the day after the last one whose cost was requested
 * @param end the day after the last one that can have a cost
 */
export function isUnfinished(unit: Unit, day: string | undefined, asked: string, end: string): boolean {
  if (day === undefined || unit === 'hour' || unit === 'day') return false;
  const next = unit === 'week' ? addDays(day, 7) : addMonths(day, unit === 'month' ? 1 : 12);
  return day < asked && asked < (next < end ? next : end);
}

/** Returns whether a row must show its days next to its name, because another row has the same name: its price has changed. */
export const needsDays = (row: CostRow, rows: readonly CostRow[]): boolean =>
  rows.some((other) => other !== row && other.kind === row.kind && other.netted === row.netted);

/** A reason why a cost is unknown, with all its days. */
export interface Reason {
  reason: Unknown['reason'];
  kind: Unknown['kind'];
  days: readonly { from: string; to: string }[];
}

/** Returns the reasons why a cost is unknown, each once with its days in order. */
export function reasonsOf(unknown: readonly Unknown[]): Reason[] {
  const found = new Map<string, { reason: Unknown['reason']; kind: Unknown['kind']; days: { from: string; to: string }[] }>();
  for (const { reason, kind, from, to } of [...unknown].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const key = `${reason} ${kind ?? ''}`;
    const one = found.get(key) ?? { reason, kind, days: [] };
    one.days.push({ from, to });
    found.set(key, one);
  }
  return [...found.values()];
}

/** Formats a price with all its decimals, at least two. */
export const exactPrice = (price: number): string => {
  const decimals = (String(price).split('.')[1] ?? '').length;
  return `€\u00a0${formatNumber(price, Math.max(2, Math.min(5, decimals)))}`;
};

/** A part of a month or a year. */
export interface PartOf {
  days: number;
  of: number;
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/**
 * Returns the whole months or years of a row and the parts of others, from which its amount can be recalculated exactly; undefined
 * for other units, and if its days are not contiguous.
 */
export function timeOf({ unit, from, to, quantity }: CostRow): { whole: number; parts: PartOf[] } | undefined {
  const months = unit === 'month' ? 1 : unit === 'year' ? 12 : 0;
  if (months === 0) return undefined;
  let whole = 0;
  const parts: PartOf[] = [];
  for (let day = from; day < to; ) {
    const begin = `${day.slice(0, months === 1 ? 7 : 4)}${months === 1 ? '' : '-01'}-01`;
    const next = addMonths(begin, months);
    const end = next < to ? next : to;
    if (day === begin && end === next) whole++;
    else parts.push({ days: daysBetween(day, end), of: daysBetween(begin, next) });
    day = end;
  }
  const sum = parts.reduce((total, part) => total + part.days / part.of, whole);
  return Math.abs(sum - quantity) < 0.001 ? { whole, parts } : undefined; // the API rounds to thousandths
}

/** Formats a number of days, months or years: fractions have two decimals, small ones three. */
export const timeText = (time: number): string => formatNumber(time, Number.isInteger(time) ? 0 : time < 0.1 ? 3 : 2);
