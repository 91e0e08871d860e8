import type { IntlShape } from 'react-intl';
import { isLine } from './look';
import { runs } from './scale';
import type { ChartPoint, ChartSeries } from './types';
import { type ChartTexts, isFeedIn, nameOf, sum, valueIn } from './write';

export interface Summary {
  highest: ChartPoint;
  lowest: ChartPoint;
  /** Undefined if there are too few values for a trend. */
  trend: 'up' | 'down' | 'level' | undefined;
  /** Number of gaps: runs of periods without measured values. */
  gaps: number;
}

/** Returns the main amount of a point: the sum of the bars above zero, otherwise of those below it, otherwise the first line. */
export function amountOf(point: ChartPoint, series: readonly ChartSeries[]): number | null {
  const own = series.filter((s) => s.kind !== 'compare');
  const bars = own.filter((s) => !isLine(s));
  const stacked = bars.filter((s) => !isFeedIn(s));
  const counted = stacked.length > 0 ? stacked : bars.length > 0 ? bars : own.slice(0, 1);
  return sum(counted.map((s) => valueIn(point, s)));
}

const minTrendValues = 6;
/** Minimum difference for a trend, as a fraction of the larger of the two means. */
const minTrendShare = 0.1;

/**
 * Summarizes a chart: highest and lowest finished period, trend, gaps. Returns undefined if fewer than two periods have a value.
 */
export function summarize(points: readonly ChartPoint[], series: readonly ChartSeries[]): Summary | undefined {
  const there = points.flatMap((point) => {
    const amount = point.unfinished ? null : amountOf(point, series);
    return amount === null ? [] : [{ point, amount }];
  });
  const [first] = there;
  if (!first || there.length < 2) return undefined;
  let [highest, lowest] = [first, first];
  for (const one of there) {
    if (one.amount > highest.amount) highest = one;
    if (one.amount < lowest.amount) lowest = one;
  }
  const gaps = runs(points.map((point) => point.missing === true)).length;
  return { highest: highest.point, lowest: lowest.point, trend: trendOf(there.map(({ amount }) => amount)), gaps };
}

/** Compares the mean of the last third with that of the first third. */
function trendOf(amounts: readonly number[]): Summary['trend'] {
  if (amounts.length < minTrendValues) return undefined;
  const third = Math.floor(amounts.length / 3);
  const mean = (part: readonly number[]) => part.reduce((a, b) => a + b, 0) / part.length;
  const [before, after] = [mean(amounts.slice(0, third)), mean(amounts.slice(-third))];
  const scale = Math.max(Math.abs(before), Math.abs(after));
  if (scale === 0 || Math.abs(after - before) < minTrendShare * scale) return 'level';
  return after > before ? 'up' : 'down';
}

/** Returns a summary in words for users who cannot see the drawing; undefined if there are too few values. */
export function summaryText(
  intl: IntlShape,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  { write, gap }: ChartTexts,
): string | undefined {
  const found = summarize(points, series);
  if (!found) return undefined;
  const of = (point: ChartPoint) => ({ name: nameOf(intl, point), value: write(amountOf(point, series) ?? 0) });
  const [highest, lowest] = [of(found.highest), of(found.lowest)];
  const texts =
    highest.value === lowest.value
      ? [intl.formatMessage({ id: 'charts.even', defaultMessage: 'Every period: {value}.' }, { value: highest.value })]
      : [
          intl.formatMessage({ id: 'charts.highest', defaultMessage: 'Highest: {value}, {name}.' }, highest),
          intl.formatMessage({ id: 'charts.lowest', defaultMessage: 'Lowest: {value}, {name}.' }, lowest),
        ];
  if (found.trend && highest.value !== lowest.value)
    texts.push(
      intl.formatMessage(
        {
          id: 'charts.trend',
          defaultMessage: 'Trend: {trend, select, up {rising} down {falling} other {about level}}.',
        },
        { trend: found.trend },
      ),
    );
  if (found.gaps > 0)
    texts.push(
      intl.formatMessage(
        { id: 'charts.gaps', defaultMessage: '{count, plural, one {One gap} other {# gaps}}: {gap}.' },
        { count: found.gaps, gap },
      ),
    );
  return texts.join(' ');
}
