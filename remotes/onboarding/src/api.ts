import { createApi } from '@wattle/sdk';
import type { components, paths } from './api.gen';

/** What of a label's `modules: onboarding` the browser sees: the fields of Settings in modules/onboarding/module.go tagged for it. */
export type OnboardingSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** An address as the register knows it (3-address-validation-fields). */
export interface FoundAddress {
  street: string;
  houseNumber: string;
  houseNumberAddition: string;
  city: string;
  postcode: string;
}

/** Of module address, which onboarding needs: the public address check. */
interface Move {
  '/lambda/address-validation/postcode': {
    post: {
      requestBody: { content: { 'application/json': { zipCode: string; houseNumber: string; houseNumberExtension: string } } };
      responses: { 200: { content: { 'application/json': FoundAddress } } };
    };
  };
}
export const move = createApi<Move>();
