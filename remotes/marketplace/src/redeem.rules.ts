// Mirrors modules/marketplace's rule for codes; both run schemas/rules/5.7-redeem-length.json. The server decides.

/** Validates the code of a personal offer: exactly 11 characters (5.7-redeem-length), ignoring spaces around a pasted code. */
export const checkCode = (entered: string): string[] => ([...entered.trim()].length === 11 ? [] : ['marketplace.code_invalid']);
