import { defineMessages } from 'react-intl';

/** Texts of this module's error codes: the id of a text is the code. useProblemText of the SDK reads them. */
export const codes = defineMessages({
  full: { id: 'acme.notes_full', defaultMessage: 'You have as many notes as you can have. Change one instead.' },
});
