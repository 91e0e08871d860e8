import { defineMessages } from 'react-intl';

/** Texts of this module's error codes, with the code as id. The SDK's useProblemText reads them. */
export const codes = defineMessages({
  area: {
    id: 'outages.area_invalid',
    defaultMessage: 'Write postal codes as 1234 AB, or as 1234 for a whole neighborhood.',
  },
  before: { id: 'outages.end_before_start', defaultMessage: 'The end is before the beginning.' },
  end: { id: 'outages.end_required', defaultMessage: 'Planned work needs an end.' },
  time: { id: 'outages.time_invalid', defaultMessage: 'Write a time as 09:30.' },
});
