import { defineRemote } from '@wattle/sdk';
import { defineMessages } from 'react-intl';

const t = defineMessages({
  participation: { id: 'marketplace.participation.title', defaultMessage: 'Your participation' },
  offers: { id: 'marketplace.offers.title', defaultMessage: 'Offers' },
  personal: { id: 'marketplace.personal.title', defaultMessage: 'Personal offers' },
  myOffers: { id: 'marketplace.my_offers.title', defaultMessage: 'My offers' },
  myOrders: { id: 'marketplace.my_orders.title', defaultMessage: 'My orders' },
  checkout: { id: 'marketplace.checkout.title', defaultMessage: 'Checkout' },
  thankYou: { id: 'marketplace.thanks.title', defaultMessage: 'Order received' },
  cancelled: { id: 'marketplace.cancelled.title', defaultMessage: 'Payment cancelled' },
  createOffer: { id: 'marketplace.create.title', defaultMessage: 'Create offer' },
  redeem: { id: 'marketplace.redeem.title', defaultMessage: 'Redeem a code' },
  move: { id: 'marketplace.move.title', defaultMessage: 'Move shares' },
  toPay: { id: 'marketplace.to_pay.title', defaultMessage: 'Orders to pay' },
  moves: { id: 'marketplace.moves.title', defaultMessage: 'Shares that will move' },
});

export default defineRemote({
  key: 'marketplace',
  contract: 1,
  routes: [
    {
      path: '/participation',
      title: t.participation,
      width: 'wide',
      page: () => import(/* webpackChunkName: "own.participation" */ './participation-page'),
    },
    { path: '/offers', title: t.offers, width: 'wide', page: () => import(/* webpackChunkName: "pages" */ './offers-page') },
    {
      path: '/personal-offers',
      title: t.personal,
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './personal-offers-page'),
    },
    {
      path: '/my-offers',
      title: t.myOffers,
      width: 'wide',
      page: () => import(/* webpackChunkName: "own.mine" */ './my-offers-page'),
    },
    {
      path: '/my-orders',
      title: t.myOrders,
      width: 'wide',
      page: () => import(/* webpackChunkName: "pages" */ './my-orders-page'),
    },
    {
      path: '/checkout',
      title: t.checkout,
      width: 'wide',
      phoneBar: false,
      page: () => import(/* webpackChunkName: "pages" */ './checkout-page'),
    },
    {
      path: '/thank-you',
      title: t.thankYou,
      access: 'public',
      framed: true,
      page: () => import(/* webpackChunkName: "pages" */ './thank-you-page'),
    },
    {
      path: '/payment-cancelled',
      title: t.cancelled,
      access: 'public',
      framed: true,
      page: () => import(/* webpackChunkName: "pages" */ './payment-cancelled-page'),
    },
  ],
  menu: [
    { id: 'participation', to: '/participation', label: t.participation, icon: 'share', place: { participant: { order: 20 } } },
    {
      id: 'move-shares',
      to: '/participation/move-shares',
      under: 'participation',
      label: t.move,
      icon: 'move',
      needs: { unless: 'participation_single_link' },
      place: { participant: { order: 21 } },
    },
    { id: 'offers', to: '/offers', label: t.offers, icon: 'offer', place: { participant: { group: 'marketplace', order: 30 } } },
    {
      id: 'personal-offers',
      to: '/personal-offers',
      label: t.personal,
      icon: 'gift',
      place: { participant: { group: 'marketplace', order: 31 } },
    },
    {
      id: 'my-offers',
      to: '/my-offers',
      label: t.myOffers,
      icon: 'upload',
      place: { participant: { group: 'marketplace', order: 32 } },
    },
    {
      id: 'my-orders',
      to: '/my-orders',
      label: t.myOrders,
      icon: 'invoice',
      place: { participant: { group: 'marketplace', order: 33 } },
    },
    {
      id: 'create-offer',
      to: '/offers/create-offer',
      label: t.createOffer,
      icon: 'plus',
      place: { participant: { group: 'marketplace', order: 34 } },
    },
  ],
  overlays: [
    {
      name: 'create-offer',
      parent: '/my-offers',
      title: t.createOffer,
      view: () => import(/* webpackChunkName: "own.create" */ './create-offer'),
    },
    {
      name: 'redeem-offer',
      parent: '/personal-offers',
      title: t.redeem,
      view: () => import(/* webpackChunkName: "own.redeem" */ './redeem-offer'),
    },
    {
      name: 'move-shares',
      parent: '/participation',
      title: t.move,
      view: () => import(/* webpackChunkName: "own.move" */ './move-shares'),
    },
  ],
  slots: {
    header: [{ id: 'cart', order: 10, view: () => import(/* webpackChunkName: "tiles" */ './cart') }],
    account: [
      {
        id: 'orders',
        order: 20,
        title: t.toPay,
        view: () => import(/* webpackChunkName: "tiles" */ './account-orders'),
      },
      {
        id: 'moves',
        order: 60,
        title: t.moves,
        view: () => import(/* webpackChunkName: "tiles" */ './account-moves'),
      },
    ],
  },
  messages: (locale) => (locale === 'en' ? import('./messages/compiled/en.json') : import('./messages/compiled/nl.json')),
});
