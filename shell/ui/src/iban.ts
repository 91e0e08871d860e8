/** IBANs. This entry contains every country's format, so import it only in forms with an IBAN. */
import { formats } from './iban.gen';

export { readIban } from './format';
export { IbanField, type IbanFieldProps } from './iban-field';

const kinds: Record<string, string> = { n: '[0-9]', a: '[A-Z]', c: '[0-9A-Z]' };

/** Format after the check digits by country: `4a10n` is four letters and ten digits. */
const formatOf = new Map(formats.split(' ').map((entry) => entry.split(':') as [string, string]));

/**
 * Returns whether a string of digits and upper-case letters is an IBAN: the country is in the IBAN registry, and length, format and
 * check digits are right (9-iban-registry). National check digits inside the account number are not checked.
 */
export function isIban(iban: string): boolean {
  const format = /^[A-Z]{2}[0-9]{2}/.test(iban) && formatOf.get(iban.slice(0, 2));
  if (!format) return false;
  const form = format.replace(/([0-9]+)([nac])/g, (_, count: string, kind: string) => `${kinds[kind]}{${count}}`);
  return new RegExp(`^${form}$`).test(iban.slice(4)) && mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** Returns the remainder modulo 97 of the number that the characters represent, where A is 10 and Z is 35 (ISO 7064). */
function mod97(text: string): number {
  let rest = 0;
  for (const sign of text) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}
