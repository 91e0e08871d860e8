/** Converts an API amount, in euros with two decimals, to whole cents. */
export const cents = (euros: number): number => Math.round(euros * 100);
export const euros = (amount: number): number => amount / 100;
