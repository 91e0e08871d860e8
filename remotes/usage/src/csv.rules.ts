/** Bytes below which a CSV holds nothing to speak of: it is its header alone. */
const smallest = 80;

/** Is this CSV worth a download? Its size is that of its decoded text, in bytes (7.2-csv-min-size). */
export const isWorthSaving = ({ size }: { size: number }): boolean => size >= smallest;
