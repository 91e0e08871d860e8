// Mirrors modules/marketplace's rules for an order; both run schemas/rules/5.7-checkout-*.json. The server decides.
import { addDays, latest } from './offer.rules';

/** The dates in a basket, under their API name or its alias for existing clients (3-basket-start-date-alias). */
export interface StartDates {
  first_valid_start_date?: string | undefined;
  start_date?: string | undefined;
}

/** Returns the earliest transfer date, which is also the default (5.7-checkout-date-default); `days` is `transfer.earliest_days`. */
export const firstDay = (basket: StartDates, today: string, days: number): string =>
  basket.first_valid_start_date ?? basket.start_date ?? addDays(today, days);

/** Validates a transfer date (5.7-checkout-date-min). */
export const checkTransferDate = (day: string, basket: StartDates, today: string, days: number): string[] =>
  day === '' ? ['marketplace.required'] : day < firstDay(basket, today, days) ? ['marketplace.date_early'] : [];

/** A project's administration costs from a certain day (3-project-admin-costs). */
export interface Cost {
  from_date: string;
  /** In euros. */
  amount: number;
}

/** Returns a project's costs on a transfer date, in cents; undefined if it has none yet. */
export const costOn = (costs: readonly Cost[], day: string): number | undefined => {
  const cost = latest(costs, day);
  return cost && Math.round(cost.amount * 100);
};

/**
 * Returns the administration costs of an order in cents: those of each project once, regardless of the number of offers and shares
 * in the order (9-order-costs).
 */
export const orderCosts = (
  charges: Readonly<Record<string, readonly Cost[]>>,
  projects: readonly string[],
  day: string,
): number => [...new Set(projects)].reduce((sum, code) => sum + (costOn(charges[code] ?? [], day) ?? 0), 0);

/** Returns the checkboxes that must still be checked: projects, and the withdrawal period (5.7-checkout-checkboxes). */
export function uncheckedBoxes(
  items: readonly { project_code: string }[],
  checked: { projects: ReadonlySet<string>; withdrawal: boolean },
): { projects: string[]; withdrawal: boolean } {
  const projects = [...new Set(items.map((i) => i.project_code))].filter((code) => !checked.projects.has(code));
  return { projects, withdrawal: !checked.withdrawal };
}
