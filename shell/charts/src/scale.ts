const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Returns four round values from zero up to `max`; if `min` is negative, at most five for both sides, with the least unused space.
 */
export function ticks(min: number, max: number): number[] {
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  if (high - low <= 0) return [0, 1, 2, 3];
  const magnitude = 10 ** Math.floor(Math.log10((high - low) / 4));
  const scales = [...steps, ...steps.map((s) => s * 10)].map((s) => {
    const step = Number((s * magnitude).toPrecision(3));
    const [from, to] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    if (low < 0 && high > 0) return { step, from, count: to - from + 1 };
    return { step, from: low < 0 ? -3 : 0, count: Math.max(4, to - from + 1) };
  });
  const room = (scale: { step: number; count: number }) => scale.step * (scale.count - 1);
  const fitting = scales.filter(({ count }) => count <= (low < 0 && high > 0 ? 5 : 4)).sort((a, b) => room(a) - room(b));
  const { step, from, count } = fitting[0] ?? { step: high - low, from: 0, count: 2 };
  return Array.from({ length: count }, (_, i) => Number(((from + i) * step).toPrecision(12)) + 0);
}

/** Returns the number of decimals needed to tell the ticks apart. */
export function decimalsOf(values: readonly number[]): number {
  return Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
}

/**
 * Returns the labels to draw under the chart: evenly spaced, as many as fit, on a small chart at most every second one. Empty
 * labels take no space.
 * @param letter width of a character in pixels
 * @param column width of a slot in pixels
 */
export function shownLabels(labels: readonly string[], letter: number, column: number, small: boolean): ReadonlySet<number> {
  const nonEmpty = labels.flatMap((label, index) => (label ? [index] : []));
  const apart = column * ((nonEmpty[1] ?? 1) - (nonEmpty[0] ?? 0));
  const widest = labels.reduce((most, label) => Math.max(most, label.length), 0) * letter + 10;
  const least = Math.max(Math.ceil(widest / Math.max(apart, 0.01)), small && nonEmpty.length > 6 ? 2 : 1);
  const every = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 24, 48].find((step) => step >= least) ?? least;
  return new Set(nonEmpty.filter((_, place) => place % every === 0));
}

/** A slot in the drawing: the point `at` is drawn in it, and represents the points `from` to `to`. */
export interface Slot {
  at: number;
  from: number;
  to: number;
}

/**
 * Returns which of `count` points are drawn: all of them, or at most `most`. If there are more, the highest of each run is drawn,
 * and with `both` also the lowest, so that no peak is lost.
 * @param heightOf returns the height of a point in the drawing; null if nothing is drawn
 */
export function sample(count: number, most: number, heightOf: (index: number) => number | null, both: boolean): Slot[] {
  if (count <= most) return Array.from({ length: count }, (_, at) => ({ at, from: at, to: at }));
  const runs = both ? Math.floor(most / 2) : most;
  const slots: Slot[] = [];
  for (let run = 0; run < runs; run++) {
    const [from, to] = [Math.floor((run * count) / runs), Math.floor(((run + 1) * count) / runs) - 1];
    let [high, low] = [from, from];
    let [highest, lowest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let at = from; at <= to; at++) {
      const height = heightOf(at);
      if (height !== null && height > highest) [high, highest] = [at, height];
      if (height !== null && height < lowest) [low, lowest] = [at, height];
    }
    const [first, last] = [Math.min(high, low), Math.max(high, low)];
    if (both && first < last) slots.push({ at: first, from, to: last - 1 }, { at: last, from: last, to });
    else slots.push({ at: high, from, to });
  }
  return slots;
}

/** Returns the index of the slot that represents a point. */
export function slotOf(slots: readonly Slot[], point: number): number {
  let [low, high] = [0, slots.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle] as Slot).to < point) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the first and last index of each run of `true`. */
export function runs(flags: readonly boolean[]): [number, number][] {
  const found: [number, number][] = [];
  flags.forEach((flag, index) => {
    const last = found.at(-1);
    if (flag && last?.[1] === index - 1) last[1] = index;
    else if (flag) found.push([index, index]);
  });
  return found;
}
