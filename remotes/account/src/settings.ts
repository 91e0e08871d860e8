/** What of a label's `modules: account` the browser sees: the fields of Settings in modules/account/module.go tagged for it. */
export interface AccountSettings {
  show_shipping_addresses: boolean;
}
