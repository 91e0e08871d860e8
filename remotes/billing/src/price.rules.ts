import { formatNumber, formatTariff } from '@wattle/ui/format';
import type { Agreement } from './agreement.rules';

/** Formats a price, which may have five decimals, with two, like all tariffs (9-number-format). */
export const price = (amount: number): string => formatTariff(amount);

/**
 * Returns the last day for which all prices are agreed, if the agreement continues after it; undefined if they are agreed until its
 * end (9-prices-until).
 */
export function pricesUntil({
  price_agreements: prices,
  period,
}: Pick<Agreement, 'price_agreements' | 'period'>): string | undefined {
  const ends = prices.map((p) => {
    const same = prices.filter((other) => other.commodity === p.commodity && other.description === p.description);
    return same.some((other) => other.to === null)
      ? '9999-12-31'
      : same.reduce((last, { to }) => (to && to > last ? to : last), '');
  });
  const [first] = ends.sort();
  return first !== undefined && first < (period.to ?? '9999-12-31') ? first : undefined;
}

/** Returns the exact price if it has more than two decimals. */
export function exactPrice(amount: number): string | undefined {
  const decimals = (String(amount).split('.')[1] ?? '').length;
  return decimals > 2 ? `€\u00a0${formatNumber(amount, Math.min(5, decimals))}` : undefined;
}
