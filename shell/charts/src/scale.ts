const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Four round values from zero up to `max`; when `min` lies below zero at most five for both, with the least room unused. */
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

/** Decimals that a tick needs to be told from its neighbours. */
export function decimalsOf(values: readonly number[]): number {
  return Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
}

/** Every how manieth label fits: `width` of the widest and of a column, in pixels; on a small chart at least every second. */
export function labelStep(count: number, widest: number, column: number, small: boolean): number {
  const fits = Math.max(1, Math.ceil((widest + 10) / Math.max(column, 0.01)));
  const least = small && count > 6 ? 2 : 1;
  return [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 24, 48].find((step) => step >= Math.max(fits, least)) ?? fits;
}
