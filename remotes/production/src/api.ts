import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Weather = components['schemas']['Weather'];
export type Point = components['schemas']['Point'];
/** What of a label's `modules: production` the browser sees. */
export type Settings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** A project of module marketplace, as far as it is read here. */
export interface Project {
  project_code: string;
  project_name: string;
  project_type: string;
}
interface Marketplace {
  '/sustainable/projects': { get: { responses: { 200: { content: { 'application/json': Project[] } } } } };
}
export const marketplace = createApi<Marketplace>();
