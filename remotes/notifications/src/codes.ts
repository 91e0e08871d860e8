import { defineMessages } from 'react-intl';

/** Texts of this module's error codes. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  project: { id: 'notifications.unknown_project', defaultMessage: 'There is no project with this code. Check it and try again.' },
  customer: { id: 'notifications.unknown_customer', defaultMessage: 'We do not know these customer numbers:' },
  nobody: {
    id: 'notifications.no_recipients',
    defaultMessage: 'Nobody would get this message. Choose other recipients.',
  },
  many: {
    id: 'notifications.too_many_recipients',
    defaultMessage: 'These are more than 5,000 numbers. Write to all participants of a project, or send it in parts.',
  },
  long: { id: 'notifications.message_too_long', defaultMessage: 'This message is too long. Shorten it, or link to a page.' },
  empty: {
    id: 'notifications.message_empty',
    defaultMessage: 'Nothing is left of this message once what is not allowed has been taken out. Write text.',
  },
  past: { id: 'notifications.date_passed', defaultMessage: 'This moment has passed. Choose a later one.' },
  time: { id: 'notifications.time_invalid', defaultMessage: 'Enter a time that the clock shows on that day, such as 09:00.' },
  sent: {
    id: 'notifications.sent_already',
    defaultMessage: 'This message has been sent already, so it can no longer be withdrawn.',
  },
  fixed: { id: 'notifications.kind_fixed', defaultMessage: 'Messages of this kind cannot be switched off.' },
  reused: {
    id: 'notifications.key_reused',
    defaultMessage: 'A message with other words was sent from this form before. Begin again to send another one.',
  },
  link: { id: 'notifications.link_unknown', defaultMessage: 'This link is not right, or it is too old.' },
});
