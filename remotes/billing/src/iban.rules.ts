// Mirrors modules/billing/iban.go for feedback while typing; both run schemas/rules/5.1-*.json. The server decides.
import { isIban, readIban } from '@wattle/ui/iban';

/** Validates a typed IBAN against the current one (5.1-iban-required, -same, -length, -checksum-reconcile). */
export function checkIban(entered: string, current = ''): string[] {
  const iban = readIban(entered);
  if (iban === '') return ['billing.ibanRequired'];
  if (iban === readIban(current) || iban.length < 15 || iban.length > 31) return ['billing.ibanNotValid'];
  return isIban(iban) ? [] : ['billing.ibanNotValid'];
}

/** Validates the name on the account: 3 to 255 characters (5.1-name-required, 5.1-name-max). */
export function checkAccountName(entered: string): string[] {
  const { length } = [...entered.trim()];
  if (length < 3) return ['billing.bankAccountNameRequired'];
  return length > 255 ? ['billing.bankAccountNameToLong'] : [];
}

/** Validates the start day: tomorrow or later (5.1-date-required, 5.1-date-min). */
export function checkFromDate(day: string | null, today: string): string[] {
  if (!day) return ['billing.startDateRequired'];
  return day <= today ? ['billing.startDateMessage'] : [];
}

/** Returns the day after a civil day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
