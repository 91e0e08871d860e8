import { createApi } from '@wattle/sdk';
import type { paths as BillingPaths } from './api.billing.gen';
import type { components, paths } from './api.gen';

export type MoveRequest = components['schemas']['Filed'];
export type Found = components['schemas']['Found'];
export type Request = components['schemas']['Request'];

export const api = createApi<paths>();

/** The API of the billing module, from which move reads the agreements. */
export const billing = createApi<BillingPaths>();

/** Paths to fetch again after a move has been submitted. */
export const changes = ['/moves'] as const;
