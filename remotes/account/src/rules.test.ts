import { cases } from '@wattle/schemas';
import { row } from '@wattle/sdk/vitest';
import { formatPhone } from '@wattle/ui/format';
import { expect, test } from 'vitest';
import { checkContact, subjects } from './contact.rules';
import { checkEmail, normalizeEmail } from './email.rules';
import { checkPassword, checkPasswordForm } from './password.rules';
import { checkPhone, normalizePhone } from './phone.rules';
import { knownOrUndefined, readAddress, salutations, streetLine, timesOfUse, townLine } from './relation.rules';
import { checkUsername, normalizeUsername } from './username.rules';

/** Runs the cases in schemas/rules/<id>.json, which the Go rule also runs. */
function vectors<G, W>(id: string, check: (given: G) => W): void {
  row(id, () => {
    const all = cases<{ given: G; want: W }>(id);
    expect(all.length).toBeGreaterThan(0);
    for (const { given, want } of all) expect(check(given), JSON.stringify(given)).toEqual(want);
  });
}

vectors('5.4-phone-normalise', (s: string) => [normalizePhone(s)]);
vectors('5.4-phone-dutch', checkPhone);
vectors('5.4-phone-international', checkPhone);
vectors('5.4-phone-request-format-reconcile', (s: string) => {
  const sent = normalizePhone(s);
  return checkPhone(sent).length ? checkPhone(sent) : [sent];
});
vectors('5.4-phone-display', (s: string) => [formatPhone(s)]);
vectors('5.3-email-normalise', (s: string) => [normalizeEmail(s)]);
vectors('5.3-email-pattern', checkEmail);
vectors('5.5-username-min', (s: string) => checkUsername(normalizeUsername(s)));
vectors('5.5-password-rule', checkPassword);
vectors('5.5-password-length-reconcile', checkPassword);
vectors('2.1-contact-form-fields', (f: { subject: string; message: string }) =>
  Object.entries(checkContact(f)).map(([k, v]) => `${k}:${v}`),
);
vectors('3-address-camel-case', readAddress);

const unknown = (values: readonly string[], value: string | undefined, field: string) =>
  value && knownOrUndefined(values, value) === undefined ? [`${field}:invalid`] : [];
vectors('3-relation-salutation', (r: { salutation: string }) => unknown(salutations, r.salutation, 'salutation'));
vectors('3-time-of-use-enum', (r: { company: { timeOfUse?: string } }) =>
  unknown(timesOfUse, r.company.timeOfUse, 'company.timeOfUse'),
);

row('2.1-contact-form-subjects', () =>
  expect(subjects).toEqual(['payments', 'products', 'usage', 'relocation', 'suggestion', 'other']),
);
row(['5.5-password-required', '5.5-password-match'], () => {
  expect(checkPasswordForm({ old_password: '', new_password: '', confirmation: '' })).toEqual({
    old_password: 'required',
    new_password: 'required',
    confirmation: 'required',
  });
  expect(checkPasswordForm({ old_password: 'Oud12345', new_password: 'Nieuw123', confirmation: 'Nieuw124' })).toEqual({
    confirmation: 'account.password_mismatch',
  });
  expect(checkPasswordForm({ old_password: 'Oud12345', new_password: 'Nieuw123', confirmation: 'Nieuw123' })).toEqual({});
});

test('a new password that breaks the rule has an error at its field, an empty one is required', () => {
  const form = { old_password: 'Oud12345', new_password: 'kort', confirmation: 'kort' };
  expect(checkPasswordForm(form)).toEqual({ new_password: checkPassword('kort')[0] });
  expect(checkPassword('kort')).not.toEqual([]);
});

test('a username is trimmed and in lower case, as the server stores it', () => {
  expect(normalizeUsername('  Anna.De-Boer ')).toBe('anna.de-boer');
});

test('an address is read in both spellings and written as on an envelope', () => {
  const nothing = {
    address_type: '',
    street: '',
    house_number: '',
    house_number_extension: '',
    zip_code: '',
    city: '',
    connections: [],
  };
  expect(readAddress({})).toEqual(nothing);
  const camel = {
    addressType: 'SHIPPING',
    houseNumber: 7,
    houseNumberExtension: 'bis',
    zipCode: '9731AB',
    street: 'Lindelaan',
    city: 'Groningen',
  };
  const read = readAddress(camel);
  expect(read).toEqual({
    ...nothing,
    address_type: 'SHIPPING',
    street: 'Lindelaan',
    house_number: '7',
    house_number_extension: 'bis',
    zip_code: '9731AB',
    city: 'Groningen',
  });
  const snake = { address_type: 'INVOICE', house_number: '8', house_number_extension: 'a', zip_code: '9731AC' } as const;
  expect(readAddress({ ...camel, ...snake })).toMatchObject(snake); // snake case has priority
  expect(streetLine(read)).toBe('Lindelaan 7 bis');
  expect(streetLine({ ...read, house_number_extension: '' })).toBe('Lindelaan 7');
  expect(streetLine({ ...read, street: '' })).toBe('7 bis');
  expect(townLine(read)).toBe('9731 AB  Groningen');
  expect(townLine({ ...read, zip_code: '9731  ab' })).toBe('9731 ab  Groningen');
  expect(townLine({ ...read, zip_code: 'B-9731ABC' })).toBe('B-9731ABC  Groningen');
  expect(townLine({ ...read, zip_code: '' })).toBe('Groningen');
});
