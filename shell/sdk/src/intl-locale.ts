import type { Locale } from './remote';

/**
 * Returns the locale of messages: English texts have the numbers of Dutch ones, `1.234 shares` (1-currency-format, 9-number-format), and
 * its spelling of days.
 */
export const intlLocale = (locale: Locale): string => (locale === 'en' ? 'en-NL' : locale);
