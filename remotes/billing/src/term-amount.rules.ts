// Mirrors modules/billing's rules for a term amount; both run schemas/rules/5.6-*.json. The server decides. Amounts are in cents.

import { cents } from './money';

export interface Bounds {
  current: number;
  min: number;
  max: number;
}

/** Returns a plain amount such as `120.50` in cents, or null if it is not one. */
const centsOf = (plain: string): number | null => (/^-?\d+(?:\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null);

/** Validates a plain amount (5.6-amount-range, 5.6-amount-differs, 5.6-amount-decimals). */
export function checkTermAmount(plain: string, b: Bounds): string[] {
  if (plain === '') return ['billing.amount_required'];
  const amount = centsOf(plain);
  if (amount === null) return ['billing.amount_decimals'];
  if (amount < b.min || amount > b.max) return ['billing.amount_range'];
  return amount === b.current ? ['billing.amount_unchanged'] : [];
}

interface Term {
  current_amount: number;
  reason?: string | undefined;
}

/** Returns the agreements with a current term amount, and their monthly total; no total if there are none. */
export function sumRunning<P extends Term>(periodicals: readonly P[]): { running: P[]; total: number | undefined } {
  const running = periodicals.filter((p) => p.reason !== 'billing.term_amount_ended');
  return {
    running,
    total: running.length > 0 ? running.reduce((sum, p) => sum + cents(p.current_amount), 0) : undefined,
  };
}

/** Returns whether the amount is collected by direct debit; otherwise the customer pays it. */
export const isCollected = ({ payment_method }: { payment_method: string }): boolean => payment_method.startsWith('DIRECT_DEBIT');

export interface YearEnd {
  /** Expected costs of the year. */
  expected: number;
  /** Amount paid so far. */
  paid: number;
  /** Current term amount. */
  current: number;
  /** Number of remaining terms. */
  left: number;
  /** Number of remaining terms that still have the current amount, because a new amount applies later. */
  unchanged: number;
}

/**
 * Returns the refund (positive) or extra payment (negative) at the annual statement with a term amount (9-term-amount-forecast).
 */
export const yearEnd = (amount: number, y: YearEnd): number =>
  y.paid + y.unchanged * y.current + (y.left - y.unchanged) * amount - y.expected;
