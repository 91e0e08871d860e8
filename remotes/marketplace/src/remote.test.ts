import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import CheckoutPage from './checkout-page';
import CreateOffer from './create-offer';
import MoveShares from './move-shares';
import MyOffersPage from './my-offers-page';
import MyOrdersPage from './my-orders-page';
import OfferPage from './offer-page';
import OffersPage from './offers-page';
import ParticipationPage from './participation-page';
import PaymentCancelledPage from './payment-cancelled-page';
import PersonalOffersPage from './personal-offers-page';
import RedeemOffer from './redeem-offer';
import remote from './remote';
import ThankYouPage from './thank-you-page';

// The contents of pages and forms are tested next to them; these tests are about their paths.

row(
  [
    '2.1-participation-route',
    '2.1-offers-route',
    '2.1-personal-offers-filter',
    '2.1-personal-offers-redeem',
    '2.1-personal-offers-skeleton',
    '2.1-personal-offers-empty',
    '2.1-my-offers-route',
    '2.1-my-orders-route',
    '2.1-checkout-route',
    '2.4-thank-you',
    '2.4-payment-cancelled',
  ],
  'each path has its page; only the two after a payment need no session',
  async () => {
    const pages = await Promise.all(remote.routes.map(async (r) => [r.path, (await r.page()).default] as const));
    expect(Object.fromEntries(pages)).toEqual({
      '/participation': ParticipationPage,
      '/offers': OffersPage,
      '/offers/:identifier': OfferPage,
      '/personal-offers': PersonalOffersPage,
      '/my-offers': MyOffersPage,
      '/my-orders': MyOrdersPage,
      '/checkout': CheckoutPage,
      '/thank-you': ThankYouPage,
      '/payment-cancelled': PaymentCancelledPage,
    });
    expect(remote.routes.filter((r) => 'access' in r && r.access === 'public').map((r) => r.path)).toEqual([
      '/thank-you',
      '/payment-cancelled',
    ]);
  },
);

row(
  ['2.3-overlay-create-offer', '2.3-overlay-redeem-offer', '2.3-overlay-move-shares', '2.1-participation-move-shares'],
  'each overlay has its form, and the page that it opens over',
  async () => {
    const forms = await Promise.all(
      remote.overlays.map(async (o) => [`${o.parent}/${o.name}`, (await o.view()).default] as const),
    );
    expect(Object.fromEntries(forms)).toEqual({
      '/my-offers/create-offer': CreateOffer,
      '/personal-offers/redeem-offer': RedeemOffer,
      '/participation/move-shares': MoveShares,
    });
  },
);

row(
  '9-offer-current',
  'no item of the menu is below /offers, so that the page of one offer makes Offers the current item',
  () => {
    const below = remote.menu?.filter((i) => i.to.startsWith('/offers/'));
    expect(below, '9-offer-current').toEqual([]);
  },
);
