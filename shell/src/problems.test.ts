import { row } from '@wattle/sdk/vitest';
import { createIntl } from 'react-intl';
import { describe, expect, test } from 'vitest';
import en from './messages/en.json';
import nl from './messages/nl.json';
import { problemOf } from './problem-text';
import { problems } from './problems';
import { checkField, meetsPasswordPolicy } from './sign-in/forms';

const say = (locale: 'nl' | 'en', code: string) =>
  problemOf(createIntl({ locale, messages: locale === 'nl' ? nl : en }), { code });
const own = [
  'wrong_credentials',
  'empty_username',
  'empty_password',
  'empty_code',
  'temp_password_expired',
  'code_invalid',
  'invalid_characters',
  'password_policy',
  'password_common',
  'password_from_name',
  'password_from_username',
  'password_from_email',
  'password_from_label',
  'attempts_exceeded',
  'session_expired',
  'session_mismatch',
  'cannot_reset_password',
  'mail_timeout',
  'pre_login_rejected',
  'impersonator_refused',
  'impersonation_over',
  'impersonation_referrer',
  'impersonation_ended',
  'required',
];

describe('refusals of identity', () => {
  row(
    [
      '8-id-empty-fields',
      '8-id-invalid-code',
      '8-id-invalid-chars',
      '8-id-attempts',
      '8-id-session-expired',
      '8-id-mail-timeout',
      '8-msg-required',
      '1-languages',
    ],
    'a text of its own for each, in both languages',
    () => {
      for (const locale of ['nl', 'en'] as const) {
        const texts = own.map((code) => say(locale, code));
        expect(new Set(texts).size).toBe(own.length);
        expect(texts).not.toContain(say(locale, 'unexpected'));
      }
      for (const code of own) expect(say('nl', code)).not.toBe(say('en', code));
    },
  );
  row(['8-id-wrong-credentials', '8-quoted-texts-reconcile'], 'the text equals the quoted one', () => {
    expect(say('en', 'wrong_credentials')).toContain('username or password incorrect');
    expect(say('nl', 'wrong_credentials')).toContain('gebruikersnaam of wachtwoord onjuist');
  });
  row('4-impersonator-referrer', 'a text explains the sign-out', () => {
    expect(say('nl', 'impersonation_referrer')).toMatch(/uitgelogd: je kwam niet van een supportprogramma/);
    expect(say('en', 'impersonation_referrer')).toMatch(/signed out: you did not come from a support tool/);
    for (const code of ['impersonation_over', 'impersonation_ended']) expect(say('nl', code)).not.toMatch(/e-?mail|code/i);
  });
  row('8-id-temp-expired', 'refers to customer service', () => {
    expect(say('nl', 'temp_password_expired')).toMatch(/tijdelijke wachtwoord is verlopen.*klantenservice/);
    expect(say('en', 'temp_password_expired')).toMatch(/temporary password has expired.*customer service/);
  });
  row('8-id-password-policy', 'lists all four requirements', () => {
    expect(say('en', 'password_policy')).toMatch(/8 characters.*lowercase.*uppercase.*digits/);
    expect(say('nl', 'password_policy')).toMatch(/8 tekens.*kleine letters.*hoofdletters.*cijfers/);
  });
  row('8-id-cannot-reset', () => {
    expect(say('en', 'cannot_reset_password')).toMatch(/sign in with the temporary password/);
    expect(say('nl', 'cannot_reset_password')).toMatch(/Log eerst in met het tijdelijke wachtwoord/);
  });
  row('8-id-pre-login', () => {
    expect(say('en', 'pre_login_rejected')).toMatch(/cannot log in to this portal.*customer service/);
    expect(say('nl', 'pre_login_rejected')).toMatch(/niet inloggen op dit portaal.*klantenservice/);
  });
  test('an unknown code shows the general error', () => expect(say('nl', 'no_such_code')).toBe(say('nl', 'unexpected')));
  test('ids are codes', () => {
    for (const [code, text] of Object.entries(problems)) expect(text.id).toBe(code);
  });
});

describe('validation in the browser', () => {
  row('8-id-empty-fields', () => {
    expect(checkField('username', '  ')).toEqual([{ field: 'username', code: 'empty_username' }]);
    expect(checkField('password', '')).toEqual([{ field: 'password', code: 'empty_password' }]);
    expect(checkField('password', '  ')).toEqual([]);
    expect(checkField('code', ' ')).toEqual([{ field: 'code', code: 'empty_code' }]);
  });
  row('8-id-invalid-chars', () => {
    expect(checkField('username', 'a\u0007')).toEqual([{ field: 'username', code: 'invalid_characters' }]);
    expect(checkField('password', 'x'.repeat(128))).toEqual([]);
    expect(checkField('password', 'x'.repeat(129))).toEqual([{ field: 'password', code: 'invalid_characters' }]);
  });
  row('8-id-password-policy', () => {
    expect(meetsPasswordPolicy('Wattle2026')).toBe(true);
    for (const weak of ['Wat2026', 'wattle2026', 'WATTLE2026', 'WattleWattle'])
      expect(meetsPasswordPolicy(weak), weak).toBe(false);
  });
});
