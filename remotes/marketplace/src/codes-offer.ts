import { defineMessages } from 'react-intl';

/**
 * Texts of this module's error codes about offers, transfers, moves and orders. The id of a text is the code, so the SDK's
 * useProblemText can find it.
 */
export const codes = defineMessages({
  required: { id: 'marketplace.required', defaultMessage: 'Fill in this field.' },
  invalid: { id: 'marketplace.invalid_input', defaultMessage: 'Invalid input.' },
  max: { id: 'marketplace.max_price', defaultMessage: 'Max price exceeded.' },
  min: { id: 'marketplace.min_price', defaultMessage: 'Min price exceeded.' },
  shares: { id: 'marketplace.not_enough_shares', defaultMessage: 'Not enough shares.' },
  selling: { id: 'marketplace.selling_not_allowed', defaultMessage: 'Shares of this project cannot be sold now.' },
  range: { id: 'marketplace.date_range', defaultMessage: 'Choose a day within this period.' },
  past: { id: 'marketplace.date_past', defaultMessage: 'This day is in the past. Choose a later one.' },
  day: { id: 'marketplace.date_invalid', defaultMessage: 'Invalid input.' },
  code: { id: 'marketplace.code_invalid', defaultMessage: 'Invalid code' },
  unknown: { id: 'marketplace.code_unknown', defaultMessage: 'Invalid code' },
  member: { id: 'marketplace.member_unknown', defaultMessage: 'We know no member with this email address, or more than one.' },
  contract: {
    id: 'marketplace.receiver_contract',
    defaultMessage: 'This member has no active electricity contract with us, so they cannot receive shares.',
  },
  self: { id: 'marketplace.receiver_self', defaultMessage: 'This is your own email address.' },
  participation: { id: 'marketplace.participation_unknown', defaultMessage: 'We do not know these shares.' },
  // reasons for rejecting an offer (4-rejection-reasons), in lower case
  insufficient: { id: 'marketplace.insufficient_shares', defaultMessage: 'You do not have that many shares that are free.' },
  several: {
    id: 'marketplace.multiple_participations_project',
    defaultMessage: 'You have shares in this project at several addresses.',
  },
  provider: { id: 'marketplace.rejected_by_provider', defaultMessage: 'We cannot accept this offer. Call us to know why.' },
  offered: { id: 'marketplace.shares_offered', defaultMessage: 'Some of these shares are on offer. Retract them first.' },
  same: { id: 'marketplace.same_address', defaultMessage: 'Your shares are at this address already.' },
  transition: { id: 'marketplace.transition', defaultMessage: 'This is no longer possible.' },
  payable: { id: 'marketplace.not_payable', defaultMessage: 'There is nothing to pay for this order.' },
  withdrawal: { id: 'marketplace.withdrawal_over', defaultMessage: 'The cooling-off period of this purchase is over.' },
});
