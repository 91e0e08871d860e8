import { createApi } from '@wattle/sdk';
import type { components as Address, paths as AddressPaths } from './api.address.gen';
import type { components, paths } from './api.gen';

/** What of a label's `modules: onboarding` the browser sees: the fields of Settings in modules/onboarding/module.go tagged for it. */
export type OnboardingSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** An address as the register knows it (3-address-validation-fields). */
export type FoundAddress = Address['schemas']['Validated'];

/** Of module address, which onboarding needs: the public address check. */
export const address = createApi<AddressPaths>();
