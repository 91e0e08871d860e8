import { createApi } from '@wattle/sdk';
import type { components as Billing, paths as BillingPaths } from './api.billing.gen';
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
export type Agreement = Pick<
  Billing['schemas']['Agreement'],
  'agreement_identifier' | 'agreement_identifier_with_sequence' | 'name' | 'status' | 'period' | 'addresses'
>;
export const billing = createApi<BillingPaths>();

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
