/** Determines whether a section of the account page is initially open. */
export interface SectionPlace {
  phone: boolean;
  /** The kind of label: members land on this page, customers come for their details. */
  kind: 'participant' | 'customer';
  /** It is the section that most customers come for. */
  first?: boolean | undefined;
  /** Its number of rows is unlimited, as in a log. */
  long?: boolean | undefined;
}

/**
 * Returns whether a section of the account page is initially open (9-account-sections): in a wide window all short sections, on a
 * phone only a customer's details.
 */
export const isOpenAtFirst = ({ phone, kind, first, long }: SectionPlace): boolean =>
  phone ? first === true && kind === 'customer' : !long;
