import { api, type Change } from './api';

/** Returns the customer number of a relation, by which customers with the same name are told apart; undefined until it is known. */
export function useNumbers(changes: readonly Pick<Change, 'relation'>[]): (relation: string | undefined) => string | undefined {
  const relations = [...new Set(changes.flatMap((c) => c.relation || []))].sort();
  const numbers = api.useGet('/staff/customer-numbers', { query: { relations } }, { enabled: relations.length > 0 });
  return (relation) => numbers.data?.find((n) => n.relation === relation)?.debtor_number;
}
