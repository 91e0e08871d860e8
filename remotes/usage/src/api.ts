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
export type Cost = components['schemas']['Cost'];
export type ConnectionCost = components['schemas']['ConnectionCost'];
export type CostBar = components['schemas']['CostBar'];
export type CostRow = components['schemas']['CostRow'];
export type Unknown = components['schemas']['Unknown'];
export type Summary = components['schemas']['Summary'];
export type Forecast = components['schemas']['MonthForecast'];
export type Expected = components['schemas']['Expected'];
export type Commodity = Connection['commodity'];
export type MeterType = Connection['meter_type'];

/**
 * The settings in a label's `modules: usage` that browsers receive: fields of Settings in modules/usage/module.go tagged `browser`.
 */
export type UsageSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** The fields of billing's agreement that usage reads. */
export type Agreement = Pick<
  Billing['schemas']['Agreement'],
  'agreement_identifier' | 'agreement_identifier_with_sequence' | 'name' | 'status' | 'period' | 'addresses' | 'price_agreements'
>;
export const billing = createApi<BillingPaths>();

/** Paths to fetch again after consent has been given or revoked: consent itself, and the data that depends on it. */
export const changes = {
  consent: [
    '/smartmeterreadings/historicaldata',
    '/smartmeterreadings/historicaldata/{agreement}',
    '/usage/{ean}/series',
    '/usage/{ean}/cost',
    '/usage/{ean}/net-metering',
    '/usage/latest',
    '/usage/summary',
    '/usage/forecast',
    '/readings/{agreement}/{location}/{ean}',
  ],
  retrieval: ['/smartmeterreadings/historicaldata/{agreement}'],
} as const;
