/** Account numbers: brings what every country's look like, so only the bank account form loads it. */
import { ValidationErrorsIBAN, validateIBAN } from 'ibantools';

export { IbanField, type IbanFieldProps } from './iban-field';

/**
 * Is it an account number, given as letters and digits in upper case: a country that has them, with its length, form and check digits?
 * Check digits that some countries have inside the account number are for their banks to judge.
 */
export const isIban = (iban: string): boolean =>
  validateIBAN(iban).errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
