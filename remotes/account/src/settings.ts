import type { components } from './api.gen';

/**
 * The settings in a label's `modules: account` that browsers receive: fields of Settings in modules/account/module.go tagged
 * `browser`.
 */
export type AccountSettings = components['schemas']['BrowserSettings'];
