import { defineMessages } from 'react-intl';

/** Texts of this module's error codes. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  consent: { id: 'usage.consent_needed', defaultMessage: 'We need your consent first before we may fetch your meter data.' },
  notSupported: {
    id: 'usage.not_supported',
    defaultMessage: 'Your meter cannot be read from a distance, so there is no historical meter data.',
  },
  source: {
    id: 'usage.source',
    defaultMessage: 'The grid operator did not answer. Try again later today; what you already have stays.',
  },
});
