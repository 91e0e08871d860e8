import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Note = components['schemas']['Note'];
export type Settings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();
