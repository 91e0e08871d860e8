// The twin of modules/billing's rules for a term amount; both run schemas/rules/5.6-*.json. The server decides. Amounts in cents.

import { cents } from './money';

export interface Bounds {
  current: number;
  min: number;
  max: number;
}

/** Whole cents of a plain amount, or null when it is none. */
const centsOf = (plain: string): number | null => (/^-?\d+(?:\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null);

/** Judges a plain amount (5.6-amount-range, 5.6-amount-differs, 5.6-amount-decimals). */
export function checkTermAmount(plain: string, b: Bounds): string[] {
  if (plain === '') return ['billing.amount_required'];
  const amount = centsOf(plain);
  if (amount === null) return ['billing.amount_decimals'];
  if (amount < b.min || amount > b.max) return ['billing.amount_range'];
  return amount === b.current ? ['billing.amount_unchanged'] : [];
}

/** The nearest amount inside the range (5.6-stepper-slider). */
export const clamp = (amount: number, b: Pick<Bounds, 'min' | 'max'>): number => Math.min(b.max, Math.max(b.min, amount));

interface Term {
  current_amount: number;
  reason?: string | undefined;
}

/** The contracts whose term amount is still paid, and what that is a month all together; no total without any. */
export function together<P extends Term>(periodicals: readonly P[]): { running: P[]; total: number | undefined } {
  const running = periodicals.filter((p) => p.reason !== 'billing.term_amount_ended');
  return {
    running,
    total: running.length > 0 ? running.reduce((sum, p) => sum + cents(p.current_amount), 0) : undefined,
  };
}

/** Is it collected from the bank account by direct debit? Else the customer pays it by himself. */
export const isCollected = ({ payment_method }: { payment_method: string }): boolean => payment_method.startsWith('DIRECT_DEBIT');

export interface YearEnd {
  /** What the year is expected to cost. */
  expected: number;
  /** What has been paid for it. */
  paid: number;
  /** Terms still to come. */
  left: number;
}

/** What is got back (positive) or still to be paid (negative) at the settlement when `amount` is paid each term from now on. */
export const yearEnd = (amount: number, y: YearEnd): number => y.paid + y.left * amount - y.expected;
