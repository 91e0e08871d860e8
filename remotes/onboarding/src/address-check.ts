import { useCallback, useEffect, useState } from 'react';
import { address, type FoundAddress } from './api';
import { normalizeZipCode } from './zip-code.rules';

export type LookupAddress = {
  zip_code: string;
  house_number: string;
  house_number_extension: string;
};

/** `down`: the register is unavailable; the visitor enters street and town, and the server checks the address later. */
export type AddressState = { state: 'idle' | 'asking' | 'unknown' | 'down' } | { state: 'found'; address: FoundAddress };

/** The last response of the register, and the address to which it applies. */
export interface AddressCheck {
  of(asked: LookupAddress): AddressState;
  /** Repeats the lookup. */
  again(): void;
  attempt: number;
  answered(key: string, answer: AddressState): void;
}

/** Milliseconds between the last key press and the lookup, so that house number 12 is not looked up as 1. */
const lookupDelay = 300;

/**
 * Returns a key for an address that can be looked up: it needs a house number, and a postal code of at least 6 characters
 * (5.9-address-check-trigger). Otherwise returns an empty string.
 */
export function lookupKey({ zip_code, house_number, house_number_extension }: LookupAddress): string {
  const zip = normalizeZipCode(zip_code);
  const number = house_number.trim();
  return number !== '' && zip.length >= 6 ? JSON.stringify([zip, number, house_number_extension.trim()]) : '';
}

export function useAddressCheck(): AddressCheck {
  const [known, setKnown] = useState<{ key: string; answer: AddressState }>({ key: '', answer: { state: 'idle' } });
  const [attempt, setAttempt] = useState(0);
  const answered = useCallback((key: string, answer: AddressState) => setKnown({ key, answer }), []);
  return {
    of: (asked) => {
      const key = lookupKey(asked);
      // fields that were filled in by hand are kept while another address is looked up
      if (key === known.key || known.answer.state === 'down') return known.answer;
      return { state: key === '' ? 'idle' : 'asking' };
    },
    again: () => setAttempt(attempt + 1),
    attempt,
    answered,
  };
}

/** Looks up an address when it is complete, and again when it changes. */
export function useLookUp({ attempt, answered }: AddressCheck, asked: LookupAddress): void {
  const { mutateAsync: ask } = address.useWrite('post', '/lambda/address-validation/postcode', { changes: [] });
  const key = lookupKey(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` repeats the lookup
  useEffect(() => {
    if (key === '') return;
    const [zipCode, houseNumber, houseNumberExtension] = JSON.parse(key) as [string, string, string];
    let over = false;
    const say = (answer: AddressState) => {
      if (!over) answered(key, answer);
    };
    const timer = setTimeout(() => {
      ask({ body: { zipCode, houseNumber, houseNumberExtension } }).then(
        (address) => say({ state: 'found', address }),
        ({ status }: { status: number }) => say({ state: status === 404 ? 'unknown' : 'down' }),
      );
    }, lookupDelay);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [ask, key, answered, attempt]);
}

/**
 * Returns the fields that show the error of an unknown address: the extension only if it has been filled in
 * (5.9-address-check-404).
 */
export const unknownAddressFields = ({ house_number_extension }: LookupAddress): (keyof LookupAddress)[] => [
  'zip_code',
  'house_number',
  ...(house_number_extension.trim() === '' ? [] : (['house_number_extension'] as const)),
];
