/** Size in bytes below which a CSV contains only its header. */
const minSize = 80;

/** Returns whether a CSV contains data. `size` is the size of its decoded text in bytes (7.2-csv-min-size). */
export const isWorthSaving = ({ size }: { size: number }): boolean => size >= minSize;
