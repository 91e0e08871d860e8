/** Date fields. The calendar's code is fetched when one is first opened. */
export { DateField, type DateFieldProps } from './date-field';
