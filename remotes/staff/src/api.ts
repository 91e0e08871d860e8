import { createApi, useMay } from '@wattle/sdk';
import type { components as Core, paths as CorePaths } from './api.core.gen';
import type { components, paths } from './api.gen';
import type { components as Marketplace, paths as MarketplacePaths } from './api.marketplace.gen';
import type { components as Onboarding, paths as OnboardingPaths } from './api.onboarding.gen';

/** A change request as staff see it; the shape of its data is defined by its module. */
export type Change = Core['schemas']['Change'];
export type Result = Core['schemas']['Result'];
export type LogEntry = Core['schemas']['Noted'];
export type CustomerNumber = components['schemas']['CustomerNumber'];
export type Customer = components['schemas']['Customer'];
export type CustomerRecord = components['schemas']['Record'];
/** A registration with an unverified email address. */
export type UnverifiedRegistration = Onboarding['schemas']['Waiting'];
/** An offer as staff see it; `lifecycle` is its state. */
export type Offer = Marketplace['schemas']['StaffOffer'];
export type Order = Marketplace['schemas']['StaffOrder'];
export type Payment = Marketplace['schemas']['StaffPayment'];

/** The staff operations of core, onboarding and the marketplace. */
export const api = createApi<paths & CorePaths & OnboardingPaths & MarketplacePaths>();

/** Paths to fetch again after a decision. */
export const pathsAfterDecision = [
  '/staff/changes',
  '/staff/changes/summary',
  '/sustainable/staff/offers',
  '/staff/audit',
] as const;

/** Returns whether this label has a marketplace. */
export const useHasMarket = (): boolean => useMay('marketplace.staffOffers').ok;
