import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Weather = components['schemas']['Weather'];
export type Point = components['schemas']['Point'];
export type Measured = components['schemas']['Measured'];

export const api = createApi<paths>();

/** A project of module marketplace, as far as it is read here. */
export interface Project {
  project_code: string;
  project_name: string;
  project_type: string;
  participations: {
    participation_identifier: string;
    /** What the shares of a participation made in a period, in kWh. */
    production: {
      period_start_date: string | null;
      period_end_date: string | null;
      peak: number | null;
      off_peak: number | null;
    };
  }[];
}
interface Marketplace {
  '/sustainable/projects': { get: { responses: { 200: { content: { 'application/json': Project[] } } } } };
}
export const marketplace = createApi<Marketplace>();
