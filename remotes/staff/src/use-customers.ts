import { api, type Change } from './api';
import { requesterOf } from './change.rules';

/**
 * Returns functions for the customers who made requests: the number, which distinguishes customers with the same name, and the
 * name, even if the request does not contain it.
 */
export function useCustomers(changes: readonly Pick<Change, 'relation'>[]) {
  const relations = [...new Set(changes.flatMap((c) => c.relation || []))].sort();
  const known = api.useGet('/staff/customer-numbers', { query: { relations } }, { enabled: relations.length > 0 });
  const find = (relation: string | undefined) => known.data?.find((n) => n.relation === relation);
  return {
    isPending: known.isLoading && known.failureCount === 0, // a list without names is better than no list
    numberOf: (c: Pick<Change, 'relation'>): string | undefined => find(c.relation)?.debtor_number,
    nameOf: (c: Pick<Change, 'kind' | 'data' | 'name' | 'relation'>): string => requesterOf(c) || (find(c.relation)?.name ?? ''),
  };
}
