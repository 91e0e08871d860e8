import { cases } from '@wattle/schemas';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import { type Cost, checkTransferDate, firstDay, orderCosts, type StartDates, uncheckedBoxes } from './checkout.rules';
import { gainOf, type Prospect } from './gain.rules';
import { checkMoveShares, type MoveForm, moveItem } from './move-shares.rules';
import { checkOffer, clampShares, floorPrice, latest, type OfferForm, type OfferSetting } from './offer.rules';
import {
  canCancel,
  canExpire,
  canPay,
  canRetract,
  canWithdraw,
  isTransferred,
  newestFirst,
  projectsOf,
  wayOut,
} from './order.rules';
import { freeSharesOf } from './own';
import { readOrder } from './paid.rules';
import { placeLine } from './place.rules';
import { checkCode } from './redeem.rules';
import { participation } from './testing';

interface Case<G, S> {
  given: G;
  today?: string;
  settings: S;
  want: unknown;
}
/** Runs the cases in schemas/rules/<id>.json, which the Go rule also runs. */
function vectors<G, S>(id: string, check: (given: G, today: string, settings: S) => unknown): void {
  row(id, 'as the server has it', () => {
    const all = cases<Case<G, S>>(id);
    expect(all.length).toBeGreaterThan(0);
    for (const { given, today = '2026-11-20', settings, want } of all)
      expect(check(given, today, settings), JSON.stringify(given)).toEqual(want);
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
const codes = (more: Partial<OfferForm>): string[] =>
  checkOffer(offered(more), { free: 20, setting, today, days: 90 }).map((w) => `${w.field} ${w.code}`);

describe('an offer', () => {
  interface OfferCase {
    free: number;
    days: number;
    member_offer_settings: OfferSetting[];
  }
  const nothing: OfferForm = {
    participation_identifier: '',
    offer_type: '',
    buyer_email_address: '',
    date: '',
    number_of_shares: null,
    price: null,
  };
  for (const id of [
    '5.7-offer-required',
    '5.7-offer-shares',
    '5.7-offer-buyer-email',
    '5.7-offer-price-range',
    '5.7-offer-price-personal',
    '5.7-offer-price-floor-order',
    '5.7-offer-allow-selling',
    '5.7-offer-date-horizon',
  ])
    vectors<Partial<OfferForm>, OfferCase>(id, (given, day, { free, days, member_offer_settings }) =>
      checkOffer({ ...nothing, ...given }, { free, days, today: day, setting: latest(member_offer_settings, day) }),
    );
  vectors<{ price: number }, undefined>('5.7-offer-price-floor', ({ price }) => floorPrice(price));
  vectors<{ member_offer_settings: OfferSetting[] }, undefined>(
    '3-project-latest-setting',
    (given, day) => latest(given.member_offer_settings, day)?.from_date ?? '',
  );
  test('of two settings with one date the last one applies', () => {
    const later = { ...setting, max_price: 70 };
    expect(latest([setting, later], today)).toBe(later);
    expect(latest([later, setting], today)).toBe(setting);
  });
  row('5.7-offer-shares', 'shares that will move cannot be offered', () => {
    expect(freeSharesOf(participation('P-1', { availableShares: 20, moving_share: 4 }))).toBe(16);
    expect(freeSharesOf(participation('P-1', { availableShares: 20, moving_share: 20 }))).toBe(0);
  });
  test('a transfer has a receiver and no price', () => {
    expect(codes({ offer_type: 'transfer', price: null })).toEqual(['buyer_email_address marketplace.required']);
    expect(codes({ offer_type: 'transfer', price: null, buyer_email_address: 'lid' })).toEqual([
      'buyer_email_address marketplace.invalid_input',
    ]);
    expect(codes({ offer_type: 'transfer', price: null, buyer_email_address: ' lid@voorbeeld.example ' })).toEqual([]);
    for (const buyer_email_address of [
      'een lid@voorbeeld.example',
      'lid@voorbeeld.example of',
      'lid@@voorbeeld.example',
      '@',
      'lid@',
    ])
      expect(codes({ offer_type: 'personal', buyer_email_address }), buyer_email_address).toEqual([
        'buyer_email_address marketplace.invalid_input',
      ]);
  });
  row('5.7-shares-clamp', 'the number to buy or to retract', () => {
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
  row(
    ['7.6-move-shares-mapping', '3-move-shares-fields'],
    'sends an existing address by its participation, a new one in full',
    () => {
      const address = {
        city: 'Groningen',
        house_number: '7',
        house_postfix: 'A',
        postal_code: '9731AB',
        street_name: 'Lindelaan',
      };
      const form = { participation_identifier: 'P-1', number_of_shares: 5, date: today, address_key: 'P-2', ...address };
      expect(moveItem({ ...form, address_type: 'existing' })).toEqual({
        participationIdentifier: 'P-1',
        shares: 5,
        toParticipationIdentifier: 'P-2',
      });
      expect(moveItem({ ...form, address_type: 'new' })).toEqual({ participationIdentifier: 'P-1', shares: 5, address });
    },
  );
});

describe('checkout', () => {
  type Earliest = { transfer: { earliest_days: number } };
  vectors('5.7-checkout-date-default', (g: { basket: StartDates }, day, s: Earliest) =>
    firstDay(g.basket, day, s.transfer.earliest_days),
  );
  vectors('5.7-checkout-date-min', (g: { day: string; basket: StartDates }, day, s: Earliest) =>
    checkTransferDate(g.day, g.basket, day, s.transfer.earliest_days),
  );
  vectors(
    '9-order-costs',
    (g: { day: string; projects: string[]; charges: Record<string, Cost[]> }) => orderCosts(g.charges, g.projects, g.day) / 100,
  );
  vectors('9-offer-payback', ({ shares, ...p }: Prospect & { shares: number }) => {
    const { cost, value, ...gain } = gainOf(p, shares);
    return { ...gain, cost: cost / 100, value: value === null ? null : value / 100 };
  });
  row('3-basket-start-date-alias', 'reads either name; the first has priority', () => {
    expect(firstDay({ start_date: '2027-01-02' }, today, 31)).toBe('2027-01-02');
    expect(firstDay({ start_date: '2027-01-02', first_valid_start_date: '2027-01-03' }, today, 31)).toBe('2027-01-03');
    expect(checkTransferDate('2027-01-01', { start_date: '2027-01-02' }, today, 31)).toEqual(['marketplace.date_early']);
  });
  test('returns the boxes that must still be checked', () => {
    const items = [{ project_code: 'A' }, { project_code: 'B' }, { project_code: 'A' }];
    expect(uncheckedBoxes(items, { projects: new Set(), withdrawal: false })).toEqual({ projects: ['A', 'B'], withdrawal: true });
    expect(uncheckedBoxes(items, { projects: new Set(['A', 'B']), withdrawal: true })).toEqual({
      projects: [],
      withdrawal: false,
    });
  });
});

describe('statuses', () => {
  const orders = ['CREATED', 'AWAITING_PAYMENT', 'BOUGHT', 'EXPIRED', 'CANCELLED', 'COMPLETED', 'ON_HOLD'];
  test('the actions of an order', () => {
    expect(orders.filter(canCancel)).toEqual(['CREATED', 'AWAITING_PAYMENT', 'BOUGHT']);
    expect(orders.filter(canPay)).toEqual(['AWAITING_PAYMENT']);
    expect(orders.filter(canExpire)).toEqual(['CREATED', 'AWAITING_PAYMENT', 'ON_HOLD']);
  });
  row('9-withdrawal-period', 'possible up to and including the last day', () => {
    const on = (status: string, withdraw_until?: string) => canWithdraw({ status, withdraw_until }, today);
    expect(on('BOUGHT', '2026-11-20')).toBe(true);
    expect([on('BOUGHT', '2026-11-19'), on('BOUGHT'), on('COMPLETED', '2026-12-04')]).toEqual([false, false, false]);
  });
  row('9-order-way-out', 'withdrawing within the period, otherwise cancelling; never both', () => {
    const outs = Object.fromEntries(orders.map((status) => [status, wayOut({ status, withdraw_until: today }, today)]));
    expect(outs).toEqual({ CREATED: 'cancel', AWAITING_PAYMENT: 'cancel', BOUGHT: 'withdraw' });
    expect(wayOut({ status: 'BOUGHT', withdraw_until: '2026-11-19' }, today)).toBe('over');
    expect(wayOut({ status: 'BOUGHT' }, today)).toBe('over');
    expect(orders.filter((status) => !isTransferred(status))).toEqual(['EXPIRED', 'CANCELLED']);
  });
  test('the actions of an own offer', () => {
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
  test('sorts orders newest first; each project once', () => {
    expect(newestFirst([{ placed: '2026-01-01T00:00:00Z' }, { placed: '2026-02-01T00:00:00Z' }])[0]?.placed).toMatch(/^2026-02/);
    expect(projectsOf({ offers: [{ project_name: 'A' }, { project_name: 'B' }, { project_name: 'A' }] })).toBe('A, B');
  });
});

test('formats an address in one line, with the parts that exist', () => {
  const place = { street_name: 'Molenweg', house_number: '12', house_postfix: 'A', postal_code: '9861GT', city: 'Grootegast' };
  expect(placeLine(place)).toBe('Molenweg 12 A, Grootegast');
  expect(placeLine({ ...place, house_postfix: '' })).toBe('Molenweg 12, Grootegast');
});

row('2.4-thank-you-encoding', 'decodes the URL of /thank-you, or returns nothing', () => {
  const n = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  expect(readOrder(n(['B-00É7', 1176.5]))).toEqual({ reference: 'B-00É7', amount: 117_650 });
  expect(readOrder(n(['>>>???', 0.1 + 0.2]))).toEqual({ reference: '>>>???', amount: 30 });
  expect(readOrder(n(['~~~~ÿÿÿÿ', 0]))).toEqual({ reference: '~~~~ÿÿÿÿ', amount: 0 });
  // the server's output
  for (const { given, want } of cases<Case<{ reference: string; amount: number }, undefined>>('2.4-thank-you-encoding'))
    expect(readOrder(want as string)).toEqual({ reference: given.reference, amount: Math.round(given.amount * 100) });
  for (const bad of [
    null,
    '',
    '%',
    'AAAA',
    n('B-1'),
    n(['B-1']),
    n(['', 1]),
    n([1, 1]),
    n(['B-1', '1']),
    n(['B-1', 1, 2]),
    n(null),
    '_____w',
  ])
    expect(readOrder(bad), String(bad)).toBeUndefined();
});
