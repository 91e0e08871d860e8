// The twin of modules/marketplace's rules for an order; both run schemas/rules/5.7-checkout-*.json. The server decides.
import { addDays } from './offer.rules';

/** The days of a basket, under the name that the API gives or the one that clients in the field read (3-basket-start-date-alias). */
export interface StartDates {
  first_valid_start_date?: string | undefined;
  start_date?: string | undefined;
}

/** The earliest transfer date, and the one proposed (5.7-checkout-date-default); `days` is `transfer.earliest_days`. */
export const firstDay = (basket: StartDates, today: string, days: number): string =>
  basket.first_valid_start_date ?? basket.start_date ?? addDays(today, days);

/** Judges a transfer date (5.7-checkout-date-min). */
export const checkTransferDate = (day: string, basket: StartDates, today: string, days: number): string[] =>
  day === '' ? ['marketplace.required'] : day < firstDay(basket, today, days) ? ['marketplace.date_early'] : [];

/** What is still to be ticked before the order can be placed: projects, and the withdrawal period (5.7-checkout-checkboxes). */
export function unticked(
  items: readonly { project_code: string }[],
  ticked: { projects: ReadonlySet<string>; withdrawal: boolean },
): { projects: string[]; withdrawal: boolean } {
  const projects = [...new Set(items.map((i) => i.project_code))].filter((code) => !ticked.projects.has(code));
  return { projects, withdrawal: !ticked.withdrawal };
}
