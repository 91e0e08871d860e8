import { isLine } from './look';
import type { ChartPoint, ChartSeries } from './types';
import { isFeedIn, measured } from './write';

/** A piece of a bar, in values: from the side of zero to its far end. `last`: nothing of this bar lies beyond it. */
export interface Piece {
  series: ChartSeries;
  from: number;
  to: number;
  last: boolean;
}

/** Feed-in hangs below zero; where there is nothing else it stands. */
export const hangs = (all: readonly ChartSeries[]): boolean => all.some((s) => s.kind !== 'compare' && !isFeedIn(s));

/** What stands above zero and what hangs below it, each piece on the one before. A credit hangs as feed-in does. */
export function stack(point: ChartPoint, series: readonly ChartSeries[], hanging: boolean): Piece[] {
  const ends = { up: 0, down: 0 };
  const pieces = series
    .filter((s) => !isLine(s))
    .flatMap((s) => {
      const given = measured(point, s);
      if (!given) return [];
      const value = hanging && isFeedIn(s) ? -given : given;
      const side = value > 0 ? 'up' : 'down';
      const from = ends[side];
      ends[side] += value;
      return [{ series: s, from, to: ends[side] }];
    });
  return pieces.map((piece) => ({ ...piece, last: piece.to === (piece.to > 0 ? ends.up : ends.down) }));
}

/** Lowest and highest value that is to be drawn. */
export function extent(points: readonly ChartPoint[], series: readonly ChartSeries[], hanging: boolean): [number, number] {
  const values = points.flatMap((point) => [
    ...stack(point, series, hanging).map((piece) => piece.to),
    ...series.filter(isLine).map((s) => (measured(point, s) ?? 0) * (hanging && isFeedIn(s) ? -1 : 1)),
  ]);
  return [Math.min(0, ...values), Math.max(0, ...values)];
}
