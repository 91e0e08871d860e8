import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';
import type { components as Marketplace, paths as MarketplacePaths } from './api.marketplace.gen';
import type { paths as UsagePaths } from './api.usage.gen';

export type Weather = components['schemas']['Weather'];
export type Point = components['schemas']['Point'];
export type OwnYield = components['schemas']['Yield'];
export type Settings = components['schemas']['BrowserSettings'];
export type Measured = components['schemas']['Measured'];

export const api = createApi<paths>();

/** The fields of the marketplace's project that this remote reads. */
export type Project = Pick<Marketplace['schemas']['Project'], 'project_code' | 'project_name' | 'project_type'> & {
  project_end_date?: string | null;
  participations: readonly Pick<Marketplace['schemas']['Participation'], 'participation_identifier' | 'production'>[];
};
export const usage = createApi<UsagePaths>();
export const marketplace = createApi<MarketplacePaths>();
