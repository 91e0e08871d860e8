import { isLine } from './look';
import type { ChartPoint, ChartSeries } from './types';
import { isFeedIn, valueIn } from './write';

/** A part of a bar, in values: from its end nearest to zero to its far end. `last`: it is the outermost part of the bar. */
export interface Piece {
  series: ChartSeries;
  from: number;
  to: number;
  last: boolean;
}

/** Returns whether feed-in is drawn below zero: only if the chart also has other series. */
export const isFeedInBelow = (all: readonly ChartSeries[]): boolean => all.some((s) => s.kind !== 'compare' && !isFeedIn(s));

/** Stacks the values of a point above and below zero. A negative value (a credit) is drawn below zero, like feed-in. */
export function stack(point: ChartPoint, series: readonly ChartSeries[], feedInBelow: boolean): Piece[] {
  const ends = { up: 0, down: 0 };
  const pieces = series
    .filter((s) => !isLine(s))
    .flatMap((s) => {
      const given = valueIn(point, s);
      if (!given) return [];
      const value = feedInBelow && isFeedIn(s) ? -given : given;
      const side = value > 0 ? 'up' : 'down';
      const from = ends[side];
      ends[side] += value;
      return [{ series: s, from, to: ends[side] }];
    });
  return pieces.map((piece) => ({ ...piece, last: piece.to === (piece.to > 0 ? ends.up : ends.down) }));
}

/** Returns the values at which a point is drawn: the ends of its bars, its lines and its forecast. */
export function drawnValues(point: ChartPoint, series: readonly ChartSeries[], feedInBelow: boolean): number[] {
  const { expected } = point;
  return [
    ...stack(point, series, feedInBelow).map((piece) => piece.to),
    ...series.filter(isLine).flatMap((s) => (valueIn(point, s) ?? 0) * (feedInBelow && isFeedIn(s) ? -1 : 1)),
    ...(expected ? [expected.value, expected.low ?? expected.value, expected.high ?? expected.value] : []),
  ];
}

/** Returns the lowest and the highest value in the drawing. */
export function extent(points: readonly ChartPoint[], series: readonly ChartSeries[], feedInBelow: boolean): [number, number] {
  let [low, high] = [0, 0];
  for (const point of points)
    for (const end of drawnValues(point, series, feedInBelow)) {
      low = Math.min(low, end);
      high = Math.max(high, end);
    }
  return [low, high];
}
