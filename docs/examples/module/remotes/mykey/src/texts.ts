import { defineMessages } from 'react-intl';

/** Texts that are used in several files. */
export const t = defineMessages({
  title: { id: 'mykey.title', defaultMessage: 'My module' },
  // {setting}
  /** The text of an error code has the code as its id; useProblemText reads it. */
  full: { id: 'mykey.full', defaultMessage: 'You have as many notes as you can keep.' },
  // {/setting}
});
