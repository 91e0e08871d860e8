// Mirrors modules/move/address.go for feedback while typing; both run schemas/rules. The server decides.
import type { components } from './api.gen';

/** The address of an agreement or a move. */
export type Address = components['schemas']['Address'];
export type Named = Pick<Address, 'zip_code' | 'house_number' | 'house_number_extension'>;

/** Normalizes a postal code: upper case, without spaces (5.2-zip-normalise). */
export const normalizeZip = (entered: string): string => entered.replace(/\s/g, '').toUpperCase();

/** Returns the same value for "a-2", "A 2" and "A2". */
export const normalizeExtension = (entered: string): string => entered.replace(/[\s\-./]/g, '').toUpperCase();

/** Returns the same key for different spellings of an address. */
export const keyOf = (a: Named): string =>
  `${normalizeZip(a.zip_code)} ${a.house_number.trim()} ${normalizeExtension(a.house_number_extension)}`;

/** Splits a house number from its extension, because people often type them in one field: "12 A", "12-2", "12bis". */
export function splitNumber(entered: string): { number: string; extension: string | null } {
  const [, number, extension] = /^\s*(\d{1,5})[\s\-./]*(\S.*?)?\s*$/.exec(entered) ?? [];
  return number === undefined ? { number: entered.trim(), extension: null } : { number, extension: extension ?? null };
}

export const streetLine = (a: Pick<Address, 'street' | 'house_number' | 'house_number_extension'>): string =>
  [a.street, a.house_number, a.house_number_extension].filter(Boolean).join(' ');

/** Formats a postal code: `1234 AB`. */
export const zipLine = (zip: string): string => normalizeZip(zip).replace(/^(\d{4})([A-Z]{2})$/, '$1 $2');

/** Returns the postal code and town: `1234 AB Town`. */
export const townLine = (a: Pick<Address, 'zip_code' | 'city'>): string => `${zipLine(a.zip_code)} ${a.city}`;
