// Mirrors modules/account/username.go; both run schemas/rules/5.5-username-min.json.

/** Normalizes a username in the same way as sign-in. */
export const normalizeUsername = (entered: string): string => entered.trim().toLowerCase();

/** Validates a username: at least 6 characters (5.5-username-min). */
export const checkUsername = (name: string): string[] => ([...name].length >= 6 ? [] : ['account.username_too_short']);
