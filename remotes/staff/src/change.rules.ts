// Reads the contents of a change request from its module's data. Pure, so that tests can cover every kind.
import { formatDay, formatEuros, formatIban, formatMoney, formatNumber, formatPhone } from '@wattle/ui/format';
import type { Change } from './api';

/** Kinds with their own texts; a plugin's kind is shown by its name. */
export const kinds = [
  'account.phone',
  'account.email',
  'account.username',
  'billing.iban',
  'billing.term_amount',
  'move.request',
  'onboarding.application',
  'marketplace.offer',
  'marketplace.access',
] as const;

/** Returns whether a kind belongs to the marketplace, which only some labels have. */
export const isMarket = (kind: string): boolean => kind.startsWith('marketplace.');

/** Reasons to reject an offer (4-rejection-reasons, 4-rejection-provider-value). */
export const rejections = [
  'REJECTED_BY_PROVIDER',
  'PARTICIPATION_UNKNOWN',
  'MULTIPLE_PARTICIPATIONS_PROJECT',
  'INSUFFICIENT_SHARES',
  'SELLING_NOT_ALLOWED',
] as const;

/** A requested value, formatted. `was` is the value that it replaces, if known. */
export interface Line {
  /** A name in texts.tsx, or the name in the data if the kind is unknown. */
  field: string;
  value: string;
  was?: string | undefined;
}

type Data = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
const day = (value: unknown): string => formatDay(text(value));
const money = (value: unknown): string => (typeof value === 'number' ? formatMoney(Math.round(value * 100)) : '');
const count = (value: unknown): string => (typeof value === 'number' ? formatNumber(value) : '');

/** Returns the street, number and town of an address on one line. */
export function addressLine(value: unknown): string {
  const a = (value ?? {}) as Data;
  const street = [a.street ?? a.street_name, a.house_number, a.house_number_extension ?? a.house_postfix].map(text);
  const zip = text(a.zip_code ?? a.postal_code).replace(/^(\d{4})\s*([A-Z]{2})$/, '$1\u00a0$2');
  const town = [zip, text(a.city)].filter(Boolean).join(' ');
  return [street.filter(Boolean).join(' '), town].filter(Boolean).join(', ');
}

/** Returns the name of an applicant. */
export const applicant = (d: Data): string => [d.initials, d.prefix, d.last_name].map(text).filter(Boolean).join(' ');

const readers: Record<string, (d: Data) => Line[]> = {
  'account.phone': (d) => [{ field: 'phone', value: formatPhone(text(d.phone_number)), was: formatPhone(text(d.was)) }],
  'account.email': (d) => [{ field: 'email', value: text(d.change_email), was: text(d.was) }],
  'account.username': (d) => [{ field: 'username', value: text(d.change_username), was: text(d.was) }],
  'billing.iban': (d) => [
    {
      field: 'iban',
      value: formatIban(text(d.change_bank_account_number)),
      was: formatIban(text(d.was_bank_account_number)),
    },
    { field: 'holder', value: text(d.change_bank_account_name), was: text(d.was_bank_account_name) },
    { field: 'effective', value: day(d.from_date) },
  ],
  'billing.term_amount': (d) => [
    { field: 'amount', value: money(d.requested_new_amount), was: money(d.was) },
    { field: 'contract', value: text(d.agreement_identifier_with_sequence) },
  ],
  'move.request': (d) => [
    { field: 'address', value: addressLine(d.new_address), was: addressLine(d.old_address) },
    { field: 'start', value: day(d.start_date) },
    { field: 'stop', value: day(d.stop_date) },
    { field: 'invoice_address', value: addressLine(d.new_invoice_address) },
    { field: 'postal_address', value: addressLine(d.new_postal_address) },
    { field: 'contract', value: text(d.agreement_identifier_with_sequence) },
  ],
  'onboarding.application': (d) => [
    { field: 'name', value: applicant(d) },
    { field: 'address', value: addressLine(d.address) },
    { field: 'email', value: text(d.email) },
    { field: 'phone', value: formatPhone(text(d.phone_number)) },
    { field: 'birth', value: day(d.birth_date) },
    { field: 'iban', value: formatIban(text(d.bank_account_number)) },
    { field: 'holder', value: text(d.bank_account_name) },
  ],
  'marketplace.offer': (d) => [
    { field: 'project', value: text(d.project_name) || text(d.project_code) },
    { field: 'shares', value: count(d.shares) },
    { field: 'price', value: typeof d.price_per_share === 'number' ? formatEuros(d.price_per_share) : '' },
    { field: 'from', value: day(d.date) },
    { field: 'buyer', value: text(d.buyer_email_address) },
    { field: 'number', value: text(d.reference) },
  ],
  'marketplace.access': () => [],
};

/** Returns the requested values line by line, without empty ones; an old value equal to the new one is omitted. */
export function linesOf({ kind, data }: Pick<Change, 'kind' | 'data'>): Line[] {
  const read = readers[kind] ?? plainLines;
  return read((data ?? {}) as Data)
    .filter((l) => l.value)
    .map(({ was, ...l }) => (was && was !== l.value ? { ...l, was } : l));
}

/** Returns the lines for an unknown kind: its plain values. */
const plainLines = (d: Data): Line[] =>
  Object.entries(d).map(([field, value]) => ({ field, value: typeof value === 'boolean' ? String(value) : text(value) }));

/**
 * Returns the request on one line, for a list: the first value that replaces another, with the old value, otherwise the first
 * value.
 */
export function summaryOf(c: Pick<Change, 'kind' | 'data'>): Pick<Line, 'value' | 'was'> {
  const lines = linesOf(c);
  const [first, second, third] = lines;
  if (c.kind === 'marketplace.offer' && second && third) return { value: `${first?.value}: ${second.value} × ${third.value}` };
  if (c.kind === 'onboarding.application') return { value: second?.value ?? '' };
  return lines.find((l) => l.was) ?? first ?? { value: '' };
}

/**
 * Groups the requests by customer, in the order of each customer's first one. A request without a customer is a group by itself.
 */
export function perCustomer<C extends Pick<Change, 'id' | 'relation'>>(changes: readonly C[]): C[][] {
  const groups = new Map<string, C[]>();
  for (const c of changes) {
    const group = groups.get(c.relation || c.id);
    if (group) group.push(c);
    else groups.set(c.relation || c.id, [c]);
  }
  return [...groups.values()];
}

/** Returns the time of the oldest request of these kinds. */
export const oldestOf = (changes: readonly Pick<Change, 'kind' | 'filed'>[], kinds: readonly string[]): string | undefined =>
  changes
    .filter((c) => kinds.includes(c.kind))
    .map((c) => c.filed)
    .sort()[0];

/** Returns the name of the person who made the request; an applicant is not a customer yet. */
export const requesterOf = (c: Pick<Change, 'kind' | 'data' | 'name'>): string =>
  c.name || (c.kind === 'onboarding.application' ? applicant(c.data as Data) : '');

/** Returns whether the address register was unavailable when the request was made. */
export const isUnchecked = (c: Pick<Change, 'data'>): boolean => (c.data as Data | undefined)?.unchecked === true;

/** Returns whether the selected requests cannot be rejected together, because offers have their own reasons. */
export const isMixed = (chosen: readonly Pick<Change, 'kind'>[]): boolean =>
  new Set(chosen.map((c) => c.kind === 'marketplace.offer')).size > 1;
