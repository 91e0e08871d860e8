// The wizard's state without a screen: the typed values, which pages are valid, and the resulting request.
import { type Address, keyOf, normalizeZip } from './address.rules';
import {
  type Agreement,
  type Commodity,
  checkAgreement,
  checkConnections,
  checkNewAddress,
  commoditiesOf,
  deliveriesOf,
  type EANs,
  movable,
} from './agreement.rules';
import type { Request } from './api';
import { checkDates, type Refusal } from './dates.rules';

/** The typed and selected values, kept per tab until the move has been submitted. */
export interface Draft {
  /** Unique id of this draft; part of the idempotency key. */
  id: string;
  /** agreement_identifier_with_sequence; empty if none has been selected. */
  agreement: string;
  zipCode: string;
  houseNumber: string;
  /** Empty: the address without an extension; null: nothing selected. */
  extension: string | null;
  /** The input of the last lookup, whose result is valid only while the fields still have these values. */
  asked: { zipCode: string; houseNumber: string } | null;
  /** Entered by hand while the register is unavailable. */
  street: string;
  city: string;
  residential: boolean;
  /** Also sends invoices and post to the new address. */
  post: boolean;
  /** `YYYY-MM-DD`, or the text typed so far. */
  start: string;
  stop: string;
}

export const empty: Draft = {
  id: '',
  agreement: '',
  zipCode: '',
  houseNumber: '',
  extension: null,
  asked: null,
  street: '',
  city: '',
  residential: true, // 3-move-residential-default
  post: true,
  start: '',
  stop: '',
};

/** The state of the address lookup (4-lookup-states). */
export type Lookup =
  | { state: 'idle' }
  | { state: 'loading'; alternatives: readonly string[] }
  | { state: 'choose'; alternatives: readonly string[] }
  | { state: 'found'; alternatives: readonly string[]; address: Address; eans: EANs }
  | { state: 'unknown'; alternatives: readonly string[] }
  | { state: 'busy'; retry(): void } // too many lookups: retry later
  | { state: 'down'; retrying: boolean; retry(): void }; // 4-addr-lookup-down

/** Returns whether the fields still equal the last lookup. */
export const isLookedUp = ({ asked, zipCode, houseNumber }: Pick<Draft, 'asked' | 'zipCode' | 'houseNumber'>): boolean =>
  asked !== null && asked.zipCode === normalizeZip(zipCode) && asked.houseNumber === houseNumber.trim();

/** The wizard's data that the customer does not enter. */
export interface WizardData {
  agreements: readonly Agreement[];
  /** Agreements with a pending move. */
  pending: ReadonlySet<string>;
  lookup: Lookup;
  today: string;
}

/**
 * Returns the agreement if there is exactly one choice with exactly one address; the wizard then starts on page 1 (2.2-page0-skip).
 */
export function onlyChoice(agreements: readonly Agreement[]): Agreement | undefined {
  const [only, ...more] = movable(agreements);
  return only && more.length === 0 && checkAgreement(only).length === 0 ? only : undefined;
}

/** Returns the agreement to move: the selected one, or the only one (2.2-old-address-prefill). */
export function chosenOf(draft: Draft, agreements: readonly Agreement[]): Agreement | undefined {
  const choices = movable(agreements);
  return choices.find((a) => a.agreement_identifier_with_sequence === draft.agreement) ?? onlyChoice(agreements);
}

/** Returns the delivery addresses of an agreement, without duplicates: the choices for the old address on page 1. */
export function placesOf(agreement: Agreement | undefined): Agreement['addresses'][number][] {
  const places = new Map<string, Agreement['addresses'][number]>();
  for (const a of agreement ? deliveriesOf(agreement) : []) {
    const key = keyOf(a);
    const same = places.get(key);
    places.set(key, same ? { ...same, connections: [...same.connections, ...a.connections] } : a);
  }
  return [...places.values()];
}

/** Validates page 0: the selected agreement can be moved and has no pending move. */
export function checkAgreementChoice(draft: Draft, known: WizardData): string[] {
  const chosen = chosenOf(draft, known.agreements);
  if (!chosen) return ['move.agreement_required'];
  if (known.pending.has(chosen.agreement_identifier_with_sequence)) return ['move.pending'];
  return checkAgreement(chosen);
}

/** Returns the new address, from the register or entered by hand. */
export function newAddressOf(draft: Draft, lookup: Lookup): Address | undefined {
  if (lookup.state === 'found') return lookup.address;
  if (lookup.state !== 'down') return undefined;
  return {
    street: draft.street.trim(),
    house_number: draft.houseNumber.trim(),
    house_number_extension: draft.extension?.trim() ?? '',
    zip_code: normalizeZip(draft.zipCode),
    city: draft.city.trim(),
  };
}

/**
 * Validates page 1 (2.5-move-page1-validator): required fields, the address exists, no agreement at that address, no double
 * connection, and matching connections. Returns at most one code per field; `new_address` is the address as a whole.
 */
export function checkAddresses(draft: Draft, known: WizardData): Refusal[] {
  const wrong: Refusal[] = [];
  const refuse = (field: string, code: string) => wrong.push({ field, code });
  const [old, ...more] = placesOf(chosenOf(draft, known.agreements));
  if (!old || more.length > 0) refuse('old_address', 'move.required'); // 5.2-old-address-required
  if (normalizeZip(draft.zipCode) === '') refuse('new_address.zip_code', 'move.required');
  if (draft.houseNumber.trim() === '') refuse('new_address.house_number', 'move.required');
  if (wrong.length > 0 || !old) return wrong;
  const { lookup } = known;
  switch (lookup.state) {
    case 'idle':
    case 'loading':
    case 'busy':
      refuse('new_address', 'move.address_awaited');
      return wrong;
    case 'choose':
      refuse('new_address.house_number_extension', 'move.multiple_addresses');
      return wrong;
    case 'unknown':
      refuse('new_address', 'move.address_unknown');
      return wrong;
    case 'down':
      if (draft.street.trim() === '') refuse('new_address.street', 'move.required');
      if (draft.city.trim() === '') refuse('new_address.city', 'move.required');
  }
  const to = newAddressOf(draft, lookup);
  const [code] = [
    ...(to ? checkNewAddress(to, known.agreements) : []),
    ...(lookup.state === 'found' ? checkConnections(lookup.eans, commoditiesOf(old.connections)) : []),
  ];
  if (code) refuse('new_address', code);
  return wrong;
}

/** A commodity at the new address that does not move, and the customer's other agreement for it, if any. */
export interface OtherCommodity {
  commodity: Commodity;
  contract?: string;
}

/** Returns the commodities at the new address that the moving agreement does not cover (9-move-other-energy). */
export function othersOf(
  chosen: Agreement | undefined,
  { agreements, lookup }: Pick<WizardData, 'agreements' | 'lookup'>,
): OtherCommodity[] {
  const deliveredBy = (a: Agreement) => commoditiesOf(deliveriesOf(a).flatMap((at) => at.connections));
  if (lookup.state !== 'found' || !chosen) return [];
  return (['ELECTRICITY', 'GAS'] as const)
    .filter((c) => lookup.eans[c].length > 0 && !deliveredBy(chosen).includes(c))
    .map((commodity) => {
      const own = movable(agreements).find((a) => a !== chosen && deliveredBy(a).includes(commodity));
      return { commodity, ...(own ? { contract: own.name } : {}) };
    });
}

export const datesOf = (draft: Pick<Draft, 'start' | 'stop'>) => ({
  start_date: draft.start.trim(),
  stop_date: draft.stop.trim(),
});

/** Returns the first invalid page of 0 to 2, or 3. */
export function firstInvalid(draft: Draft, known: WizardData): 0 | 1 | 2 | 3 {
  if (checkAgreementChoice(draft, known).length > 0) return 0;
  if (checkAddresses(draft, known).length > 0) return 1;
  return checkDates(datesOf(draft), known.today).length > 0 ? 2 : 3;
}

/** Returns the first page of the wizard. */
export const firstPage = (agreements: readonly Agreement[], pending: ReadonlySet<string>): 0 | 1 => {
  const only = onlyChoice(agreements);
  return only && !pending.has(only.agreement_identifier_with_sequence) ? 1 : 0;
};

/** Returns the request body (3-move-request-fields); undefined while it is incomplete. */
export function requestOf(draft: Draft, known: WizardData): Request | undefined {
  const agreement = chosenOf(draft, known.agreements);
  const [old] = placesOf(agreement);
  const to = newAddressOf(draft, known.lookup);
  const { start_date, stop_date } = datesOf(draft);
  if (!agreement || !old || !to || !start_date) return undefined;
  const { connections, ...rest } = old;
  const old_address: Address = {
    street: rest.street,
    house_number: rest.house_number,
    house_number_extension: rest.house_number_extension,
    zip_code: rest.zip_code,
    city: rest.city,
  };
  const unchecked = known.lookup.state === 'down';
  const { house_number_extension: extension, ...place } = to;
  return {
    commodities: commoditiesOf(connections),
    // Without an entered extension the address is ambiguous: the server requests it when the register is available again.
    new_address: {
      ...place,
      ...(unchecked && !extension ? {} : { house_number_extension: extension }),
      ...(unchecked ? { unchecked } : {}),
    },
    old_address,
    agreement_identifier_with_sequence: agreement.agreement_identifier_with_sequence,
    start_date,
    ...(stop_date ? { stop_date } : {}),
    is_residential: draft.residential,
    address_type: 'SHIPPING',
    ...(draft.post ? { new_invoice_address: to, new_postal_address: to } : {}), // 3-move-extra-addresses
  };
}

/**
 * Returns the idempotency key of a request: the same for the same request of the same draft, also after a reload or a second click,
 * and different if the request has changed (FNV-1a).
 */
export function keyOfRequest(id: string, request: Request): string {
  let hash = 0x811c9dc5;
  for (const c of JSON.stringify(request)) hash = Math.imul(hash ^ (c.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `${id}.${hash.toString(16)}`;
}
