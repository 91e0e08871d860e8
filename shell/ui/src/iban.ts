/** Account numbers: brings what every country's look like, so only forms that ask for one load it. */
import { formats } from './iban.gen';

export { readIban } from './format';
export { IbanField, type IbanFieldProps } from './iban-field';

const kinds: Record<string, string> = { n: '[0-9]', a: '[A-Z]', c: '[0-9A-Z]' };

/** By country what follows the check digits: `4a10n` is four letters and ten digits. */
const formatOf = new Map(formats.split(' ').map((entry) => entry.split(':') as [string, string]));

/**
 * Is it an account number, given as letters and digits in upper case: a country of the IBAN registry with its length, form and check
 * digits (9-iban-registry)? Check digits that some countries have inside the account number are for their banks to judge.
 */
export function isIban(iban: string): boolean {
  const format = /^[A-Z]{2}[0-9]{2}/.test(iban) && formatOf.get(iban.slice(0, 2));
  if (!format) return false;
  const form = format.replace(/([0-9]+)([nac])/g, (_, count: string, kind: string) => `${kinds[kind]}{${count}}`);
  return new RegExp(`^${form}$`).test(iban.slice(4)) && mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** The remainder of the number that digits and letters stand for, where A is 10 and Z is 35 (ISO 7064). */
function mod97(text: string): number {
  let rest = 0;
  for (const sign of text) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}
