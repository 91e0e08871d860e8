// Mirrors modules/account/password.go; both run schemas/rules/5.5-password-*.json. The identity service requires at least 8
// characters, so a password of 6 or 7 passes here and is rejected with password_policy (5.5-password-length-reconcile).

/** Validates a new password: a digit, a lower-case and an upper-case letter, and 6 to 50 characters (5.5-password-rule). */
export function checkPassword(entered: string): string[] {
  const length = [...entered].length;
  const fits = length >= 6 && length <= 50 && /[0-9]/.test(entered) && /[a-z]/.test(entered) && /[A-Z]/.test(entered);
  return fits ? [] : ['account.password_rule'];
}

export interface PasswordForm {
  old_password: string;
  new_password: string;
  confirmation: string;
}

/** Returns the errors of the change form by field (5.5-password-required, 5.5-password-match). */
export function checkPasswordForm(form: PasswordForm): Partial<Record<keyof PasswordForm, string>> {
  const wrong: Partial<Record<keyof PasswordForm, string>> = {};
  for (const field of ['old_password', 'new_password', 'confirmation'] as const)
    if (form[field] === '') wrong[field] = 'required';
  const [rule] = checkPassword(form.new_password);
  if (rule && !wrong.new_password) wrong.new_password = rule;
  if (!wrong.confirmation && form.confirmation !== form.new_password) wrong.confirmation = 'account.password_mismatch';
  return wrong;
}
