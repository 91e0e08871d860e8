// Mirrors modules/account/email.go; both run schemas/rules/5.3-email-*.json.
const pattern =
  /^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/;

/** Removes all white space (5.3-email-normalise). */
export const normalizeEmail = (entered: string): string => entered.replace(/\s/g, '');

/** Validates a normalized address and returns the error codes (5.3-email-pattern). */
export const checkEmail = (address: string): string[] =>
  address.length <= 254 && address.indexOf('@') <= 64 && pattern.test(address) ? [] : ['account.email_invalid'];
