const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Returns four round values from zero up to `max`; when `min` is negative at most five for both, with the least unused space. */
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

/** Returns the number of decimals at which ticks differ from each other. */
export function decimalsOf(values: readonly number[]): number {
  return Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
}

/**
 * Returns which labels are drawn under the chart: evenly, as many as fit, on a small chart at most every second. Empty labels take no space.
 * @param letter width of a character and @param column of a point, in pixels
 */
export function shownLabels(labels: readonly string[], letter: number, column: number, small: boolean): ReadonlySet<number> {
  const nonEmpty = labels.flatMap((label, index) => (label ? [index] : []));
  const apart = column * ((nonEmpty[1] ?? 1) - (nonEmpty[0] ?? 0));
  const widest = Math.max(0, ...labels.map((label) => label.length)) * letter + 10;
  const least = Math.max(Math.ceil(widest / Math.max(apart, 0.01)), small && nonEmpty.length > 6 ? 2 : 1);
  const every = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 24, 48].find((step) => step >= least) ?? least;
  return new Set(nonEmpty.filter((_, place) => place % every === 0));
}
