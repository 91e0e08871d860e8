// Mirrors modules/onboarding/registration.go and its rules, for feedback while typing; both run schemas/rules/5.9-*.json. The
// server decides.
import { isIban, readIban } from '@wattle/ui/iban';
import { checkEmail, normalizeEmail } from './email.rules';
import { checkZipCode, normalizeZipCode } from './zip-code.rules';

/** Form values (2.4-register-gender). Only some labels offer the last one (9-register-gender-other). */
const genders = ['FEMALE', 'MALE', 'OTHER'] as const;
export type Gender = (typeof genders)[number];

/** Returns the genders in a label's form. */
export const gendersOf = (hasOther: boolean): readonly Gender[] => genders.filter((g) => hasOther || g !== 'OTHER');

/** The values of the form (2.4-register-fields). Street and city are used only while the address register is unavailable. */
export type Registration = {
  initials: string;
  preferred_name: string;
  prefix: string;
  last_name: string;
  gender: string;
  birth_date: string;
  phone_number: string;
  email: string;
  zip_code: string;
  house_number: string;
  house_number_extension: string;
  street: string;
  city: string;
  bank_account_number: string;
  bank_account_name: string;
};
export type Field = keyof Registration;

/** The initial values of the form. */
export const empty: Registration = {
  initials: '',
  preferred_name: '',
  prefix: '',
  last_name: '',
  gender: '',
  birth_date: '',
  phone_number: '',
  email: '',
  zip_code: '',
  house_number: '',
  house_number_extension: '',
  street: '',
  city: '',
  bank_account_number: '',
  bank_account_name: '',
};

/** Optional fields (5.9-optional). */
const optional: readonly Field[] = ['prefix', 'house_number_extension', 'street', 'city'];

/** Trims a string and replaces white space with single spaces. */
const collapseSpaces = (entered: string): string => entered.trim().replace(/\s+/g, ' ');

/** Trims a string and composes accented letters (Unicode NFC). */
export const normalizeName = (entered: string): string => entered.trim().normalize('NFC');

const namePattern = /^[\p{L}\p{M}0-9]+(?:['’-][\p{L}\p{M}0-9]+)*$/u;

/** Validates a normalized preferred or last name (5.9-names, 5.9-names-reconcile). */
export const checkName = (name: string): string[] =>
  namePattern.test(name) && !/^\d|\d$/.test(name) ? [] : ['onboarding.name_invalid'];

/** Removes hyphens and spaces, and replaces a leading +31 or 0031 by 0 (5.9-phone-rule). */
export const normalizePhone = (entered: string): string => entered.replace(/[-\s]/g, '').replace(/^(?:\+31|0031)/, '0');

/** Validates a normalized number: it must be Dutch (5.9-phone, 5.9-phone-rule). */
export const checkPhone = (number: string): string[] =>
  /^(?:0|\+31)[1-9][0-9]{8}$/.test(number) ? [] : ['onboarding.phone_invalid'];

/** Validates a normalized IBAN: the format of its country and the check digits (5.9-iban). */
export const checkIban = (iban: string): string[] => (isIban(iban) ? [] : ['onboarding.iban_invalid']);

/** Validates a date of birth, YYYY-MM-DD: from the year 1900 to today (5.9-birth-range), and at least 18 years ago (5.9-age). */
export function checkBirthDate(born: string, today: string): string[] {
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(born) ||
    new Date(`${born}T00:00:00Z`).toJSON()?.slice(0, 10) !== born ||
    born < '1900' ||
    born > today
  )
    return ['onboarding.birth_date_invalid'];
  return age(born, today) < 18 ? ['onboarding.too_young'] : [];
}

/** Returns the age in whole years. In a year without 29 February, a person born on that day becomes a year older on 1 March. */
const age = (born: string, today: string): number =>
  Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0);

export const checkGender = (entered: string, hasOther = false): string[] =>
  gendersOf(hasOther).some((g) => g === entered) ? [] : ['onboarding.gender_invalid'];

/** Normalizes the fields for validation and for the request. */
export const normalize = (r: Registration): Registration => ({
  initials: collapseSpaces(r.initials),
  preferred_name: normalizeName(r.preferred_name),
  prefix: collapseSpaces(r.prefix),
  last_name: normalizeName(r.last_name),
  gender: r.gender.trim(),
  birth_date: r.birth_date.trim(),
  phone_number: normalizePhone(r.phone_number),
  email: normalizeEmail(r.email),
  zip_code: normalizeZipCode(r.zip_code),
  house_number: collapseSpaces(r.house_number),
  house_number_extension: collapseSpaces(r.house_number_extension),
  street: collapseSpaces(r.street),
  city: collapseSpaces(r.city),
  bank_account_number: readIban(r.bank_account_number),
  bank_account_name: collapseSpaces(r.bank_account_name),
});

const short = 30;
const long = 100;
const most: Partial<Record<Field, number>> = {
  initials: short,
  preferred_name: long,
  prefix: short,
  last_name: long,
  house_number: short,
  house_number_extension: short,
  street: long,
  city: long,
  bank_account_name: long,
};

/**
 * Validates a normalized registration: required fields (5.9-required) and the rules of each field. Returns the first code per
 * field.
 */
export function checkRegistration(r: Registration, today: string, hasOther = false): Partial<Record<Field, string>> {
  const rules: Partial<Record<Field, (value: string) => string[]>> = {
    preferred_name: checkName,
    last_name: checkName,
    gender: (entered) => checkGender(entered, hasOther),
    birth_date: (born) => checkBirthDate(born, today),
    phone_number: checkPhone,
    email: checkEmail,
    zip_code: checkZipCode,
    bank_account_number: checkIban,
  };
  const wrong: Partial<Record<Field, string>> = {};
  for (const field of Object.keys(r) as Field[]) {
    const value = r[field];
    const code =
      value === ''
        ? optional.includes(field)
          ? undefined
          : 'required'
        : [...value].length > (most[field] ?? Number.POSITIVE_INFINITY)
          ? 'too_long'
          : rules[field]?.(value)[0];
    if (code) wrong[field] = code;
  }
  return wrong;
}
