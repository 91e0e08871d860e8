import { createApi } from '@wattle/sdk';
import type { paths as CorePaths, components } from './api.core.gen';
import type { paths } from './api.gen';

type Core = components['schemas'];

export const api = createApi<paths>();

/** An access log entry: a person viewed or changed the customer's data. */
export type AccessEntry = Core['Access'];

/** A session of the caller. */
export type SignedInSession = Core['SignedIn'];

/** The core calls that this remote makes. */
export const core = createApi<CorePaths>();

/** Paths to fetch again after saving a change of each kind: its status, and the relation (7.1-refetch-after-save). */
export const changes = {
  email: ['/relations/email', '/relations'],
  phone: ['/relations/phonenumber', '/relations'],
  username: ['/account'],
} as const;
