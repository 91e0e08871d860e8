// The twin of modules/account/username.go; both run schemas/rules/5.5-username-min.json.

/** Writes a username as sign-in reads it. */
export const normaliseUsername = (entered: string): string => entered.trim().toLowerCase();

/** A username has at least 6 characters (5.5-username-min). */
export const checkUsername = (name: string): string[] => ([...name].length >= 6 ? [] : ['account.username_too_short']);
