import type { components } from './api.gen';

/** What of a label's `modules: account` the browser sees: the fields of Settings in modules/account/module.go tagged for it. */
export type AccountSettings = components['schemas']['BrowserSettings'];
