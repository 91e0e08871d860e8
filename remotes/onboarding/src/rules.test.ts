import { cases } from '@wattle/schemas';
import { row } from '@wattle/sdk/vitest';
import { readIban } from '@wattle/ui/iban';
import { expect, test } from 'vitest';
import { lookupKey, unknownAddressFields } from './address-check';
import { checkEmail, normalizeEmail } from './email.rules';
import { solver, zeroBits } from './proof.rules';
import { stateOf } from './reactivation.rules';
import {
  checkBirthDate,
  checkGender,
  checkIban,
  checkName,
  checkPhone,
  checkRegistration,
  empty,
  normalize,
  normalizeName,
  normalizePhone,
} from './registration.rules';
import { checkZipCode, normalizeZipCode } from './zip-code.rules';

interface Case<G> {
  given: G;
  today?: string;
  want: unknown;
}
function run<G>(name: string, check: (given: G, today: string) => unknown): void {
  const all = cases<Case<G>>(name);
  expect(all.length).toBeGreaterThan(0);
  for (const { given, today = '2026-11-20', want } of all) expect(check(given, today), JSON.stringify(given)).toEqual(want);
}
/** Runs the cases in schemas/rules/<id>.json, which the Go rule also runs. */
const vectors = <G>(id: string, judge: (given: G, today: string) => unknown): void => row(id, () => run(id, judge));

const name = (s: string) => checkName(normalizeName(s));
vectors('5.9-names', name);
vectors('5.9-names-reconcile', name);
const phone = (s: string) => checkPhone(normalizePhone(s));
vectors('5.9-phone', phone);
vectors('5.9-phone-rule', phone);
const email = (s: string) => checkEmail(normalizeEmail(s));
vectors('5.9-email', email);
vectors('5.9-email-extra', email);
vectors('5.9-zip-length', (s: string) => checkZipCode(normalizeZipCode(s)));
vectors('5.9-zip-normalise-reconcile', (s: string) => [normalizeZipCode(s)]);
vectors('5.9-iban', (s: string) => checkIban(readIban(s)));
row('5.1-iban-checksum-reconcile', 'check digits and the format of the country', () => {
  expect(checkIban('NL91ABNA0417164300')).toEqual([]);
  for (const wrong of ['NL92ABNA0417164300', 'NL5312340417164300', 'XX62ABNA0417164300'])
    expect(checkIban(wrong), wrong).toEqual(['onboarding.iban_invalid']);
});
vectors('5.9-birth-range', checkBirthDate);
vectors('5.9-age', checkBirthDate);
vectors('5.9-address-check-404', (house_number_extension: string) =>
  unknownAddressFields({ zip_code: '9861GT', house_number: '1', house_number_extension }).map(
    (f) => `${f}:onboarding.address_unknown`,
  ),
);
const form = (given: Record<string, unknown>, today: string) => {
  const texts = Object.fromEntries(Object.entries(given).map(([k, v]) => [k, String(v)]));
  const { label_key: _, ...typed } = texts;
  return Object.entries(checkRegistration(normalize({ ...empty, ...typed }), today)).map(([f, code]) => `${f}:${code}`);
};
vectors('5.9-required', form);
vectors('5.9-optional', form);

row('5.9-address-check-trigger', 'an address is looked up with a number and six characters or more, without spaces', () => {
  const asked = (zip_code: string, house_number: string) =>
    lookupKey({ zip_code, house_number, house_number_extension: '' }) !== '';
  for (const [zip, number, want] of [
    ['9861GT', '1', true],
    ['9861 gt', '12', true],
    ['9861GTX', '1', true], // the register decides, not the length
    ['9861 G', '1', false],
    ['9861G', '1', false],
    ['9861GT', '', false],
    ['9861GT', ' ', false],
    ['', '1', false],
  ] as const)
    expect(asked(zip, number), `${zip} ${number}`).toBe(want);
});

vectors('2.4-register-gender', (entered: string) => checkGender(entered));
vectors('9-register-gender-other', (entered: string) => checkGender(entered, true));

test('fields without another limit have a maximum length', () => {
  const wrong = checkRegistration({ ...empty, initials: 'x'.repeat(31), bank_account_name: 'x'.repeat(101) }, '2026-11-20');
  expect(wrong).toMatchObject({ initials: 'too_long', bank_account_name: 'too_long' });
});

test('finds a solution that the server accepts', () => {
  for (const bits of [1, 8, 12]) {
    const attempt = solver('c.1795773600.s', bits);
    let solution: string | undefined;
    while (solution === undefined) solution = attempt(100);
    expect(zeroBits('c.1795773600.s', solution)).toBeGreaterThanOrEqual(bits);
  }
});
test('finds the first solution with enough zero bits, whatever the number of tries per call', () => {
  const challenge = 'c.1795773600.s';
  const enough = (bits: number) => {
    let n = 0;
    while (zeroBits(challenge, String(n)) < bits) n++;
    return n;
  };
  for (const bits of [0, 3, 6]) {
    const first = enough(bits);
    const attempt = solver(challenge, bits);
    expect(attempt(first), `${bits} bits, one try too few`).toBeUndefined();
    expect(attempt(1)).toBe(String(first));
    expect(solver(challenge, bits)(first + 10)).toBe(String(first));
  }
  expect(solver(challenge, 0)(0)).toBeUndefined();
});
test('counts zero bits as the server does', () =>
  run('onboarding-proof', (g: { challenge: string; solution: string }) => [zeroBits(g.challenge, g.solution)]));

row('4-reactivation-state-mapping', 'maps the status of the response', () => {
  for (const [status, state] of [
    [undefined, 'loading'],
    [199, 'failed'],
    [200, 'reactivated'],
    [299, 'reactivated'],
    [300, 'failed'],
    [404, 'failed'],
    [411, 'failed'],
    [412, 'already'],
    [500, 'failed'],
  ] as const)
    expect(stateOf(status), String(status)).toBe(state);
});
