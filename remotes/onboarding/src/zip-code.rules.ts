// Mirrors modules/onboarding/zip_code.go; both run schemas/rules/5.9-zip-*.json.

/** Removes spaces and converts to upper case, before characters are counted (5.9-zip-normalise-reconcile). */
export const normalizeZipCode = (entered: string): string => entered.replace(/\s/g, '').toUpperCase();

/**
 * Validates a normalized postal code: exactly six characters (5.9-zip-length). The address register determines whether it exists.
 */
export const checkZipCode = (code: string): string[] => ([...code].length === 6 ? [] : ['onboarding.zip_code_invalid']);
