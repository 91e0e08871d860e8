import { createApi } from '@wattle/sdk';
import type { components as Address, paths as AddressPaths } from './api.address.gen';
import type { components, paths } from './api.gen';

/**
 * The settings in a label's `modules: onboarding` that browsers receive: fields of Settings in modules/onboarding/module.go tagged
 * `browser`.
 */
export type OnboardingSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** An address in the register (3-address-validation-fields). */
export type FoundAddress = Address['schemas']['Validated'];

/** The API of the address module: onboarding uses the public address check. */
export const address = createApi<AddressPaths>();
