/** Phone numbers: brings the numbering plans, so only the phone form loads it. */
export { PhoneField, type PhoneFieldProps } from './phone-field';
