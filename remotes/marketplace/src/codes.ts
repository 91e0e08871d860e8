import { defineMessages } from 'react-intl';

/** Texts of this module's error codes about buying. The id of a text is the code, so the SDK's useProblemText can find it. */
export const codes = defineMessages({
  own: { id: 'marketplace.own_offer', defaultMessage: 'This is an offer of your own.' },
  unavailable: { id: 'marketplace.offer_unavailable', defaultMessage: 'This offer is no longer available.' },
  range: { id: 'marketplace.shares_range', defaultMessage: 'There are not that many shares in this offer.' },
  full: { id: 'marketplace.basket_full', defaultMessage: 'Your basket is full. Check out first.' },
  gone: { id: 'marketplace.shares_gone', defaultMessage: 'These shares are no longer available.' },
  address: { id: 'marketplace.address_required', defaultMessage: 'Choose an address first.' },
  early: { id: 'marketplace.date_early', defaultMessage: 'This day is too soon. Choose a later one.' },
  access: { id: 'marketplace.access_pending', defaultMessage: 'You do not have access to the market yet.' },
  open: { id: 'marketplace.access_approved', defaultMessage: 'This is no longer possible.' },
  payments: { id: 'marketplace.payments_off', defaultMessage: 'This is no longer possible.' },
  reused: {
    id: 'marketplace.key_reused',
    defaultMessage: 'You have already sent something else from this page. Reload it and try again.',
  },
});
