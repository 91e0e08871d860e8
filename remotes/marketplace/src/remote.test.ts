import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import CheckoutPage from './checkout-page';
import CreateOffer from './create-offer';
import en from './messages/en.json';
import nl from './messages/nl.json';
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

row('9-shares-name', 'one name in title, menu and the bar of a phone, and no other word for it in the texts', () => {
  const item = remote.menu.find((i) => i.id === 'participation');
  const route = remote.routes.find((r) => r.path === '/participation');
  expect(item?.label, '9-shares-name').toBe(route?.title);
  expect(item, 'the bar has the same name').not.toHaveProperty('short');
  const id = route?.title.id as keyof typeof nl & keyof typeof en;
  expect([nl[id], en[id]], '9-shares-name').toEqual(['Mijn delen', 'My shares']);
  for (const text of Object.values(nl)) expect(text, '9-shares-name').not.toMatch(/deelname/i);
  for (const text of Object.values(en)) expect(text, '9-shares-name').not.toMatch(/\bparticipations?\b(?!_)/);
});
