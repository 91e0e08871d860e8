// Mirrors modules/move/agreement.go and connection.go; both run schemas/rules. The server decides.
import { keyOf, type Named } from './address.rules';
import type { components as Billing } from './api.billing.gen';
import type { components } from './api.gen';

type Billed = Billing['schemas']['Agreement'];
export type Commodity = NonNullable<components['schemas']['Request']['commodities']>[number];
export type EANs = components['schemas']['EANs'];
/** The fields of billing's agreement that these rules need. */
export type Agreement = Pick<
  Billed,
  'agreement_identifier_with_sequence' | 'name' | 'company_name' | 'status' | 'period' | 'addresses'
>;
type AgreementFields = Pick<Agreement, 'status' | 'company_name'> & { addresses: readonly (Named & { address_type?: string })[] };

/** Returns the delivery addresses, without INVOICE addresses. */
export const deliveriesOf = <A extends { address_type?: string }>(a: { addresses: readonly A[] }): A[] =>
  a.addresses.filter((at) => at.address_type !== 'INVOICE');

const ended = (a: Pick<Agreement, 'status'>): boolean => a.status === 'TERMINATED' || a.status === 'CANCELLED';

/** Returns why an agreement cannot be moved online (2.2-exclude-ended, 2.2-exclude-daughter, 2.2-offline-multi-address). */
export function checkAgreement(a: AgreementFields): string[] {
  if (ended(a)) return ['move.agreement_ended'];
  if (a.company_name !== '') return ['move.agreement_daughter'];
  return new Set(deliveriesOf(a).map(keyOf)).size === 1 ? [] : ['move.bad_situation'];
}

/**
 * Returns the agreements that the wizard offers. An agreement with several addresses is offered, but choosing it shows why it
 * cannot be moved.
 */
export const movable = <A extends AgreementFields>(all: readonly A[]): A[] =>
  all.filter((a) => !ended(a) && checkAgreement(a)[0] !== 'move.agreement_daughter');

/** Checks that the customer has no agreement at the new address (2.2-offline-existing-agreement). */
export const checkNewAddress = (to: Named, all: readonly AgreementFields[]): string[] =>
  all.some((a) => !ended(a) && deliveriesOf(a).some((at) => keyOf(at) === keyOf(to))) ? ['move.existing_agreement'] : [];

const commodities: readonly Commodity[] = ['ELECTRICITY', 'GAS'];

/** Returns the commodities of connections, without duplicates (3-move-commodities). */
export const commoditiesOf = (connections: readonly { commodity: string }[]): Commodity[] =>
  commodities.filter((c) => connections.some((x) => x.commodity === c));

/**
 * Validates the connections at the new address against the current commodities (2.2-offline-multi-connection,
 * 4-move-connections-match).
 */
export function checkConnections(at: EANs, old: readonly Commodity[]): string[] {
  if (commodities.some((c) => at[c].length > 1)) return ['move.multiple_connections'];
  return old.every((c) => at[c].length > 0) ? [] : ['move.different_connections'];
}
