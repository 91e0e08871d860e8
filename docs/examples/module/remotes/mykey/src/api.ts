import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Note = components['schemas']['Note'];
export type SavedNote = components['schemas']['SavedNote'];
// {setting}
export type Settings = components['schemas']['BrowserSettings'];
// {/setting}

export const api = createApi<paths>();
