// The twin of modules/move/agreement.go and connection.go; both run schemas/rules. The server decides.
import { keyOf, type Named } from './address.rules';
import type { components as Billing } from './api.billing.gen';
import type { components } from './api.gen';

type Billed = Billing['schemas']['Agreement'];
export type Commodity = NonNullable<components['schemas']['Request']['commodities']>[number];
export type EANs = components['schemas']['EANs'];
/** An agreement of module billing, as far as it is judged here. */
export type Agreement = Pick<Billed, 'agreement_identifier_with_sequence' | 'name' | 'company_name' | 'status' | 'addresses'>;
type Judged = Pick<Agreement, 'status' | 'company_name'> & { addresses: readonly (Named & { address_type?: string })[] };

/** Where energy goes; to an INVOICE address only post does. */
export const deliveriesOf = <A extends { address_type?: string }>(a: { addresses: readonly A[] }): A[] =>
  a.addresses.filter((at) => at.address_type !== 'INVOICE');

const ended = (a: Pick<Agreement, 'status'>): boolean => a.status === 'TERMINATED' || a.status === 'CANCELLED';

/** What keeps an agreement from being moved online (2.2-exclude-ended, 2.2-exclude-daughter, 2.2-offline-multi-address). */
export function checkAgreement(a: Judged): string[] {
  if (ended(a)) return ['move.agreement_ended'];
  if (a.company_name !== '') return ['move.agreement_daughter'];
  return new Set(deliveriesOf(a).map(keyOf)).size === 1 ? [] : ['move.bad_situation'];
}

/** Those that can be chosen in the wizard. One with several addresses is among them: choosing it says why it cannot be moved. */
export const movable = <A extends Judged>(all: readonly A[]): A[] =>
  all.filter((a) => !ended(a) && checkAgreement(a)[0] !== 'move.agreement_daughter');

/** An address at which the customer has an agreement already (2.2-offline-existing-agreement). */
export const checkNewAddress = (to: Named, all: readonly Judged[]): string[] =>
  all.some((a) => !ended(a) && deliveriesOf(a).some((at) => keyOf(at) === keyOf(to))) ? ['move.existing_agreement'] : [];

const commodities: readonly Commodity[] = ['ELECTRICITY', 'GAS'];

/** Commodities of connections, each once (3-move-commodities). */
export const commoditiesOf = (connections: readonly { commodity: string }[]): Commodity[] =>
  commodities.filter((c) => connections.some((x) => x.commodity === c));

/** The connections at the new address beside the commodities of the old (2.2-offline-multi-connection, 4-move-connections-match). */
export function checkConnections(at: EANs, old: readonly Commodity[]): string[] {
  if (commodities.some((c) => at[c].length > 1)) return ['move.multiple_connections'];
  return old.every((c) => at[c].length > 0) ? [] : ['move.different_connections'];
}
