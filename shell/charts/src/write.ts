import { formatNumber } from '@wattle/ui';
import type { IntlShape } from 'react-intl';
import type { ChartPoint, ChartSeries, ValueFormat } from './types';

/** Texts of a chart, and its value format. */
export interface ChartTexts {
  write: (value: number) => string;
  /** `geen gegevens`. */
  gap: string;
  /** `nog niet bekend`. */
  later: string;
  /** `Totaal`. */
  total: string;
  /** Name of the forecast: `Verwacht`. */
  expected: string;
}

/** Returns the name of a point, marked when it is unfinished or estimated: `2026 (tot nu toe)`, `5 november (geschat)`. */
export const nameOf = (intl: IntlShape, { name: given, label, unfinished, estimated }: ChartPoint): string => {
  const name = given ?? label;
  if (unfinished && estimated)
    return intl.formatMessage({ id: 'charts.so_far_estimated', defaultMessage: '{name} (so far, estimated)' }, { name });
  if (unfinished) return intl.formatMessage({ id: 'charts.so_far', defaultMessage: '{name} (so far)' }, { name });
  return estimated ? intl.formatMessage({ id: 'charts.estimated_of', defaultMessage: '{name} (estimated)' }, { name }) : name;
};

/** Returns whether a point has no value in any series except `compare`. */
export const isGap = (point: ChartPoint, all: readonly ChartSeries[]): boolean =>
  !point.upcoming && (point.missing === true || all.every((s) => s.kind === 'compare' || valueIn(point, s) === null));

/** Returns the value of a point in a series; null if not measured. */
export const valueIn = (point: ChartPoint, series: ChartSeries): number | null =>
  (point.missing || point.upcoming) && series.kind !== 'compare' ? null : (point.values[series.key] ?? null);

export const isFeedIn = (series: ChartSeries): boolean => series.kind.startsWith('feed-in');

/** Returns a formatter with the same number of decimals for all values of a chart. `bare`: without the unit. */
export function formatterOf(
  { unit, detail, format }: ValueFormat,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  bare = false,
) {
  if (format) return format;
  let peak = 0;
  for (const p of points) for (const s of series) peak = Math.max(peak, Math.abs(valueIn(p, s) ?? 0));
  const whole = (unit === 'kWh' || unit === 'm³') && detail !== 'hours';
  const places = detail === 'participation' ? 2 : whole || peak >= 100 ? 0 : peak < 10 ? 2 : 1;
  return (value: number) => `${formatNumber(value, places)}${bare ? '' : `\u00a0${unit}`}`;
}

/** Returns the sum without binary rounding errors; null when there are no values. */
export function sum(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length > 0 ? Math.round(present.reduce((a, b) => a + b, 0) * 1e6) / 1e6 : null;
}
