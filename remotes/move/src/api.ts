import { createApi } from '@wattle/sdk';
import type { Agreement } from './agreement.rules';
import type { components, paths } from './api.gen';

export type Filed = components['schemas']['Filed'];
export type Found = components['schemas']['Found'];
export type Request = components['schemas']['Request'];

export const api = createApi<paths>();

/** Of module billing, which move needs: the agreements, as far as they are read here. */
interface Billing {
  '/agreements': { get: { responses: { 200: { content: { 'application/json': Agreement[] } } } } };
}
export const billing = createApi<Billing>();

/** What a filed move makes old. */
export const changes = ['/moves'] as const;
