// The twin of modules/onboarding/zip_code.go; both run schemas/rules/5.9-zip-*.json.

/** Strips spaces and upper-cases, before anything is counted (5.9-zip-normalise-reconcile). */
export const normaliseZipCode = (entered: string): string => entered.replace(/\s/g, '').toUpperCase();

/** Judges a normalised postal code: exactly six characters (5.9-zip-length). Whether it exists the address register says. */
export const checkZipCode = (code: string): string[] => ([...code].length === 6 ? [] : ['onboarding.zip_code_invalid']);
