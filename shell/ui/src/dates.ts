/** Date fields. The code of the calendar is fetched when one is opened. */
export { DateField, type DateFieldProps } from './date-field';
