import { createApi } from '@wattle/sdk';

/** Made from the module's OpenAPI document by openapi-typescript; written out here, since it is this small. */
interface paths {
  '/acme/heat-pump': {
    get: { responses: { 200: { content: { 'application/json': { installed_on: string; name: string } } } } };
    put: { requestBody: { content: { 'application/json': { name: string } } }; responses: { 204: object } };
  };
}

export const api = createApi<paths>();
