import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { row } from '../../../tools/row';
import { checkTransferDate, firstDay, type StartDates, unticked } from './checkout.rules';
import { checkMoveShares, type MoveForm, moveItem } from './move-shares.rules';
import { checkOffer, clampShares, floorPrice, latest, type OfferForm, type OfferSetting } from './offer.rules';
import { canCancel, canPay, canRetract, canWithdraw, expires, newestFirst, projectsOf } from './order.rules';
import { freeOf } from './own';
import { checkCode } from './redeem.rules';
import { participation } from './testing';

interface Case<G, S> {
  given: G;
  today?: string;
  settings: S;
  want: unknown;
}
const folder = path.join(import.meta.dirname, '../../../schemas/rules');
/** Runs the cases of schemas/rules/<id>.json, which the server's rule runs too. */
function vectors<G, S>(id: string, judge: (given: G, today: string, settings: S) => unknown): void {
  row(id, 'as the server has it', () => {
    const { cases } = JSON.parse(readFileSync(path.join(folder, `${id}.json`), 'utf8')) as { cases: Case<G, S>[] };
    expect(cases.length).toBeGreaterThan(0);
    for (const { given, today = '2026-11-20', settings, want } of cases)
      expect(judge(given, today, settings), JSON.stringify(given)).toEqual(want);
  });
}

const today = '2026-11-20';
const setting: OfferSetting = { from_date: '2020-01-01', min_price: 25, max_price: 60, allow_selling: true };
const offered = (more: Partial<OfferForm> = {}): OfferForm => ({
  participation_identifier: 'P-1',
  offer_type: 'public',
  buyer_email_address: '',
  date: today,
  number_of_shares: 5,
  price: 49,
  ...more,
});
const codes = (more: Partial<OfferForm>, bounds: object = {}): string[] =>
  checkOffer(offered(more), { free: 20, setting, today, days: 90, ...bounds }).map((w) => `${w.field} ${w.code}`);

describe('an offer', () => {
  row(['3-offer-create-fields', '3-offer-type-enum', '5.7-offer-required'], 'what it cannot do without', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ participation_identifier: '', offer_type: '', date: '', price: null })).toEqual([
      'participation_identifier marketplace.required',
      'offer_type marketplace.required',
      'date marketplace.required',
      'price marketplace.required',
    ]);
    expect(codes({ offer_type: 'personal', buyer_email_address: 'lid@voorbeeld.example' })).toEqual([]);
  });
  row('5.7-offer-shares', 'a whole number from 1 up to what is free', () => {
    for (const number_of_shares of [1, 20]) expect(codes({ number_of_shares })).toEqual([]);
    for (const number_of_shares of [null, 0, -1, 1.5])
      expect(codes({ number_of_shares })).toEqual(['number_of_shares marketplace.invalid_input']);
    expect(codes({ number_of_shares: 21 })).toEqual(['number_of_shares marketplace.not_enough_shares']);
    expect(freeOf(participation('P-1', { availableShares: 20, moving_share: 4 }))).toBe(16);
  });
  row('5.7-offer-buyer-email', 'for a personal offer only', () => {
    expect(codes({ offer_type: 'personal', buyer_email_address: ' ' })).toEqual(['buyer_email_address marketplace.required']);
    expect(codes({ offer_type: 'public', buyer_email_address: '' })).toEqual([]);
  });
  row(['5.7-offer-price-range', '5.7-offer-price-personal'], 'both limits for everybody, the upper one for one', () => {
    for (const price of [25, 60]) expect(codes({ price })).toEqual([]);
    expect(codes({ price: 24 })).toEqual(['price marketplace.min_price']);
    expect(codes({ price: 61 })).toEqual(['price marketplace.max_price']);
    const personal = { offer_type: 'personal', buyer_email_address: 'lid@voorbeeld.example' } as const;
    expect(codes({ ...personal, price: 0 })).toEqual([]);
    expect(codes({ ...personal, price: 61 })).toEqual(['price marketplace.max_price']);
  });
  row(['5.7-offer-price-floor', '5.7-offer-price-floor-order'], 'cut off before it is compared', () => {
    expect([floorPrice(49.99), floorPrice(49)]).toEqual([49, 49]);
    expect(codes({ price: 60.99 })).toEqual([]);
    expect(codes({ price: 24.99 })).toEqual(['price marketplace.min_price']);
  });
  row(['5.7-offer-allow-selling', '3-project-latest-setting'], 'what holds today decides', () => {
    const closed = { ...setting, from_date: '2026-11-20', allow_selling: false };
    const later = { ...setting, from_date: '2026-11-21' };
    expect(latest([later, closed, setting], today)).toBe(closed);
    expect(latest([later], today)).toBeUndefined();
    for (const none of [closed, undefined])
      expect(codes({}, { setting: none })).toEqual(['participation_identifier marketplace.selling_not_allowed']);
  });
  row('5.7-offer-date-horizon', 'today up to and including the 90th day', () => {
    for (const date of ['2026-11-20', '2027-02-18']) expect(codes({ date })).toEqual([]);
    for (const date of ['2026-11-19', '2027-02-19']) expect(codes({ date })).toEqual(['date marketplace.date_range']);
  });
  test('a transfer has a receiver and no price', () => {
    expect(codes({ offer_type: 'transfer', price: null })).toEqual(['buyer_email_address marketplace.required']);
    expect(codes({ offer_type: 'transfer', price: null, buyer_email_address: 'lid@voorbeeld.example' })).toEqual([]);
  });
  row('5.7-shares-clamp', 'to buy or to retract', () => {
    expect([-3, 0, 1, 2.9, 24, 25].map((n) => clampShares(n, 24))).toEqual([1, 1, 1, 2, 24, 24]);
  });
});

describe('a code', () => vectors('5.7-redeem-length', (given: string) => checkCode(given)));

describe('moving shares', () => {
  for (const id of [
    '3-move-shares-address-type',
    '5.8-required',
    '5.8-existing-address',
    '5.8-new-address',
    '5.8-shares-range',
    '5.8-date-min',
  ])
    vectors<MoveForm, { share: number }>(id, (given, day, { share }) => checkMoveShares(given, { share, today: day }));
  row(['7.6-move-shares-mapping', '3-move-shares-fields'], 'an existing address by its participation, a new one in full', () => {
    const address = { city: 'Groningen', house_number: '7', house_postfix: 'A', postal_code: '9731AB', street_name: 'Lindelaan' };
    const form = { participation_identifier: 'P-1', number_of_shares: 5, date: today, address_key: 'P-2', ...address };
    expect(moveItem({ ...form, address_type: 'existing' })).toEqual({
      participationIdentifier: 'P-1',
      shares: 5,
      toParticipationIdentifier: 'P-2',
    });
    expect(moveItem({ ...form, address_type: 'new' })).toEqual({ participationIdentifier: 'P-1', shares: 5, address });
  });
});

describe('checkout', () => {
  type Earliest = { transfer: { earliest_days: number } };
  vectors('5.7-checkout-date-default', (g: { basket: StartDates }, day, s: Earliest) =>
    firstDay(g.basket, day, s.transfer.earliest_days),
  );
  vectors('5.7-checkout-date-min', (g: { day: string; basket: StartDates }, day, s: Earliest) =>
    checkTransferDate(g.day, g.basket, day, s.transfer.earliest_days),
  );
  row('3-basket-start-date-alias', 'either name, the first one first', () => {
    expect(firstDay({ start_date: '2027-01-02' }, today, 31)).toBe('2027-01-02');
    expect(firstDay({ start_date: '2027-01-02', first_valid_start_date: '2027-01-03' }, today, 31)).toBe('2027-01-03');
    expect(checkTransferDate('2027-01-01', { start_date: '2027-01-02' }, today, 31)).toEqual(['marketplace.date_early']);
  });
  test('what is still to be ticked', () => {
    const items = [{ project_code: 'A' }, { project_code: 'B' }, { project_code: 'A' }];
    expect(unticked(items, { projects: new Set(), withdrawal: false })).toEqual({ projects: ['A', 'B'], withdrawal: true });
    expect(unticked(items, { projects: new Set(['A', 'B']), withdrawal: true })).toEqual({ projects: [], withdrawal: false });
  });
});

describe('statuses', () => {
  const orders = ['CREATED', 'AWAITING_PAYMENT', 'BOUGHT', 'EXPIRED', 'CANCELLED', 'COMPLETED', 'ON_HOLD'];
  test('what an order allows', () => {
    expect(orders.filter(canCancel)).toEqual(['CREATED', 'AWAITING_PAYMENT', 'BOUGHT']);
    expect(orders.filter(canPay)).toEqual(['AWAITING_PAYMENT']);
    expect(orders.filter(expires)).toEqual(['CREATED', 'AWAITING_PAYMENT', 'EXPIRED', 'ON_HOLD']);
  });
  row('9-withdrawal-period', 'until the last day that the server names', () => {
    const on = (status: string, withdraw_until?: string) => canWithdraw({ status, withdraw_until }, today);
    expect(on('BOUGHT', '2026-11-20')).toBe(true);
    expect([on('BOUGHT', '2026-11-19'), on('BOUGHT'), on('COMPLETED', '2026-12-04')]).toEqual([false, false, false]);
  });
  test('what an item of one’s own allows', () => {
    const items = [
      ...orders,
      'APPROVED',
      'ACTIVE',
      'AVAILABLE',
      'RESERVED',
      'TRANSFERRED',
      'CLOSED',
      'SOLD',
      'REJECTED',
      'REVOKED',
    ];
    expect(items.filter(canRetract)).toEqual(['CREATED', 'APPROVED', 'ACTIVE', 'AVAILABLE']);
  });
  test('the newest order first; each project once', () => {
    expect(newestFirst([{ placed: '2026-01-01T00:00:00Z' }, { placed: '2026-02-01T00:00:00Z' }])[0]?.placed).toMatch(/^2026-02/);
    expect(projectsOf({ offers: [{ project_name: 'A' }, { project_name: 'B' }, { project_name: 'A' }] })).toBe('A, B');
  });
});
