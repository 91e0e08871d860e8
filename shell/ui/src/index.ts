/** The core of the kit: what every page may use. Nothing here may import fields, dates, tables or phone numbers. */
export * from './format';
export * from './tokens';
