/** Converts an amount of the API, in euros with two decimals, to the whole cents used here. */
export const cents = (euros: number): number => Math.round(euros * 100);
export const euros = (amount: number): number => amount / 100;
