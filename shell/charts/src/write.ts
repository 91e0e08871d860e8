import { formatNumber } from '@wattle/ui';
import type { ChartPoint, ChartSeries, Writing } from './types';

/** Nothing was measured in it by any of all series but those of comparison. */
export const isGap = (point: ChartPoint, all: readonly ChartSeries[]): boolean =>
  !point.upcoming && (point.missing === true || all.every((s) => s.kind === 'compare' || measured(point, s) === null));

/** null: not measured. */
export const measured = (point: ChartPoint, series: ChartSeries): number | null =>
  (point.missing || point.upcoming) && series.kind !== 'compare' ? null : (point.values[series.key] ?? null);

export const isFeedIn = (series: ChartSeries): boolean => series.kind.startsWith('feed-in');

/** Writes values of a chart alike: as many decimals for all. `bare`: without the unit, where it stands elsewhere. */
export function writer(
  { unit, detail, format }: Writing,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  bare = false,
) {
  if (format) return format;
  const peak = Math.max(0, ...points.flatMap((p) => series.map((s) => Math.abs(measured(p, s) ?? 0))));
  const whole = (unit === 'kWh' || unit === 'm³') && detail !== 'hours';
  const places = detail === 'participation' ? 2 : whole || peak >= 100 ? 0 : peak < 10 ? 2 : 1;
  return (value: number) => `${formatNumber(value, places)}${bare ? '' : `\u00a0${unit}`}`;
}

/** Sum of what is there, free of the dust of binary fractions; null when nothing is. */
export function sum(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null);
  return there.length > 0 ? Math.round(there.reduce((a, b) => a + b, 0) * 1e6) / 1e6 : null;
}
