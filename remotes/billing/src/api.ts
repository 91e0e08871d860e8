import { createApi, useSettings } from '@wattle/sdk';
import type { paths as AccountPaths } from './api.account.gen';
import type { components, paths } from './api.gen';

export type Periodical = components['schemas']['Periodical'];
export type Product = components['schemas']['Product'];

/** What of a label's `modules: billing` the browser sees: the fields of Settings in modules/billing/module.go tagged for it. */
export type BillingSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** Of module account, which billing needs: the relation. */
export const account = createApi<AccountPaths>();

/** What a saved change makes old (4-iban-after-save, 7.2-periodical-refetch). */
export const changes = {
  iban: ['/relations/bankAccountNumber'],
  termAmount: ['/periodicalPayments', '/agreements', '/agreements/periodical'],
} as const;

/**
 * Holder and IBAN that hold now: of the bank account details, or of the relation on labels that do not make that call
 * (6-sustainable-skip-bank-call).
 */
export function useBankAccount() {
  const { bank_account_details: own } = useSettings<BillingSettings>();
  const details = api.useGet('/bankAccountDetails', {}, { enabled: own !== false });
  const relation = account.useGet('/relations', {}, { enabled: own === false });
  const asked = own === false ? relation : details;
  return {
    isPending: asked.isPending,
    isError: asked.isError,
    isFetching: asked.isFetching,
    refetch: () => asked.refetch(),
    name: asked.data?.bank_account_name ?? '',
    number: asked.data?.bank_account_number ?? '',
    method: own === false ? undefined : details.data?.payment_method,
  };
}
