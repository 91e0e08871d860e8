import { defineMessages } from 'react-intl';

/** Texts of this module's error codes. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  email: { id: 'account.email_invalid', defaultMessage: 'Invalid email address.' },
  phone: { id: 'account.phone_invalid', defaultMessage: 'Enter a valid phone number.' },
  short: { id: 'account.username_too_short', defaultMessage: 'A username needs at least 6 characters.' },
  taken: { id: 'account.username_taken', defaultMessage: 'Somebody else already uses this username. Choose another one.' },
  rule: {
    id: 'account.password_rule',
    defaultMessage: 'Choose 6 to 50 characters with at least one digit, one lowercase letter and one uppercase letter.',
  },
  mismatch: { id: 'account.password_mismatch', defaultMessage: 'Enter the same password.' },
  refused: { id: 'account.phone_refused', defaultMessage: 'This phone number is not valid. Please provide a valid phone number' },
  unchanged: { id: 'account.unchanged', defaultMessage: 'This is the same as what we already have.' },
});
