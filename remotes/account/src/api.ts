import { createApi } from '@wattle/sdk';
import type { paths as CorePaths, components } from './api.core.gen';
import type { paths } from './api.gen';

type Core = components['schemas'];

export const api = createApi<paths>();

/** Somebody who looked at or acted on the customer's data. */
export type Look = Core['Access'];

/** A session of the person who asks. */
export type SignedInSession = Core['SignedIn'];

/** Of core's own calls, those that this remote makes. */
export const core = createApi<CorePaths>();

/** What a saved change of a kind makes old: its status, and the relation (7.1-refetch-after-save). */
export const changes = {
  email: ['/relations/email', '/relations'],
  phone: ['/relations/phonenumber', '/relations'],
  username: ['/account'],
} as const;
