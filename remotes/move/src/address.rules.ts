// The twin of modules/move/address.go for feedback while typing; both run schemas/rules. The server decides.
import type { components } from './api.gen';

/** A place, as an agreement and a move name it. */
export type Address = components['schemas']['Address'];
export type Named = Pick<Address, 'zip_code' | 'house_number' | 'house_number_extension'>;

/** Upper case, without spaces (5.2-zip-normalise). */
export const normaliseZip = (entered: string): string => entered.replace(/\s/g, '').toUpperCase();

/** What "a-2", "A 2" and "A2" have in common. */
export const normaliseExtension = (entered: string): string => entered.replace(/[\s\-./]/g, '').toUpperCase();

/** What two ways of writing the same address have in common. */
export const keyOf = (a: Named): string =>
  `${normaliseZip(a.zip_code)} ${a.house_number.trim()} ${normaliseExtension(a.house_number_extension)}`;

/** Many write the extension behind the number, as on an envelope: "12 A", "12-2", "12bis". */
export function splitNumber(entered: string): { number: string; extension: string | null } {
  const [, number, extension] = /^\s*(\d{1,5})[\s\-./]*(\S.*?)?\s*$/.exec(entered) ?? [];
  return number === undefined ? { number: entered.trim(), extension: null } : { number, extension: extension ?? null };
}

export const streetLine = (a: Pick<Address, 'street' | 'house_number' | 'house_number_extension'>): string =>
  [a.street, a.house_number, a.house_number_extension].filter(Boolean).join(' ');

/** `1234 AB` */
export const zipLine = (zip: string): string => normaliseZip(zip).replace(/^(\d{4})([A-Z]{2})$/, '$1 $2');

/** `1234 AB Town` */
export const townLine = (a: Pick<Address, 'zip_code' | 'city'>): string => `${zipLine(a.zip_code)} ${a.city}`;
