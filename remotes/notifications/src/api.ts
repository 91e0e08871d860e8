import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export const api = createApi<paths>();

export type Notification = components['schemas']['Notification'];
export type Notice = components['schemas']['Notice'];
export type Preference = components['schemas']['Preference'];

/** Paths to fetch again after a message has been read; the list itself is updated in the cache. */
export const pathsAfterReading = ['/sustainable/notifications/unread'] as const;

/** A message written by staff. */
export type SentMessage = components['schemas']['Sent'];

/** Paths to fetch again after a message has been sent or withdrawn. */
export const pathsAfterSending = ['/staff/notifications'] as const;
