import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Outage = components['schemas']['Outage'];
export type Address = Outage['addresses'][number];
/** An outage for staff. */
export type Reported = components['schemas']['Reported'];
export type Settings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** Paths to fetch again after staff changed an outage. */
export const changed = ['/staff/outages', '/outages'] as const;
