import type { CountryCode } from 'libphonenumber-js/min';

/** Countries that are listed first, in this order (5.4-phone-country-picker); the rest of Europe follows. */
export const first = ['NL', 'BE', 'DE', 'FR'] as const satisfies CountryCode[];

export const europe =
  'AD AL AT AX BA BG BY CH CY CZ DK EE ES FI FO GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NO PL PT RO RS RU SE SI SJ SK SM UA VA XK'.split(
    ' ',
  ) as CountryCode[];
