import { formatNumber } from '@wattle/ui';
import { decimalsOf, type Slot, ticks } from './scale';
import { extent } from './stack';
import type { ChartPoint, ChartSeries, ChartTarget } from './types';
import { valueIn } from './write';

/** Width of a digit at 14 px, in pixels. */
export const letter = 7.9;
/** Margins around the plot area; recharts uses the same, so that its drawing and the layer above it match. */
export const margin = { top: 32, bottom: 28, right: 8 };

export interface Geometry {
  width: number;
  height: number;
  /** Width of the vertical axis labels. */
  left: number;
  /** Width of a slot; `bar` is the width of its bar. */
  column: number;
  bar: number;
  /** Values of the horizontal lines; `names` are their labels. */
  marks: readonly number[];
  names: readonly string[];
  /** Returns the center of a slot. */
  x(slot: number): number;
  y(value: number): number;
}

export interface Measures {
  width: number;
  height: number;
  slots: readonly Slot[];
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  feedInBelow: boolean;
  target?: ChartTarget | undefined;
}

/** Returns the positions of everything in a drawing of the given size. */
export function geometryOf({ width, height, slots, points, series, feedInBelow, target }: Measures): Geometry {
  const drawn = slots.map(({ at }) => points[at] as ChartPoint);
  const [lowest, highest] = extent(drawn, series, feedInBelow);
  const marks = ticks(Math.min(lowest, target?.value ?? 0), Math.max(highest, target?.value ?? 0));
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const mirrored = !drawn.some((p) => series.some((s) => (valueIn(p, s) ?? 0) < 0));
  const places = decimalsOf(marks);
  const names = marks.map((mark) => (mark === 0 ? '0' : formatNumber(mirrored ? Math.abs(mark) : mark, places)));
  const left = Math.max(...names.map((name) => name.length)) * letter + 12;
  const column = Math.max(0, width - left - margin.right) / Math.max(slots.length, 1);
  return {
    width,
    height,
    left,
    column,
    bar: Math.max(1, Math.min(32, column * 0.7)),
    marks,
    names,
    x: (slot) => left + column * (slot + 0.5),
    y: (value) => margin.top + ((high - value) / (high - low)) * (height - margin.top - margin.bottom),
  };
}
