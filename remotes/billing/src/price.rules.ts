import { formatNumber, formatTariff } from '@wattle/ui/format';

/** A price of up to five decimals as the portal writes tariffs, with two (9-number-format). */
export const price = (amount: number): string => formatTariff(amount);

/** The exact price, when two decimals do not tell it all. */
export function exactPrice(amount: number): string | undefined {
  const decimals = (String(amount).split('.')[1] ?? '').length;
  return decimals > 2 ? `€\u00a0${formatNumber(amount, Math.min(5, decimals))}` : undefined;
}
