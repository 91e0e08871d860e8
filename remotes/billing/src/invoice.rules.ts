import type { components } from './api.gen';
import { cents } from './money';

export type Invoice = components['schemas']['Invoice'];

/** Displayed balance status (4-balance-show-open, 4-balance-show-paid, 4-balance-show-other). */
export type ShownStatus = 'open' | 'paid' | 'refund' | 'settled' | 'progress';
const shown: Record<string, ShownStatus> = {
  OUTSTANDING: 'open',
  CANCELLED: 'open',
  OPEN: 'open',
  WRITE_OFF: 'open',
  INVALID: 'open',
  IN_SETTLEMENT: 'open',
  PAID: 'paid',
  CLOSED: 'paid',
  OVERPAYMENT: 'paid',
  REFUND: 'refund',
  SETTLED: 'settled',
  PAYMENT_IN_PROGRESS: 'progress',
};
export const shownAs = (status: string): ShownStatus | undefined => shown[status];

type Due = Pick<Invoice, 'payment_status' | 'balance' | 'due_date'>;

/**
 * Returns whether the customer must pay the balance. Invoices with other statuses are also shown as Open, but do not require
 * payment (9-invoice-overdue). Mirrors modules/billing/balance.go; both run schemas/rules/9-invoice-overdue.json.
 */
export const isPayable = (i: Pick<Due, 'payment_status' | 'balance'>): boolean =>
  (i.payment_status === 'OUTSTANDING' || i.payment_status === 'OPEN') && i.balance > 0;

/** Returns whether an invoice must be paid and its due date has passed. On the due date it is still in time. */
export const isOverdue = (i: Due, today: string): boolean => isPayable(i) && i.due_date < today;

/** Returns whether an open invoice of an agreement with direct debit will be collected: then there is nothing to do (9-invoices-calm). */
export const isAwaited = (i: Due, hasDebit: boolean, today: string): boolean => hasDebit && isPayable(i) && !isOverdue(i, today);

/** Returns whether an invoice is a final or annual statement, which is highlighted (2.1-invoices-highlight). */
export const isStatement = (i: Pick<Invoice, 'invoice_type'>): boolean =>
  i.invoice_type === 'FINAL' || i.invoice_type === 'ANNUAL';

/** Returns the year of an invoice: that of its due date (2.1-invoices-year-basis). */
export const yearOf = (i: Pick<Invoice, 'due_date'>): string => i.due_date.slice(0, 4);

/** Sorts by due date, newest first (2.1-invoices-order). */
export const byDueDate = <I extends Pick<Invoice, 'due_date' | 'invoice_id'>>(invoices: readonly I[]): I[] =>
  [...invoices].sort(compareDue);
const compareDue = (a: Pick<Invoice, 'due_date' | 'invoice_id'>, b: typeof a): number =>
  b.due_date.localeCompare(a.due_date) || b.invoice_id.localeCompare(a.invoice_id);

/** Returns whether an invoice is a paid term amount without anything special, so that it can be part of a run. */
const isPlainTerm = (i: Invoice): boolean =>
  i.invoice_type === 'PERIODICAL' && shownAs(i.payment_status) === 'paid' && i.balance === 0 && !i.settlement;

/** Invoices on one line: a single one of any kind, or successive equal paid term amounts. */
export type Run = [Invoice, ...Invoice[]];

/**
 * Divides a sorted list into runs of successive equal paid term amounts of a year; every other invoice is a run by itself
 * (9-invoices-runs).
 */
export function byRun(invoices: readonly Invoice[]): Run[] {
  const runs: Run[] = [];
  for (const invoice of invoices) {
    const last = runs.at(-1);
    const before = last?.[0];
    if (last && before && isPlainTerm(before) && isPlainTerm(invoice) && isAlike(before, invoice)) last.push(invoice);
    else runs.push([invoice]);
  }
  return runs;
}
const isAlike = (a: Invoice, b: Invoice): boolean => a.amount === b.amount && yearOf(a) === yearOf(b);

/** Returns the complete runs that begin within the newest `count` invoices (2.1-invoices-page-size, 9-invoices-runs). */
export function newestRuns(invoices: readonly Invoice[], count: number): Run[] {
  let before = 0;
  return byRun(byDueDate(invoices)).filter((run) => {
    before += run.length;
    return before - run.length < count;
  });
}

/** The invoices of a year in a list. */
export interface YearGroup {
  year: string;
  runs: Run[];
}

/** Groups sorted runs by year, newest first (2.1-invoices-grouping). */
export function byYear(runs: readonly Run[]): YearGroup[] {
  const groups: YearGroup[] = [];
  for (const run of runs) {
    const year = yearOf(run[0]);
    const last = groups.at(-1);
    if (last?.year === year) last.runs.push(run);
    else groups.push({ year, runs: [run] });
  }
  return groups;
}

/**
 * Returns the number of invoices of a year that are not shown and their sum in cents, which completes the total
 * (9-invoices-add-up).
 */
export function notShown({ runs }: YearGroup, total: { count: number; amount: number }): { count: number; amount: number } {
  const shown = runs.flat();
  return {
    count: total.count - shown.length,
    amount: cents(total.amount) - shown.reduce((sum, i) => sum + cents(i.amount), 0),
  };
}

/**
 * Returns the years of which no invoice is shown, newest first, each with the number of invoices to show to reach the first ten of
 * that year (9-invoices-years).
 */
export function otherYears<Y extends { year: number; count: number }>(groups: readonly YearGroup[], years: readonly Y[]) {
  const shown = new Set(groups.map((g) => g.year));
  const newestFirst = [...years].sort((a, b) => b.year - a.year);
  return newestFirst
    .map((y, i) => ({ ...y, shown: newestFirst.slice(0, i).reduce((sum, { count }) => sum + count, perPage) }))
    .filter((y) => y.count > 0 && !shown.has(String(y.year)));
}

/**
 * Returns the runs of several agreements, the one with the newest invoice first (9-invoices-latest). Each agreement contains only
 * its newest invoices, so anything older than the oldest invoice on a full page is omitted: newer ones may be missing.
 */
export function latestRuns(agreements: readonly (readonly Invoice[])[]): Run[] {
  const since = agreements.filter((all) => all.length >= perPage).map((all) => byDueDate(all).at(-1)?.due_date ?? '');
  return agreements
    .flatMap((all) => byRun(byDueDate(all)))
    .filter(([newest]) => since.every((day) => newest.due_date >= day))
    .sort(([a], [b]) => compareDue(a, b));
}

/** Returns the calendar month (`2026-11`) if a period is exactly that month, otherwise undefined. */
export function monthOf(from: string, to: string): string | undefined {
  const month = from.slice(0, 7);
  const last = new Date(Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)), 0)).toISOString().slice(0, 10);
  return from.endsWith('-01') && to === last ? month : undefined;
}

/** Returns the years of a period: `2025/26`, or `2026` within one. */
export const yearsOf = (from: string, to: string): string =>
  from.slice(0, 4) === to.slice(0, 4) ? from.slice(0, 4) : `${from.slice(0, 4)}/${to.slice(2, 4)}`;

/** Rows per page in a list of invoices (2.1-invoices-page-size). */
export const perPage = 10;
