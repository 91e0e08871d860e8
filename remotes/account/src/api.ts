import { createApi } from '@wattle/sdk';
import type { paths } from './api.gen';

export const api = createApi<paths>();

/** Somebody who looked at or acted on the customer's data. */
export interface Look {
  at: string;
  who: 'staff' | 'impersonator' | 'key' | 'auto';
  name?: string;
  /** Code of what happened. */
  what: string;
  kind?: string;
  /** Until when somebody could look along. */
  until?: string;
}

/** A session of the person who asks. */
export interface SignedInSession {
  id: string;
  /** Absent when it is not known. */
  browser?: string;
  platform?: string;
  /** Shortened network address. */
  network?: string;
  began: string;
  used: string;
  current: boolean;
}

/** Of core's own calls, those that this remote makes. */
interface Core {
  '/auth/sessions': { get: { responses: { 200: { content: { 'application/json': SignedInSession[] } } } } };
  '/auth/sessions/{id}': { delete: { parameters: { path: { id: string } }; responses: { 204: { content?: never } } } };
  '/auth/sign-out-elsewhere': { post: { responses: { 204: { content?: never } } } };
  '/account/access-log': {
    get: {
      parameters: { query?: { after?: string; limit?: number } };
      responses: { 200: { content: { 'application/json': { items: Look[]; next?: string } } } };
    };
  };
  '/auth/change-password': {
    post: {
      requestBody: { content: { 'application/json': { old_password: string; new_password: string } } };
      responses: { 204: { content?: never } };
    };
  };
}
export const core = createApi<Core>();

/** What a saved change of a kind makes old: its status, and the relation (7.1-refetch-after-save). */
export const changes = {
  email: ['/relations/email', '/relations'],
  phone: ['/relations/phonenumber', '/relations'],
  username: ['/account'],
} as const;
