// Not in format.ts, because sign-in shows phone numbers and none of the other formats.

/** Formats a stored Dutch number with a leading 0 (5.4-phone-display); other numbers are unchanged. */
export function formatPhone(stored: string): string {
  return stored.replace(/^\+31/, '0');
}
