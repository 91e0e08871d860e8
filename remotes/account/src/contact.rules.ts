// Mirrors modules/account/contact.go; both run schemas/rules/2.1-contact-form-fields.json.

/** The six subjects of the contact form, in display order (2.1-contact-form-subjects). */
export const subjects = ['payments', 'products', 'usage', 'relocation', 'suggestion', 'other'] as const;
export type Subject = (typeof subjects)[number];

export interface ContactForm {
  subject: string;
  message: string;
}

/** Returns the errors of the contact form by field: both fields are required (2.1-contact-form-fields). */
export function checkContact({ subject, message }: ContactForm): Partial<Record<keyof ContactForm, string>> {
  const wrong: Partial<Record<keyof ContactForm, string>> = {};
  if (subject === '') wrong.subject = 'required';
  else if (!subjects.some((s) => s === subject)) wrong.subject = 'invalid';
  if (message.trim() === '') wrong.message = 'required';
  else if ([...message].length > 5000) wrong.message = 'too_long';
  return wrong;
}
