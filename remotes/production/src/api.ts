import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Weather = components['schemas']['Weather'];
/** What of a label's `modules: production` the browser sees. */
export type Settings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();
