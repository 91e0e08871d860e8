// Mirrors modules/marketplace's rules for an offer; both run schemas/rules/5.7-*.json. The server decides.

/** A form error; at most one per field. */
export interface Refusal {
  field: string;
  code: string;
}

/** Limits of offers in a project; prices in whole euros per share. */
export interface OfferSetting {
  from_date: string;
  min_price: number;
  max_price: number;
  allow_selling: boolean;
}

/**
 * Returns the setting that applies on a day: the one with the latest from_date that is not after it (3-project-latest-setting); for
 * equal dates the last one.
 */
export const latest = <S extends { from_date: string }>(settings: readonly S[], day: string): S | undefined =>
  settings.reduce<S | undefined>(
    (best, s) => (s.from_date <= day && s.from_date >= (best?.from_date ?? '') ? s : best),
    undefined,
  );

/** The kinds of offer in the form. `transfer` gives the shares away for free, and is not an offer_type in the API. */
export type OfferKind = 'public' | 'personal' | 'transfer';

export interface OfferForm {
  participation_identifier: string;
  offer_type: OfferKind | '';
  buyer_email_address: string;
  /** YYYY-MM-DD */
  date: string;
  number_of_shares: number | null;
  /** Typed price in euros per share; fractions are truncated. */
  price: number | null;
}

/** The limits against which an offer is validated. */
export interface OfferBounds {
  /** Number of shares that can be offered. */
  free: number;
  setting: OfferSetting | undefined;
  today: string;
  /** The label's `offer.max_days_ahead`. */
  days: number;
}

/** Returns the civil day that is the given number of days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Truncates fractions of a euro (5.7-offer-price-floor) before any comparison (5.7-offer-price-floor-order). */
export const floorPrice = (euros: number): number => Math.floor(euros);

/** Limits a number to the range from 1 to the offer's number of shares (5.7-shares-clamp). */
export const clampShares = (n: number, shares: number): number => Math.max(1, Math.min(shares, Math.trunc(n)));

/** Validates an offer (5.7-offer-*). */
export function checkOffer(o: OfferForm, { free, setting, today, days }: OfferBounds): Refusal[] {
  const wrong: Refusal[] = [];
  const refuse = (field: keyof OfferForm, code: string) => wrong.push({ field, code: `marketplace.${code}` });
  if (o.participation_identifier === '') refuse('participation_identifier', 'required');
  else if (!setting?.allow_selling) refuse('participation_identifier', 'selling_not_allowed');
  if (o.offer_type === '') refuse('offer_type', 'required');
  if (o.offer_type === 'personal' || o.offer_type === 'transfer') {
    const email = o.buyer_email_address.trim();
    if (email === '') refuse('buyer_email_address', 'required');
    else if (!/^[^\s@]+@[^\s@]+$/.test(email)) refuse('buyer_email_address', 'invalid_input');
  }
  if (o.date === '') refuse('date', 'required');
  else if (o.date < today || o.date > addDays(today, days)) refuse('date', 'date_range');
  const shares = o.number_of_shares;
  if (shares === null || !Number.isInteger(shares) || shares < 1) refuse('number_of_shares', 'invalid_input');
  else if (shares > free) refuse('number_of_shares', 'not_enough_shares');
  if (o.offer_type !== 'transfer') {
    if (o.price === null) refuse('price', 'required');
    else if (setting) {
      const price = floorPrice(o.price);
      if (price > setting.max_price) refuse('price', 'max_price');
      else if (price < (o.offer_type === 'public' ? setting.min_price : 0)) refuse('price', 'min_price');
    }
  }
  return wrong;
}
