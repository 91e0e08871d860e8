import { defineMessages } from 'react-intl';

/**
 * Texts of core's problems: the code of a problem is the id of its text (8-error-body). Modules contain the texts of their own
 * codes.
 */
export const problems = defineMessages({
  // identity: 8-id-wrong-credentials, 8-id-empty-fields, 8-id-temp-expired, 8-id-invalid-code, 8-id-invalid-chars,
  // 8-id-password-policy, 8-id-attempts, 8-id-session-expired, 8-id-cannot-reset, 8-id-mail-timeout, 8-id-pre-login
  wrong_credentials: { id: 'wrong_credentials', defaultMessage: 'We cannot sign you in: username or password incorrect.' },
  empty_username: { id: 'empty_username', defaultMessage: 'Fill in your username.' },
  empty_password: { id: 'empty_password', defaultMessage: 'Fill in your password.' },
  empty_code: { id: 'empty_code', defaultMessage: 'Fill in the code from the email.' },
  temp_password_expired: {
    id: 'temp_password_expired',
    defaultMessage: 'Your temporary password has expired. Contact customer service for a new one.',
  },
  code_invalid: {
    id: 'code_invalid',
    defaultMessage: 'This code is not right, or it is too old. Check the email or ask for a new code.',
  },
  invalid_characters: {
    id: 'invalid_characters',
    defaultMessage: 'This field holds characters that we do not accept, or more than 128 characters.',
  },
  password_policy: {
    id: 'password_policy',
    defaultMessage: 'Choose a password of at least 8 characters, with lowercase letters, uppercase letters and digits.',
  },
  // 5.5-password-common, 5.5-password-personal
  password_common: {
    id: 'password_common',
    defaultMessage:
      'This password is on a list of common passwords, so it is quickly guessed. Choose another one, for example a few words in a row with a digit.',
  },
  password_from_name: {
    id: 'password_from_name',
    defaultMessage: 'This password is built from your name, so it is easily guessed. Choose one without your name.',
  },
  password_from_username: {
    id: 'password_from_username',
    defaultMessage: 'This password is built from your username, so it is easily guessed. Choose one without your username.',
  },
  password_from_email: {
    id: 'password_from_email',
    defaultMessage: 'This password is built from your email address, so it is easily guessed. Choose one without that address.',
  },
  password_from_label: {
    id: 'password_from_label',
    defaultMessage: 'This password is built from our name, so it is easily guessed. Choose one without our name.',
  },
  attempts_exceeded: { id: 'attempts_exceeded', defaultMessage: 'Too many attempts. Wait a quarter of an hour and try again.' },
  session_expired: { id: 'session_expired', defaultMessage: 'Your session has expired. Sign in again.' },
  session_mismatch: {
    id: 'session_mismatch',
    defaultMessage: 'Somebody else has signed in in this browser. Reload the page.',
  },
  cannot_reset_password: {
    id: 'cannot_reset_password',
    defaultMessage: 'Your password cannot be reset yet. First sign in with the temporary password that we sent you.',
  },
  mail_timeout: { id: 'mail_timeout', defaultMessage: 'Sending the email took too long. Try again in a few minutes.' },
  pre_login_rejected: { id: 'pre_login_rejected', defaultMessage: 'You cannot log in to this portal. Contact customer service.' },
  impersonator_refused: {
    id: 'impersonator_refused',
    defaultMessage: 'This account cannot sign in here. Start from your support tool.',
  },
  // impersonation: 4-impersonator-referrer, and a link that works once and for one minute
  impersonation_over: {
    id: 'impersonation_over',
    defaultMessage:
      'This link to view a portal no longer works. Such a link works once, for one minute. Open the customer again from your own screen.',
  },
  impersonation_referrer: {
    id: 'impersonation_referrer',
    defaultMessage:
      'You have been signed out: you did not come from a support tool that this portal knows. Open the customer from your own support tool.',
  },
  impersonation_ended: {
    id: 'impersonation_ended',
    defaultMessage: 'You have stopped viewing: that is possible for half an hour at a time. Open the customer again to view on.',
  },
  unauthorized: { id: 'unauthorized', defaultMessage: 'You are not signed in any more. Sign in again.' },
  // fields (8-msg-required)
  required: { id: 'required', defaultMessage: 'Fill in this field.' },
  invalid: { id: 'invalid', defaultMessage: 'This is not right. Check what you filled in.' },
  unknown_field: { id: 'unknown_field', defaultMessage: 'We do not know this field.' },
  too_short: { id: 'too_short', defaultMessage: 'This is too short.' },
  too_long: { id: 'too_long', defaultMessage: 'This is too long.' },
  // other problems
  not_found: { id: 'not_found', defaultMessage: 'We cannot find this.' },
  forbidden: { id: 'forbidden', defaultMessage: 'You may not do this.' },
  key_scope_missing: {
    id: 'key_scope_missing',
    defaultMessage: 'This API key may not do that. Use a key with the scope that the description of the call names.',
  },
  read_only: { id: 'read_only', defaultMessage: 'You are only viewing this portal, so you cannot change anything.' },
  no_relation: { id: 'no_relation', defaultMessage: 'We do not have your details yet.' },
  change_pending: { id: 'change_pending', defaultMessage: 'You have already asked for this change. We are still processing it.' },
  change_decided: { id: 'change_decided', defaultMessage: 'This request has been dealt with already.' },
  internal: { id: 'internal', defaultMessage: 'Something went wrong on our side. Nothing has been changed; try again later.' },
  // 9-unavailable-kept
  unavailable: {
    id: 'unavailable',
    defaultMessage: 'We cannot do this at the moment. What you filled in is still here; try again in a few minutes.',
  },
  file_not_found: {
    id: 'file_not_found',
    defaultMessage: 'This file is not there (yet). Try again later, or contact customer service.',
  },
  file_name_invalid: { id: 'file_name_invalid', defaultMessage: 'We cannot open this file. Contact customer service.' },
  file_type_refused: { id: 'file_type_refused', defaultMessage: 'We cannot open this file. Contact customer service.' },
  download_expired: { id: 'download_expired', defaultMessage: 'This download has expired. Start it again.' },
  too_large: { id: 'too_large', defaultMessage: 'This is too large to send.' },
  malformed: { id: 'malformed', defaultMessage: 'We could not read what was sent. Reload the page and try again.' },
  too_many_calls: { id: 'too_many_calls', defaultMessage: 'That went a little fast. Wait a moment and try again.' },
  module_not_enabled: { id: 'module_not_enabled', defaultMessage: 'This is not available here.' },
  label_mismatch: { id: 'label_mismatch', defaultMessage: 'This address does not belong to this portal.' },
  unknown_label: { id: 'unknown_label', defaultMessage: 'There is no portal at this address.' },
  unsupported: { id: 'unsupported', defaultMessage: 'This is not possible in this portal. Contact customer service.' },
  network: { id: 'network', defaultMessage: 'There is no connection. What you filled in is still here; try again.' },
  unexpected: { id: 'unexpected', defaultMessage: 'Something went wrong. Try again; if it stays, contact customer service.' },
});
