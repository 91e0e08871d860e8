// Mirrors modules/marketplace's rules for moving shares; both run schemas/rules/5.8-*.json. The server decides.
import type { Refusal } from './offer.rules';

/** 3-move-shares-fields */
export interface MoveForm {
  participation_identifier: string;
  number_of_shares: number | null;
  /** YYYY-MM-DD */
  date: string;
  /** 3-move-shares-address-type */
  address_type: 'existing' | 'new' | '';
  /** The participation at the address. */
  address_key: string;
  city: string;
  house_number: string;
  house_postfix: string;
  postal_code: string;
  street_name: string;
}

const needed = ['postal_code', 'house_number', 'street_name', 'city'] as const;

/** Validates a move of shares; `share` is the participation's number of shares (5.8-shares-range). */
export function checkMoveShares(m: MoveForm, { share, today }: { share: number; today: string }): Refusal[] {
  const wrong: Refusal[] = [];
  const refuse = (field: keyof MoveForm, code: string) => wrong.push({ field, code: `marketplace.${code}` });
  if (m.participation_identifier === '') refuse('participation_identifier', 'required');
  if (m.number_of_shares === null) refuse('number_of_shares', 'required');
  else if (!Number.isInteger(m.number_of_shares) || m.number_of_shares < 1 || m.number_of_shares > share)
    refuse('number_of_shares', 'invalid_input');
  if (m.date === '') refuse('date', 'required');
  else if (m.date < today) refuse('date', 'date_past');
  if (m.address_type === 'existing') {
    if (m.address_key === '') refuse('address_key', 'required');
  } else if (m.address_type === 'new') {
    for (const field of needed) if (m[field].trim() === '') refuse(field, 'required');
  } else refuse('address_type', m.address_type === '' ? 'required' : 'invalid_input');
  return wrong;
}

/** Returns the request body (7.6-move-shares-mapping): either the other participation, or the full address. */
export function moveItem(m: MoveForm) {
  const item = { participationIdentifier: m.participation_identifier, shares: m.number_of_shares ?? 0 };
  if (m.address_type === 'existing') return { ...item, toParticipationIdentifier: m.address_key };
  const { city, house_number, house_postfix, postal_code, street_name } = m;
  return { ...item, address: { city, house_number, house_postfix, postal_code, street_name } };
}
