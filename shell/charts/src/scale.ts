const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Smallest round step that is at least `size`. */
function round(size: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(size));
  const step = steps.find((s) => s * magnitude >= size * (1 - 1e-9)) ?? 10;
  return Number((step * magnitude).toPrecision(3));
}

/** Round values from zero up to `max`, and down to `min` when that is below zero: four where all is above zero. */
export function ticks(min: number, max: number): number[] {
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  if (high - low <= 0) return [0, 1, 2, 3];
  const step = round((high - low) / 3);
  const [from, to] = [Math.floor(low / step - 1e-9) + 0, Math.ceil(high / step - 1e-9)];
  const first = low < 0 ? from : 0;
  return Array.from({ length: to - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
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
