/** What decides whether a section of the account page is open at first. */
export interface SectionPlace {
  phone: boolean;
  /** The kind of label: members land on the page, customers come for their details. */
  kind: 'participant' | 'customer';
  /** The section that most customers come for. */
  first?: boolean | undefined;
  /** It has rows without end, such as a log. */
  long?: boolean | undefined;
}

/**
 * Returns whether a section of the account page is open at first (9-account-sections): on a wide window all that are short, on a phone only
 * the details of customers.
 */
export const isOpenAtFirst = ({ phone, kind, first, long }: SectionPlace): boolean =>
  phone ? first === true && kind === 'customer' : !long;
