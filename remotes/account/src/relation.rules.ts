import type { components } from './api.gen';

export type Relation = components['schemas']['Relation'];
export type Address = components['schemas']['Address'];

/** An address as the API may return it: in snake case, or in the camel case of some sources (3-address-camel-case). */
export type AddressAsRead = Partial<Omit<Address, 'house_number' | 'connections'>> & {
  house_number?: string | number;
  addressType?: string;
  houseNumber?: string | number;
  houseNumberExtension?: string;
  zipCode?: string;
  connections?: Address['connections'] | null;
};

/** Normalizes an address; mirrors Address.UnmarshalJSON in modules/account/address.go. */
export const readAddress = (a: AddressAsRead): Address => ({
  address_type: (a.address_type ?? a.addressType ?? '') as Address['address_type'],
  street: a.street ?? '',
  house_number: String(a.house_number ?? a.houseNumber ?? ''),
  house_number_extension: a.house_number_extension ?? a.houseNumberExtension ?? '',
  zip_code: a.zip_code ?? a.zipCode ?? '',
  city: a.city ?? '',
  connections: a.connections ?? [],
});

export const salutations = ['MR', 'MRS', 'THEHEIRSOF'] as const;
export const timesOfUse = ['T_7_21', 'T_7_23', 'T_0_24'] as const;

/**
 * Returns the value if it is known, otherwise undefined: unknown values are not shown (3-relation-salutation, 3-time-of-use-enum).
 */
export const knownOrUndefined = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((v) => v === value);

/** Returns the street, house number and extension on one line. */
export const streetLine = (a: Address): string =>
  [a.street, [a.house_number, a.house_number_extension].filter(Boolean).join(' ')].filter(Boolean).join(' ');

/** Returns an address on one line: `Molenweg 18, 9861 GT  Grootegast`. */
export const addressLine = (a: Address): string => [streetLine(a), townLine(a)].filter(Boolean).join(', ');

/** Returns the postal code and town on one line; a Dutch postal code is formatted as 1234 AB. */
export const townLine = (a: Address): string =>
  [a.zip_code.replace(/^(\d{4})\s*([A-Za-z]{2})$/, '$1 $2'), a.city].filter(Boolean).join('  ');
