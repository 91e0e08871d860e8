import { formatNumber, formatTariff } from '@wattle/ui/format';

/** Formats a price of up to five decimals with two, as all tariffs (9-number-format). */
export const price = (amount: number): string => formatTariff(amount);

/** Returns the exact price when it has more than two decimals. */
export function exactPrice(amount: number): string | undefined {
  const decimals = (String(amount).split('.')[1] ?? '').length;
  return decimals > 2 ? `€\u00a0${formatNumber(amount, Math.min(5, decimals))}` : undefined;
}
