import { cases } from '@wattle/schemas';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import {
  type Address,
  keyOf,
  type Named,
  normalizeExtension,
  normalizeZip,
  splitNumber,
  streetLine,
  townLine,
  zipLine,
} from './address.rules';
import { checkAgreement, checkConnections, checkNewAddress, commoditiesOf, type EANs, movable } from './agreement.rules';
import { addDays, checkDates, type Dates, earliestStart, nextMonth, type Refusal } from './dates.rules';
import { agreement, home, shop } from './testing';
import {
  checkAddresses,
  checkAgreementChoice,
  type Draft,
  empty,
  firstInvalid,
  firstPage,
  isLookedUp,
  keyOfRequest,
  type Lookup,
  newAddressOf,
  onlyChoice,
  placesOf,
  requestOf,
  type WizardData,
} from './wizard.rules';

interface Case<G> {
  given: G;
  today?: string;
  want: unknown;
}
/** Runs the cases in schemas/rules/<id>.json, which the Go rule also runs. */
function vectors<G>(id: string, check: (given: G, today: string) => unknown): void {
  row(id, 'as the server has it', () => {
    const all = cases<Case<G>>(id);
    expect(all.length).toBeGreaterThan(0);
    for (const { given, today = '2026-11-20', want } of all) expect(check(given, today), JSON.stringify(given)).toEqual(want);
  });
}

const today = '2026-11-20';
const found = (more: Partial<Address> = {}, eans: EANs = { ELECTRICITY: ['1'], GAS: ['2'] }): Lookup => ({
  state: 'found',
  alternatives: [],
  address: { street: 'Lindelaan', house_number: '7', house_number_extension: '', zip_code: '9731AB', city: 'Groningen', ...more },
  eans,
});
const known = (more: Partial<WizardData> = {}): WizardData => ({
  agreements: [agreement('A-1')],
  pending: new Set(),
  lookup: found(),
  today,
  ...more,
});
const draft = (more: Partial<Draft> = {}): Draft => ({
  ...empty,
  id: 'd',
  zipCode: '9731 AB',
  houseNumber: '7',
  asked: { zipCode: '9731AB', houseNumber: '7' },
  start: '2026-12-01',
  ...more,
});

describe('days', () => {
  for (const id of [
    '5.2-start-required',
    '5.2-date-invalid',
    '5.2-date-past',
    '5.2-start-min-two-days',
    '5.2-past-precedence-reconcile',
    '5.2-start-before-stop',
    '5.2-stop-optional',
  ])
    vectors(id, (given: Dates, today) => checkDates(given, today));
  test('the proposed days', () => {
    expect([earliestStart('2026-11-20'), earliestStart('2026-12-30'), addDays('2026-10-24', 2)]).toEqual([
      '2026-11-22',
      '2027-01-01',
      '2026-10-26',
    ]);
    expect([nextMonth('2026-11-21'), nextMonth('2026-12-31')]).toEqual(['2026-12-01', '2027-01-01']);
  });
});

describe('addresses', () => {
  vectors('5.2-zip-normalise', (given: string) => [normalizeZip(given)]);
  test('parses an extension after the number in Dutch notations', () => {
    expect(['7', ' 12 ', '12A', '12 a', '12-2', '12/3', '12 bis', '200 2 hoog', '', 'A'].map(splitNumber)).toEqual([
      { number: '7', extension: null },
      { number: '12', extension: null },
      { number: '12', extension: 'A' },
      { number: '12', extension: 'a' },
      { number: '12', extension: '2' },
      { number: '12', extension: '3' },
      { number: '12', extension: 'bis' },
      { number: '200', extension: '2 hoog' },
      { number: '', extension: null },
      { number: 'A', extension: null },
    ]);
    expect(townLine({ zip_code: '9731ab', city: 'Groningen' })).toBe('9731 AB Groningen');
    const at = (house_number_extension: string) => keyOf({ zip_code: '9711 cd', house_number: ' 12', house_number_extension });
    expect(new Set(['a-2', 'A 2', 'A2', 'a.2'].map(at)).size).toBe(1);
  });
});

interface Judged {
  status: 'ACTIVE' | 'FUTURE' | 'CANCELLED' | 'TERMINATED';
  company_name: string;
  addresses: Named[];
}
describe('agreements', () => {
  for (const id of ['2.2-exclude-ended', '2.2-exclude-daughter', '2.2-offline-multi-address'])
    vectors(id, (given: Judged) => checkAgreement(given));
  vectors('2.2-offline-existing-agreement', (g: { new_address: Named; agreements: Judged[] }) =>
    checkNewAddress(g.new_address, g.agreements),
  );
  row(['2.2-exclude-ended', '2.2-exclude-daughter'], 'cannot be chosen', () => {
    const all = [
      agreement('runs'),
      agreement('later', { status: 'FUTURE' }),
      agreement('ended', { status: 'TERMINATED' }),
      agreement('never', { status: 'CANCELLED' }),
      agreement('daughter', { company_name: 'Dochter B.V.' }),
      agreement('wide', { addresses: [home, shop] }),
    ];
    expect(movable(all).map((a) => a.agreement_identifier_with_sequence)).toEqual(['runs', 'later', 'wide']);
  });
  row(['2.2-page0-skip', '2.2-page0-skip-reconcile'], 'exactly one agreement that can be moved, with exactly one address', () => {
    const ended = agreement('A-0', { status: 'TERMINATED' });
    const never = agreement('A-9', { status: 'CANCELLED' });
    const daughter = agreement('A-8', { company_name: 'Dochter B.V.' });
    const nothing: ReadonlySet<string> = new Set();
    expect(firstPage([agreement('A-1'), ended, never, daughter], nothing)).toBe(1);
    expect(firstPage([agreement('A-1'), agreement('A-2', { addresses: [shop] })], nothing)).toBe(0);
    expect(firstPage([agreement('A-1', { addresses: [home, shop] })], nothing)).toBe(0);
    expect(firstPage([ended], nothing)).toBe(0);
    expect(onlyChoice([agreement('A-1', { addresses: [home, { ...home, zip_code: '9861 gt' }] })])).toBeDefined();
    const post = agreement('A-1', { addresses: [{ ...shop, address_type: 'INVOICE' }, home] });
    expect(firstPage([post], nothing), 'invoices go elsewhere').toBe(1);
    expect(requestOf(draft(), known({ agreements: [post] }))?.old_address.street).toBe(home.street);
  });
  row('5.2-old-address-required', 'is that of the chosen agreement', () => {
    const two = [agreement('A-1'), agreement('A-2', { addresses: [shop] })];
    expect(checkAddresses(draft(), known({ agreements: two }))).toEqual([{ field: 'old_address', code: 'move.required' }]);
    expect(checkAddresses(draft({ agreement: 'A-2' }), known({ agreements: two }))).toEqual([]);
  });
});

describe('connections', () => {
  vectors('3-move-commodities', (given: { commodity: string }[]) => commoditiesOf(given));
  vectors('4-move-connections-match', (g: { eansPerCommodity: EANs; old: ('GAS' | 'ELECTRICITY')[] }) =>
    checkConnections(g.eansPerCommodity, g.old),
  );
});

describe('page 1', () => {
  const checked = (d: Partial<Draft>, k: Partial<WizardData> = {}): Refusal[] => checkAddresses(draft(d), known(k));
  const codes = (d: Partial<Draft>, k: Partial<WizardData> = {}) => checked(d, k).map((w) => w.code);
  row('5.2-new-address-required', 'postal code and house number', () => {
    expect(checked({ zipCode: ' ', houseNumber: '' })).toEqual([
      { field: 'new_address.zip_code', code: 'move.required' },
      { field: 'new_address.house_number', code: 'move.required' },
    ]);
    expect(checked({ houseNumber: ' ' })).toEqual([{ field: 'new_address.house_number', code: 'move.required' }]);
    expect(checked({})).toEqual([]);
  });
  row(
    ['2.5-move-page1-validator', '4-move-page1-valid'],
    'validates the form, the address, double and matching connections; nothing else',
    () => {
      expect(codes({})).toEqual([]);
      expect(codes({}, { lookup: { state: 'idle' } })).toEqual(['move.address_awaited']);
      expect(codes({}, { lookup: { state: 'loading', alternatives: [] } })).toEqual(['move.address_awaited']);
      expect(codes({}, { lookup: { state: 'choose', alternatives: ['A', 'B'] } })).toEqual(['move.multiple_addresses']);
      expect(codes({}, { lookup: { state: 'unknown', alternatives: [] } })).toEqual(['move.address_unknown']);
      expect(codes({}, { lookup: found({}, { ELECTRICITY: ['1', '2'], GAS: ['3'] }) })).toEqual(['move.multiple_connections']);
      expect(codes({}, { lookup: found({}, { ELECTRICITY: ['1'], GAS: [] }) })).toEqual(['move.different_connections']);
      expect(codes({}, { lookup: found({ zip_code: '9861GT', house_number: '18' }) })).toEqual(['move.existing_agreement']);
      // page 1 does not validate dates and checkboxes
      expect(codes({ start: '', residential: false, post: false })).toEqual([]);
    },
  );
  row('4-addr-lookup-down', 'street and city by hand, marked in the request', () => {
    const lookup: Lookup = { state: 'down', retrying: false, retry: () => undefined };
    expect(checked({}, { lookup })).toEqual([
      { field: 'new_address.street', code: 'move.required' },
      { field: 'new_address.city', code: 'move.required' },
    ]);
    const byHand = draft({ street: ' Lindelaan ', city: 'Groningen', extension: ' ' });
    expect(checkAddresses(byHand, known({ lookup }))).toEqual([]);
    expect(requestOf(byHand, known({ lookup }))?.new_address).toEqual({
      street: 'Lindelaan',
      city: 'Groningen',
      house_number: '7',
      zip_code: '9731AB',
      unchecked: true,
    });
  });
});

describe('pages', () => {
  test('the first invalid page', () => {
    expect(firstInvalid(draft(), known())).toBe(3);
    expect(firstInvalid(draft({ start: '' }), known())).toBe(2);
    expect(firstInvalid(draft({ zipCode: '' }), known())).toBe(1);
    expect(firstInvalid(draft({ agreement: '' }), known({ agreements: [agreement('A-1'), agreement('A-2')] }))).toBe(0);
    expect(firstInvalid(draft(), known({ pending: new Set(['A-1']) }))).toBe(0);
    expect(checkAgreementChoice(draft(), known({ pending: new Set(['A-1']) }))).toEqual(['move.pending']);
  });
});

describe('the request', () => {
  row(['3-move-commodities', '3-move-residential-default', '3-move-extra-addresses'], 'has the fields of the API', () => {
    const request = requestOf(draft({ stop: '2026-12-15' }), known());
    expect(request).toEqual({
      commodities: ['ELECTRICITY', 'GAS'],
      new_address: {
        street: 'Lindelaan',
        house_number: '7',
        house_number_extension: '',
        zip_code: '9731AB',
        city: 'Groningen',
      },
      old_address: { street: 'Molenweg', house_number: '18', house_number_extension: '', zip_code: '9861GT', city: 'Grootegast' },
      agreement_identifier_with_sequence: 'A-1',
      start_date: '2026-12-01',
      stop_date: '2026-12-15',
      is_residential: true,
      address_type: 'SHIPPING',
      new_invoice_address: request?.new_address,
      new_postal_address: request?.new_address,
    });
    const plain = requestOf(draft({ post: false, residential: false }), known());
    expect([plain?.new_invoice_address, plain?.new_postal_address, plain?.is_residential]).toEqual([undefined, undefined, false]);
    expect(plain).not.toHaveProperty('stop_date');
  });
  test('has the same key while it is unchanged', () => {
    const key = (more: Partial<Draft>) => {
      const request = requestOf(draft(more), known());
      return request && keyOfRequest('d', request);
    };
    expect(key({})).toBe(key({}));
    expect(key({ start: '2026-12-02' })).not.toBe(key({}));
    expect(key({})).toMatch(/^[A-Za-z0-9._~-]{1,64}$/);
    expect(`${crypto.randomUUID()}.ffffffff`.length).toBeLessThanOrEqual(64);
  });
});

describe('typed values', () => {
  test('two spellings of an address are equal', () => {
    expect(normalizeExtension(' a-2./b ')).toBe('A2B');
    expect(keyOf({ zip_code: '9731 ab', house_number: ' 7 ', house_number_extension: 'bis-2' })).toBe('9731AB 7 BIS2');
    expect(streetLine({ street: 'Lindelaan', house_number: '7', house_number_extension: '' })).toBe('Lindelaan 7');
    expect(streetLine({ street: 'Lindelaan', house_number: '7', house_number_extension: 'bis' })).toBe('Lindelaan 7 bis');
    expect(['9731ab', ' 9731 AB ', 'X9731AB', '9731ABC'].map(zipLine)).toEqual(['9731 AB', '9731 AB', 'X9731AB', '9731ABC']);
    expect([' 12 ', 'bis 12', ' x '].map(splitNumber)).toEqual([
      { number: '12', extension: null },
      { number: 'bis 12', extension: null },
      { number: 'x', extension: null },
    ]);
  });
  test('was looked up or not', () => {
    const asked = { zipCode: '9731AB', houseNumber: '7' };
    expect(isLookedUp({ asked, zipCode: '9731 ab', houseNumber: ' 7 ' })).toBe(true);
    expect(isLookedUp({ asked, zipCode: '9731AC', houseNumber: '7' })).toBe(false);
    expect(isLookedUp({ asked, zipCode: '9731AB', houseNumber: '8' })).toBe(false);
    expect(isLookedUp({ asked: null, zipCode: '9731AB', houseNumber: '7' })).toBe(false);
  });
  test('an address by hand is trimmed, and used only while the register is down', () => {
    const down: Lookup = { state: 'down', retrying: false, retry: () => undefined };
    const typed = draft({ houseNumber: ' 7 ', street: ' Lindelaan ', city: ' Groningen ', extension: null });
    expect(newAddressOf(typed, down)).toEqual({
      street: 'Lindelaan',
      house_number: '7',
      house_number_extension: '',
      zip_code: '9731AB',
      city: 'Groningen',
    });
    for (const state of ['loading', 'choose', 'unknown'] as const)
      expect(newAddressOf(typed, { state, alternatives: [] })).toBeUndefined();
    const missing = checkAddresses(draft({ street: ' ', city: ' ' }), known({ lookup: down }));
    expect(missing.slice(0, 2)).toEqual([
      { field: 'new_address.street', code: 'move.required' },
      { field: 'new_address.city', code: 'move.required' },
    ]);
  });
  test('each error is at its field', () => {
    const at = (lookup: Lookup, more: Partial<Draft> = {}) => checkAddresses(draft(more), known({ lookup }));
    const awaited = [{ field: 'new_address', code: 'move.address_awaited' }];
    expect(at({ state: 'idle' })).toEqual(awaited);
    expect(at({ state: 'busy', retry: () => undefined })).toEqual(awaited);
    expect(at({ state: 'loading', alternatives: [] })).toEqual(awaited);
    expect(at({ state: 'choose', alternatives: ['A'] })).toEqual([
      { field: 'new_address.house_number_extension', code: 'move.multiple_addresses' },
    ]);
    expect(at({ state: 'unknown', alternatives: [] })).toEqual([{ field: 'new_address', code: 'move.address_unknown' }]);
    expect(at(found(), { zipCode: ' ' })).toEqual([{ field: 'new_address.zip_code', code: 'move.required' }]);
    const two = known({ agreements: [agreement('A-1', { addresses: [home, shop] })], lookup: { state: 'idle' } });
    expect(checkAddresses(draft({ agreement: 'A-1' }), two)[0]).toEqual({ field: 'old_address', code: 'move.required' });
    expect(checkAgreementChoice(draft({ agreement: '' }), known({ agreements: [] }))).toEqual(['move.agreement_required']);
  });
  test('an address that an agreement has twice counts once, with the connections of both', () => {
    const [power, gas] = [home.connections.slice(1), home.connections.slice(0, 1)];
    const twice = agreement('A-1', {
      addresses: [
        { ...home, connections: power },
        { ...home, connections: gas },
      ],
    });
    expect(placesOf(twice)).toEqual([{ ...home, connections: [...power, ...gas] }]);
    expect(placesOf(undefined)).toEqual([]);
  });
  test('days are trimmed; without day, address or agreement nothing is sent', () => {
    expect(requestOf(draft({ start: ' 2026-12-01 ', stop: ' 2026-12-05 ' }), known())).toMatchObject({
      start_date: '2026-12-01',
      stop_date: '2026-12-05',
    });
    expect(requestOf(draft({ start: ' ' }), known())).toBeUndefined();
    expect(requestOf(draft(), known({ lookup: { state: 'idle' } }))).toBeUndefined();
    expect(requestOf(draft(), known({ agreements: [] }))).toBeUndefined();
  });
  test('a day has no other characters around it', () => {
    const codes = (start_date: string) => checkDates({ start_date, stop_date: '' }, today);
    expect(codes('2026-12-01')).toEqual([]);
    for (const wrong of ['12026-12-01', '2026-12-011', 'x2026-12-01', '2026-12-01x', '2026-12-1'])
      expect(codes(wrong), wrong).not.toEqual([]);
    expect(nextMonth('2026-01-15')).toBe('2026-02-01');
  });
});
