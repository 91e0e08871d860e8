/** Maximum number of points that are drawn; the table and keyboard users get all points. */
export const maxDrawn = 1_000;
/** Maximum length of a series without a range control: a year of days has none, a month of hours has one. */
const maxShort = 400;

export const isLong = (points: readonly unknown[]): boolean => points.length > maxShort;
/** Height of the range control in pixels; reserved while the drawing's code is fetched. */
export const rangeHeight = 112;
