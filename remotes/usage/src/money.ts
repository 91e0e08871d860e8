/** Returns the cents of an amount of the API, which is in euros with two decimals. */
export const centsOf = (euros: number): number => Math.round(euros * 100);
