import { createApi } from '@wattle/sdk';
import type { paths as AccountPaths } from './api.account.gen';
import type { components, paths } from './api.gen';
import type { paths as ProductionPaths } from './api.production.gen';

type Schemas = components['schemas'];
export type Access = Schemas['Access'];
export type Basket = Schemas['Basket'];
export type FutureMove = Schemas['Move'];
export type MarketOffer = Schemas['MarketOffer'];
export type MarketProject = Schemas['MarketProject'];
export type OfferDetails = Schemas['OfferDetails'];
export type Order = Schemas['Order'];
export type Participation = Schemas['Participation'];
export type Place = Schemas['Address'];
export type Project = Schemas['Project'];

/** The settings in a label's `modules: marketplace` that browsers receive. */
export type MarketSettings = Schemas['BrowserSettings'];

export const api = createApi<paths>();

/** Operation ids by action, for useMay. */
export const may = {
  addToBasket: 'marketplace.addToBasket',
  removeFromBasket: 'marketplace.removeFromBasket',
  placeOrder: 'marketplace.placeOrder',
  requestAccess: 'marketplace.requestAccess',
  createOffer: 'marketplace.createOffer',
  retractOffer: 'marketplace.retractOffer',
  transferShares: 'marketplace.createTransfer',
  redeemOffer: 'marketplace.activateOffer',
  moveShares: 'marketplace.moveShares',
  cancelMove: 'marketplace.cancelMove',
  payOrder: 'marketplace.createPayLink',
  cancelOrder: 'marketplace.cancelOrder',
  withdrawOrder: 'marketplace.withdrawOrder',
} as const;

/** Paths to fetch again after each write. */
export const changes = {
  basket: ['/sustainable/basket'],
  order: ['/sustainable/basket', '/sustainable/orders', '/sustainable/market', '/sustainable/market/projects'],
  offer: ['/sustainable/market', '/sustainable/market/projects', '/sustainable/offers', '/sustainable/projects'],
  move: ['/sustainable/participations/moves', '/sustainable/projects'],
  personal: ['/sustainable/market'],
  access: ['/sustainable/access'],
} as const;

/** The API of the account module, from which the marketplace reads the relation's addresses. */
export const account = createApi<AccountPaths>();

/** The API of the production module, from which the marketplace reads what the member's shares made. */
export const production = createApi<ProductionPaths>();
