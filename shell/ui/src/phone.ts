/** Phone numbers. It contains the numbering plans, so only forms with a phone number import it. */
export { PhoneField, type PhoneFieldProps } from './phone-field';
