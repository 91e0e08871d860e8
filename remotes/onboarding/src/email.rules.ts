// Mirrors modules/onboarding/email.go; both run schemas/rules/5.9-email*.json.
const emailPattern = /^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/;

/** Removes all white space. */
export const normalizeEmail = (entered: string): string => entered.replace(/\s/g, '');

/**
 * Validates a normalized address: its format (5.9-email), no misplaced dots, and at most 254 characters, with at most 64 before the
 * @ and 63 in each label of the domain (5.9-email-extra).
 */
export const checkEmail = (address: string): string[] =>
  emailPattern.test(address) && !/\.\.|^\.|\.@/.test(address) && address.length <= 254 && address.indexOf('@') <= 64
    ? []
    : ['onboarding.email_invalid'];
