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
  row(
    '9-unavailable-kept',
    'in both languages it says that it cannot be done now, that the input is kept, and what to do',
    () => {
      expect(say('nl', 'unavailable')).toMatch(/dit lukt nu even niet.*staat er nog.*probeer het over een paar minuten opnieuw/i);
      expect(say('en', 'unavailable')).toMatch(/cannot do this at the moment.*still here.*try again in a few minutes/);
      expect(say('nl', 'network')).toMatch(/geen verbinding.*staat er nog.*probeer/i);
      expect(say('en', 'network')).toMatch(/no connection.*still here.*try again/);
    },
  );
  test('an unknown code shows the general error', () => expect(say('nl', 'no_such_code')).toBe(say('nl', 'unexpected')));
  row('8-error-body', 'the code is the id of the text', () => {
    expect(Object.keys(problems).length).toBeGreaterThan(20);
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
    for (const field of ['username', 'password', 'code'] as const)
      for (const [typed, refused] of [
        ['a\u0000b', true],
        ['a\u007fb', true],
        ['a\nb', true],
        ['a b€é', false],
        ['é'.repeat(128), false],
        ['é'.repeat(129), true],
      ] as const)
        expect(checkField(field, typed), `${field} ${typed}`).toEqual(refused ? [{ field, code: 'invalid_characters' }] : []);
    expect(checkField('username', 'a\u0007')).toEqual([{ field: 'username', code: 'invalid_characters' }]);
    expect(checkField('password', 'x'.repeat(128))).toEqual([]);
    expect(checkField('password', 'x'.repeat(129))).toEqual([{ field: 'password', code: 'invalid_characters' }]);
  });
  row('8-id-password-policy', () => {
    for (const strong of ['Wattle26', 'Wattle2026']) expect(meetsPasswordPolicy(strong), strong).toBe(true); // 8 or more characters
    for (const weak of ['Wattle2', 'wattle26', 'WATTLE26', 'WattleWa', '20262026'])
      expect(meetsPasswordPolicy(weak), weak).toBe(false);
  });
});
