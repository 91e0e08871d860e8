import { createApi, useMay } from '@wattle/sdk';
import type { components as Core, paths as CorePaths } from './api.core.gen';
import type { components, paths } from './api.gen';
import type { components as Marketplace, paths as MarketplacePaths } from './api.marketplace.gen';
import type { components as Onboarding, paths as OnboardingPaths } from './api.onboarding.gen';

/** A change request as staff see it; the form of its data is its module's. */
export type Change = Core['schemas']['Change'];
export type Result = Core['schemas']['Result'];
export type Noted = Core['schemas']['Noted'];
export type Customer = components['schemas']['Customer'];
export type CustomerRecord = components['schemas']['Record'];
/** A registration whose e-mail address is not verified yet. */
export type Waiting = Onboarding['schemas']['Waiting'];
/** An offer as staff see it: `lifecycle` is its state. */
export type Offer = Marketplace['schemas']['StaffOffer'];
export type Order = Marketplace['schemas']['StaffOrder'];
export type Payment = Marketplace['schemas']['StaffPayment'];

/** Of core, of onboarding and of the marketplace: what staff call there. */
export const api = createApi<paths & CorePaths & OnboardingPaths & MarketplacePaths>();

/** What a decision makes old. */
export const decided = ['/staff/changes', '/staff/changes/summary', '/sustainable/staff/offers', '/staff/audit'] as const;

/** Whether this label has a marketplace. */
export const useMarket = (): boolean => useMay('marketplace.staffOffers').ok;
