import { useProblemText } from '@wattle/sdk';
import { useIntl } from 'react-intl';

/** Returns a function that gives the text of a field's error: for an empty field, what to fill in (9-errors-own-words). */
export function useFieldText(): (field: string, code: string) => string {
  const intl = useIntl();
  const text = useProblemText();
  return (field, code) =>
    code === 'required'
      ? intl.formatMessage(
          {
            id: 'onboarding.missing',
            defaultMessage:
              '{field, select, gender {Choose your gender.} initials {Fill in your initials.} preferred_name {Fill in your preferred name.} last_name {Fill in your last name.} birth_date {Fill in your date of birth, for example 31-12-1980.} phone_number {Fill in your phone number.} email {Fill in your email address.} zip_code {Fill in your postal code.} house_number {Fill in your house number.} street {Fill in your street.} city {Fill in your town.} bank_account_number {Fill in your account number.} other {Fill in the name on the account.}}',
          },
          { field },
        )
      : text({ code });
}
