import type { components } from './api.gen';
import { isCollected } from './term-amount.rules';

export type Agreement = components['schemas']['Agreement'];
type Address = Agreement['addresses'][number];

/** Sorts by start day, newest first (2.1-agreements-order), then by sequence, highest first. */
export const byStart = (agreements: readonly Agreement[]): Agreement[] =>
  [...agreements].sort(
    (a, b) =>
      b.period.from.localeCompare(a.period.from) ||
      b.agreement_identifier_with_sequence.localeCompare(a.agreement_identifier_with_sequence, 'nl', { numeric: true }),
  );

/**
 * Shortens a name for the title of a panel to at most 50 characters (2.1-agreements-title-truncate), before the word that does not
 * fit. A word longer than half the title is itself cut.
 */
export function titleOf(name: string): string {
  const characters = [...name];
  if (characters.length <= 50) return name;
  const head = characters.slice(0, 50).join('');
  const words = head.replace(/\s+\S*$/, '');
  return `${(characters[50] === ' ' || words.length < 25 ? head : words).trimEnd()}…`;
}

/** Returns the panel that is initially open: the one in the path, otherwise the first (2.1-agreements-deeplink-open). */
export function openAtFirst(agreements: readonly Agreement[], asked: string | undefined): string | undefined {
  const found =
    agreements.find((a) => a.agreement_identifier_with_sequence === asked) ??
    agreements.find((a) => a.agreement_identifier === asked) ?? // links from products have no sequence
    agreements[0];
  return found?.agreement_identifier_with_sequence;
}

export const streetLine = (a: Pick<Address, 'street' | 'house_number' | 'house_number_extension'>): string =>
  [a.street, a.house_number, a.house_number_extension].filter(Boolean).join(' ');

/** Returns the postal code and town: `1234 AB Town`. */
export const townLine = (a: Pick<Address, 'zip_code' | 'city'>): string =>
  `${a.zip_code.replace(/^(\d{4})\s*([A-Za-z]{2})$/, '$1 $2')} ${a.city}`;

/** Returns an agreement's delivery addresses, or its other addresses if it has none. */
export function placesOf(agreement: Agreement): Address[] {
  const shipping = agreement.addresses.filter((a) => a.address_type === 'SHIPPING');
  return shipping.length > 0 ? shipping : [...agreement.addresses];
}

/**
 * Returns what tells an agreement from the others (9-invoice-for): its street and number, its name if others have that address, or
 * its number if they also have that name; undefined without others.
 */
export function markOf(id: string, agreements: readonly Agreement[]): string | undefined {
  const own = agreements.find((a) => a.agreement_identifier_with_sequence === id);
  if (!own || agreements.length < 2) return undefined;
  const marks = [
    (a: Agreement) => placesOf(a).map(streetLine).join(', '),
    (a: Agreement) => a.name,
    (a: Agreement) => a.agreement_identifier_with_sequence,
  ];
  const mark = marks.find((of) => of(own) && agreements.filter((a) => of(a) === of(own)).length === 1);
  return mark?.(own);
}

export interface AddressGroup {
  key: string;
  address: Address;
  agreements: Agreement[];
}

/** Groups agreements by address, without ended ones (3-agreement-terminated-hidden). */
export function byAddress(agreements: readonly Agreement[]): AddressGroup[] {
  const groups = new Map<string, AddressGroup>();
  for (const agreement of byStart(agreements)) {
    if (agreement.status === 'TERMINATED') continue;
    for (const address of placesOf(agreement)) {
      const key = `${streetLine(address)} ${townLine(address)}`.toLowerCase();
      const group = groups.get(key) ?? { key, address, agreements: [] };
      if (!group.agreements.includes(agreement)) group.agreements.push(agreement);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** Returns whether the invoices of an agreement are collected by direct debit. */
export const hasDebit = ({ periodical_payment: payment }: Agreement): boolean => payment !== undefined && isCollected(payment);

/** Number of days before a contract ends from which it needs attention. */
const endNotice = 60;

/** Returns the current contracts that end soon and are not followed by a later one of the same agreement. */
export function endingSoon(agreements: readonly Agreement[], today: string): { agreement: Agreement; ends: string }[] {
  return agreements.flatMap((agreement) => {
    const ends = agreement.period.to;
    if (agreement.status !== 'ACTIVE' || !agreement.current || !ends) return [];
    const days = (Date.parse(ends) - Date.parse(today)) / 86_400_000;
    const isFollowed = agreements.some(
      (a) =>
        a.agreement_identifier === agreement.agreement_identifier &&
        a.period.from > agreement.period.from &&
        a.status !== 'CANCELLED',
    );
    return days >= 0 && days <= endNotice && !isFollowed ? [{ agreement, ends }] : [];
  });
}
