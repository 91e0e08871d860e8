import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

export type Connection = components['schemas']['Connection'];
export type Reading = components['schemas']['Reading'];
export type Consent = components['schemas']['Consent'];
export type ConnectionConsent = components['schemas']['ConnectionConsent'];
export type History = components['schemas']['History'];
export type Series = components['schemas']['Series'];
export type Point = components['schemas']['Point'];
export type Amounts = components['schemas']['Amounts'];
export type Latest = components['schemas']['Latest'];
export type Summary = components['schemas']['Summary'];
export type Commodity = Connection['commodity'];
export type MeterType = Connection['meter_type'];

/** What of a label's `modules: usage` the browser sees: the fields of Settings in modules/usage/module.go tagged for it. */
export type UsageSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** An agreement of module billing, which usage needs, as far as it is read here. */
export interface Agreement {
  agreement_identifier: string;
  agreement_identifier_with_sequence: string;
  name: string;
  status: string;
  period: { from: string; to: string | null };
  addresses: {
    street: string;
    house_number: string;
    house_number_extension: string;
    city: string;
    connections: { ean_code: string; commodity: string }[];
  }[];
}
interface Billing {
  '/agreements': { get: { responses: { 200: { content: { 'application/json': Agreement[] } } } } };
}
export const billing = createApi<Billing>();

/** What a decision about consent makes old: itself, and what may be seen by it. */
export const changes = {
  consent: [
    '/smartmeterreadings/historicaldata',
    '/smartmeterreadings/historicaldata/{agreement}',
    '/usage/{ean}/series',
    '/usage/latest',
    '/usage/summary',
    '/readings/{agreement}/{location}/{ean}',
  ],
  retrieval: ['/smartmeterreadings/historicaldata/{agreement}'],
} as const;
