/** Bytes below which a CSV holds nothing to speak of. */
export const smallestCsv = 80;

/** Is this CSV worth a download (7.2-csv-min-size)? Counted in bytes of its decoded text. */
export const isWorthSaving = (text: string): boolean => new TextEncoder().encode(text).length >= smallestCsv;

/** The name that the server sends too (7.2-csv-name-reconcile). */
export const csvName = (ean: string): string => `historical-data-${ean}.csv`;
