import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export const api = createApi<paths>();

export type Notification = components['schemas']['Notification'];
export type Notice = components['schemas']['Notice'];
export type Preference = components['schemas']['Preference'];

/** What reading one makes old; the list itself is changed in place. */
export const read = ['/sustainable/notifications/unread'] as const;

/** A message that staff wrote. */
export type Written = components['schemas']['Sent'];

/** What writing or withdrawing one makes old. */
export const written = ['/staff/notifications'] as const;
