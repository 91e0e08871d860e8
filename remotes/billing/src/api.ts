import { createApi, useSettings } from '@wattle/sdk';
import type { paths as AccountPaths } from './api.account.gen';
import type { components, paths } from './api.gen';

export type Periodical = components['schemas']['Periodical'];
export type Product = components['schemas']['Product'];

/**
 * The settings in a label's `modules: billing` that browsers receive: fields of Settings in modules/billing/module.go tagged
 * `browser`.
 */
export type BillingSettings = components['schemas']['BrowserSettings'];

export const api = createApi<paths>();

/** The API of the account module, from which billing reads the relation. */
export const account = createApi<AccountPaths>();

/** Paths to fetch again after each write (4-iban-after-save, 7.2-periodical-refetch). */
export const changes = {
  iban: ['/relations/bankAccountNumber'],
  termAmount: ['/periodicalPayments', '/agreements', '/agreements/periodical'],
} as const;

/**
 * Reads the current account holder and IBAN: from the bank account details, or from the relation in labels that skip that call
 * (6-sustainable-skip-bank-call).
 */
export function useBankAccount() {
  const { bank_account_details: own } = useSettings<BillingSettings>();
  const details = api.useGet('/bankAccountDetails', {}, { enabled: own !== false });
  const relation = account.useGet('/relations', {}, { enabled: own === false });
  const source = own === false ? relation : details;
  return {
    isPending: source.isPending,
    isError: source.isError,
    isFetching: source.isFetching,
    refetch: () => source.refetch(),
    name: source.data?.bank_account_name ?? '',
    number: source.data?.bank_account_number ?? '',
    method: own === false ? undefined : details.data?.payment_method,
  };
}
