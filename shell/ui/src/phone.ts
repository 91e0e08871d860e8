/** Phone numbers. This entry contains the numbering plans, so import it only in forms with a phone number. */
export { PhoneField, type PhoneFieldProps } from './phone-field';
