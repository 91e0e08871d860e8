/** Returns the cents of an API amount, which is in euros with two decimals. */
export const centsOf = (euros: number): number => Math.round(euros * 100);
