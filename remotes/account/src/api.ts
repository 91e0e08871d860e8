import { createApi } from '@wattle/sdk';
import type { paths } from './api.gen';

export const api = createApi<paths>();

/** Of core's own calls, the one that this remote makes. */
interface Core {
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
