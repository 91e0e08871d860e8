/** At most this many points are drawn; table and keyboard have all of them. */
export const maxDrawn = 1_000;
/** Longer series get a control that chooses the part that is drawn: a year of days does not, a month of hours does. */
const maxShort = 400;

export const isLong = (points: readonly unknown[]): boolean => points.length > maxShort;
/** Height of that control, in pixels; reserved while the drawing is fetched. */
export const rangeHeight = 112;
