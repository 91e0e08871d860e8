import { defineMessages } from 'react-intl';

/** Texts of this module's error codes. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  required: { id: 'move.required', defaultMessage: 'Fill in this field.' },
  dateFormat: {
    id: 'move.dateFormat',
    defaultMessage: 'We do not understand this date. Write it as day-month-year, for example 1-12-2026.',
  },
  noPastDate: { id: 'move.noPastDate', defaultMessage: 'This day is in the past. Choose a later one.' },
  minTwoDays: {
    id: 'move.minTwoDays',
    defaultMessage: 'We need two days to arrange it. Choose a day from the day after tomorrow on.',
  },
  startBeforeStop: {
    id: 'move.startBeforeStop',
    defaultMessage: 'The end date is before the day on which you start at your new address.',
  },
  unknown: {
    id: 'move.address_unknown',
    defaultMessage: 'This address does not exist. Check the postal code, the house number and the extension.',
  },
  addresses: {
    id: 'move.multiple_addresses',
    defaultMessage: 'There are several addresses with this house number. Choose an extension.',
  },
  connections: {
    id: 'move.multiple_connections',
    defaultMessage: 'This address has several connections for the same energy. You cannot arrange this move online.',
  },
  different: {
    id: 'move.different_connections',
    defaultMessage: 'The connections at this address differ from those at your old address. You cannot arrange this move online.',
  },
  existing: {
    id: 'move.existing_agreement',
    defaultMessage: 'You already have a contract at this address. You cannot arrange this move online.',
  },
  agreementUnknown: { id: 'move.agreement_unknown', defaultMessage: 'We do not know this contract at your old address.' },
  agreementEnded: { id: 'move.agreement_ended', defaultMessage: 'This contract has ended, so it cannot be moved.' },
  agreementDaughter: {
    id: 'move.agreement_daughter',
    defaultMessage: 'This contract is with another company. You cannot move it online.',
  },
  badSituation: {
    id: 'move.bad_situation',
    defaultMessage: 'This contract supplies several addresses. You cannot move it online.',
  },
  down: {
    id: 'move.register_down',
    defaultMessage: 'We cannot look up addresses right now. You can enter the street and the city yourself.',
  },
  pending: { id: 'move.pending', defaultMessage: 'A move of this contract is already being processed.' },
  pick: { id: 'move.agreement_required', defaultMessage: 'Choose a contract first.' },
  awaited: { id: 'move.address_awaited', defaultMessage: 'You can go on once we have found the new address.' },
  offline: { id: 'move.offline', defaultMessage: 'You cannot go on online with this address.' },
  reused: {
    id: 'move.key_reused',
    defaultMessage: 'You have already sent another move from this page. Reload it and try again.',
  },
});
