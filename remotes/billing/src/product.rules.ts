import { type Agreement, byStart } from './agreement.rules';
import type { Product } from './api';

/**
 * Returns the contract number of a product, whose agreement has no sequence: that of the agreement that runs on its first day
 * (9-contract-number).
 */
export function numberOf(
  product: Pick<Product, 'agreement_identifier' | 'start_date'>,
  agreements: readonly Agreement[],
): string {
  const own = byStart(agreements).filter((a) => a.agreement_identifier === product.agreement_identifier);
  const running = own.find((a) => a.period.from <= product.start_date) ?? own.at(-1);
  return running?.agreement_identifier_with_sequence ?? product.agreement_identifier;
}
