import { defineMessages } from 'react-intl';

/** Texts of this module's error codes. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  ibanRequired: { id: 'billing.ibanRequired', defaultMessage: 'Fill in your new account number (IBAN).' },
  ibanNotValid: {
    id: 'billing.ibanNotValid',
    defaultMessage: 'We cannot use this account number (IBAN). Is every character right, and is it another than you have now?',
  },
  nameRequired: {
    id: 'billing.bankAccountNameRequired',
    defaultMessage: 'Fill in the name on the bank account, at least 3 characters.',
  },
  nameTooLong: { id: 'billing.bankAccountNameToLong', defaultMessage: 'This name is too long: use at most 255 characters.' },
  dateRequired: { id: 'billing.startDateRequired', defaultMessage: 'Choose from when we should use the new account.' },
  dateMessage: { id: 'billing.startDateMessage', defaultMessage: 'Choose a date from tomorrow on.' },
  amountRequired: { id: 'billing.amount_required', defaultMessage: 'Fill in an amount, for example 125 or 125,50.' },
  amountDecimals: { id: 'billing.amount_decimals', defaultMessage: 'Use at most two digits after the comma.' },
  amountRange: {
    id: 'billing.amount_range',
    defaultMessage: 'Choose an amount between the lowest and the highest amount of this contract.',
  },
  amountUnchanged: { id: 'billing.amount_unchanged', defaultMessage: 'This is what you pay now. Choose another amount.' },
  agreementRequired: { id: 'billing.agreement_required', defaultMessage: 'Choose which contract this is about.' },
  agreementUnknown: { id: 'billing.agreement_unknown', defaultMessage: 'We do not know this contract.' },
  fileMissing: {
    id: 'billing.file_missing',
    defaultMessage: 'We cannot find this file. Try again later, or ask customer service for it.',
  },
  // Reasons why a term amount cannot be changed now.
  pending: { id: 'billing.term_amount_pending', defaultMessage: 'Your earlier change is still being processed.' },
  ended: {
    id: 'billing.term_amount_ended',
    defaultMessage: 'This contract has ended, so there is nothing to change any more.',
  },
  fixed: { id: 'billing.term_amount_fixed', defaultMessage: 'This contract has a fixed monthly amount.' },
});
