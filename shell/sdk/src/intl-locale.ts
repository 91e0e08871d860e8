import type { Locale } from './remote';

/**
 * Returns the locale for formatting messages. English texts use the Dutch number format, `1.234 shares` (1-currency-format,
 * 9-number-format), and the day format of en-NL.
 */
export const intlLocale = (locale: Locale): string => (locale === 'en' ? 'en-NL' : locale);
