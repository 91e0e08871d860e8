/** Days. The calendar's own code loads when one is opened. */
export { DateField, type DateFieldProps } from './date-field';
