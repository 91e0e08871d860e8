import type { Place } from './api';

/** Returns an address on one line: `Molenweg 12 A, Grootegast`. */
export const placeLine = (p: Place): string =>
  `${[p.street_name, p.house_number, p.house_postfix].filter(Boolean).join(' ')}, ${p.city}`;
