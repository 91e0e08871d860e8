import { defineMessages } from 'react-intl';

/** Texts of this module's error codes. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  closed: { id: 'onboarding.registration_closed', defaultMessage: 'You cannot request an account here.' },
  // the text in the requirement (5.9-names-message, 5.9-names-reconcile)
  name: { id: 'onboarding.name_invalid', defaultMessage: 'No special characters, spaces, or numbers are allowed.' },
  gender: { id: 'onboarding.gender_invalid', defaultMessage: 'Choose one of these.' },
  phone: { id: 'onboarding.phone_invalid', defaultMessage: 'Enter a valid Dutch phone number, such as 06 12345678.' },
  email: { id: 'onboarding.email_invalid', defaultMessage: 'Invalid email address.' },
  zip: { id: 'onboarding.zip_code_invalid', defaultMessage: 'Invalid postal code.' },
  iban: { id: 'onboarding.iban_invalid', defaultMessage: 'Invalid IBAN' },
  birth: { id: 'onboarding.birth_date_invalid', defaultMessage: 'Enter your date of birth, such as 31-12-1980.' },
  young: { id: 'onboarding.too_young', defaultMessage: 'You must be 18 or older.' },
  address: { id: 'onboarding.address_unknown', defaultMessage: 'Invalid address.' },
  needed: { id: 'onboarding.proof_needed', defaultMessage: 'The check against automatic requests has not finished. Try again.' },
  proof: { id: 'onboarding.proof_invalid', defaultMessage: 'The check against automatic requests did not succeed. Try again.' },
  token: { id: 'onboarding.token_invalid', defaultMessage: 'This link is not right, or it is too old.' },
  already: { id: 'onboarding.already_reactivated', defaultMessage: 'This account has been reactivated already.' },
});
