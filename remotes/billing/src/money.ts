/** The API speaks euros with two decimals; everything here counts in whole cents. */
export const cents = (euros: number): number => Math.round(euros * 100);
export const euros = (amount: number): number => amount / 100;
