import { row } from '@wattle/sdk/vitest';
import { expect, test } from 'vitest';
import { addressLine, isMarket, isMixed, isUnchecked, linesOf, rejections, requesterOf, summaryOf } from './change.rules';
import { advice } from './payment.rules';

const old = { street: 'Molenweg', house_number: '12', house_number_extension: 'A', zip_code: '9861GT', city: 'Grootegast' };
const dam = { street: 'Dam', house_number: '1', house_number_extension: '', zip_code: '1012JS', city: 'Amsterdam' };

const cases: [string, Record<string, unknown>, string, string[]][] = [
  ['account.phone', { phone_number: '+31687654321', was: '+31612345601' }, '0687654321', ['phone: 0612345601 > 0687654321']],
  ['account.phone', { phone_number: '+31687654321' }, '0687654321', ['phone: 0687654321']],
  ['account.email', { change_email: 'b@c.example', was: 'a@c.example' }, 'b@c.example', ['email: a@c.example > b@c.example']],
  ['account.username', { change_username: 'fenna2', was: 'fenna1' }, 'fenna2', ['username: fenna1 > fenna2']],
  [
    'billing.iban',
    {
      change_bank_account_number: 'NL91ABNA0417164300',
      change_bank_account_name: 'F. de Boer',
      from_date: '2026-12-01',
      was_bank_account_number: 'NL38WATT0000001117',
      was_bank_account_name: 'F. de Boer',
    },
    'NL91 ABNA 0417 1643 00',
    ['iban: NL38 WATT 0000 0011 17 > NL91 ABNA 0417 1643 00', 'holder: F. de Boer', 'effective: 01-12-2026'],
  ],
  [
    'billing.term_amount',
    { agreement_identifier_with_sequence: 'A-2', requested_new_amount: 140.5, was: 125 },
    '€\u00a0140,50',
    ['amount: €\u00a0125,00 > €\u00a0140,50', 'contract: A-2'],
  ],
  [
    'move.request',
    { old_address: old, new_address: dam, start_date: '2026-12-01', stop_date: null, agreement_identifier_with_sequence: 'A-2' },
    'Dam 1, 1012\u00a0JS Amsterdam',
    ['address: Molenweg 12 A, 9861\u00a0GT Grootegast > Dam 1, 1012\u00a0JS Amsterdam', 'start: 01-12-2026', 'contract: A-2'],
  ],
  [
    'onboarding.application',
    {
      initials: 'N.',
      prefix: 'van',
      last_name: 'Velden',
      address: dam,
      email: 'n@v.example',
      phone_number: '0612345678',
      birth_date: '1990-05-06',
      bank_account_number: 'NL91ABNA0417164300',
      bank_account_name: 'N. van Velden',
    },
    'Dam 1, 1012\u00a0JS Amsterdam',
    [
      'name: N. van Velden',
      'address: Dam 1, 1012\u00a0JS Amsterdam',
      'email: n@v.example',
      'phone: 0612345678',
      'birth: 06-05-1990',
      'iban: NL91 ABNA 0417 1643 00',
      'holder: N. van Velden',
    ],
  ],
  [
    'marketplace.offer',
    { project_name: 'De Noord', shares: 1200, price_per_share: 49, date: '2026-12-21', reference: 'AB-1' },
    'De Noord: 1.200 × €\u00a049',
    ['project: De Noord', 'shares: 1.200', 'price: €\u00a049', 'from: 21-12-2026', 'number: AB-1'],
  ],
  ['marketplace.access', {}, '', []],
  ['acme.thing', { colour: 'blue', size: 3, nested: {}, wanted: true }, 'blue', ['colour: blue', 'size: 3', 'wanted: true']],
];

test.each(cases)('%s reads as what it was and becomes', (kind, data, head, lines) => {
  expect(linesOf({ kind, data }).map((l) => `${l.field}: ${l.was ? `${l.was} > ` : ''}${l.value}`)).toEqual(lines);
  expect(summaryOf({ kind, data }).value).toBe(head);
});

row('9-queue-values', 'the value that holds and the one that is asked; of several the first that changes', () => {
  const data = (was: Record<string, string>) => ({
    change_bank_account_number: 'NL91ABNA0417164300',
    change_bank_account_name: 'F. de Boer',
    ...was,
  });
  for (const [was, want] of [
    [
      { was_bank_account_number: 'NL38WATT0000001117', was_bank_account_name: 'F.A. de Boer' },
      { value: 'NL91 ABNA 0417 1643 00', was: 'NL38 WATT 0000 0011 17' },
    ],
    [
      { was_bank_account_number: 'NL91ABNA0417164300', was_bank_account_name: 'F.A. de Boer' },
      { value: 'F. de Boer', was: 'F.A. de Boer' },
    ],
    [{ was_bank_account_number: 'NL91ABNA0417164300', was_bank_account_name: 'F. de Boer' }, { value: 'NL91 ABNA 0417 1643 00' }],
    [{}, { value: 'NL91 ABNA 0417 1643 00' }],
  ] as const)
    expect(summaryOf({ kind: 'billing.iban', data: data(was) }), JSON.stringify(was)).toMatchObject(want);
  expect(summaryOf({ kind: 'billing.iban', data: data({}) }).was).toBeUndefined();
  expect(summaryOf({ kind: 'billing.term_amount', data: { requested_new_amount: 140, was: 125 } })).toMatchObject({
    value: '€\u00a0140,00',
    was: '€\u00a0125,00',
  });
});

test('the person who made the request', () => {
  const data = { initials: 'N.', last_name: 'Velden' };
  expect(requesterOf({ kind: 'account.phone', data: {}, name: 'F.A. de Boer' })).toBe('F.A. de Boer');
  expect(requesterOf({ kind: 'onboarding.application', data })).toBe('N. Velden');
  expect(requesterOf({ kind: 'account.phone', data: {} })).toBe('');
});

test('an unchecked address', () => {
  expect([isUnchecked({ data: { unchecked: true } }), isUnchecked({ data: {} })]).toEqual([true, false]);
});

test('offers and other requests are not rejected together', () => {
  const [offer, phone] = [{ kind: 'marketplace.offer' }, { kind: 'account.phone' }];
  expect([isMixed([offer, offer]), isMixed([phone]), isMixed([offer, phone])]).toEqual([false, false, true]);
});

row('4-rejection-reasons', 'there are five; one means rejected by the provider', () => {
  expect(new Set(rejections)).toEqual(
    new Set([
      'PARTICIPATION_UNKNOWN',
      'MULTIPLE_PARTICIPATIONS_PROJECT',
      'INSUFFICIENT_SHARES',
      'SELLING_NOT_ALLOWED',
      'REJECTED_BY_PROVIDER',
    ]),
  );
});

test('advice about refunded and charged-back payments', () => {
  for (const [note, order, text] of [
    ['CHARGED_BACK', 'CANCELLED', 'cancelled'],
    ['CHARGED_BACK', 'BOUGHT', 'other'],
    ['CHARGED_BACK_AFTER_TRANSFER', 'COMPLETED', 'transferred'],
    ['CHARGED_BACK_AFTER_TRANSFER', 'CANCELLED', 'transferred'],
    ['REFUNDED_OUTSIDE', 'COMPLETED', 'transferred'],
    ['REFUNDED_OUTSIDE', 'CANCELLED', 'cancelled'],
    ['REFUNDED_OUTSIDE', 'BOUGHT', 'other'],
    ['REFUNDED_PART', 'COMPLETED', 'part_done'],
    ['REFUNDED_PART', 'BOUGHT', 'part'],
    ['REFUND_FAILED', 'CANCELLED', 'failed'],
    ['MONEY_RESTORED', 'COMPLETED', 'stands'],
    ['MONEY_RESTORED', 'BOUGHT', 'stands'],
    ['MONEY_RESTORED', 'CANCELLED', 'restored'],
    ['RETURNED_TWICE', 'CANCELLED', 'twice'],
    ['LATER', 'COMPLETED', 'other'],
    [undefined, 'CANCELLED', 'other'],
  ] as const)
    expect(advice(note, order), `${note} of ${order}`).toBe(text);
});

test('unreadable values are left out, never invented', () => {
  expect([isMarket('marketplace.offer'), isMarket('account.phone'), isMarket('x.marketplace.')]).toEqual([true, false, false]);
  expect(linesOf({ kind: 'billing.term_amount', data: { requested_new_amount: '140', was: 125 } })).toEqual([]);
  expect(linesOf({ kind: 'marketplace.offer', data: { shares: '12', price_per_share: '50', project_code: 'W' } })).toEqual([
    { field: 'project', value: 'W' },
  ]);
  expect(summaryOf({ kind: 'onboarding.application', data: { last_name: 'Velden' } }).value).toBe('');
  for (const [zip_code, shown] of [
    ['9861GT', '9861\u00a0GT'],
    ['9861  GT', '9861\u00a0GT'],
    ['X9861GT', 'X9861GT'],
    ['9861GTX', '9861GTX'],
    ['9861-GT', '9861-GT'],
  ] as const)
    expect(addressLine({ zip_code })).toBe(shown);
  const move = { stop_date: '2026-12-31', new_invoice_address: dam, new_postal_address: old };
  expect(linesOf({ kind: 'move.request', data: move })).toEqual([
    { field: 'stop', value: '31-12-2026' },
    { field: 'invoice_address', value: 'Dam 1, 1012\u00a0JS Amsterdam' },
    { field: 'postal_address', value: 'Molenweg 12 A, 9861\u00a0GT Grootegast' },
  ]);
});
