// Mirrors modules/account/phone.go for feedback while typing; both run schemas/rules/5.4-phone-*.json. The server decides.
const dutch = /^(?:0|\+31)[1-9][0-9]{8}$/;
const international = /^\+[0-9]{9,12}$/;

/** Removes hyphens and spaces, and replaces a leading +31 or 0031 by 0 (5.4-phone-normalise). */
export const normalizePhone = (entered: string): string => entered.replace(/[-\s]/g, '').replace(/^(?:\+31|0031)/, '0');

/**
 * Validates a normalized number, Dutch or international, and returns the error codes (5.4-phone-dutch, 5.4-phone-international).
 */
export const checkPhone = (number: string): string[] =>
  dutch.test(number) || international.test(number) ? [] : ['account.phone_invalid'];
