import { usePortal, useStored } from '@wattle/sdk';
import type { Connection } from './api';
import { eanText } from './connection.rules';

/** What the usage page shows: the cost of all connections, or the measurements of one kind of connection in their unit. */
export type Quantity = 'EUR' | Connection['commodity'];

/**
 * Returns what is shown, the options for these connections, and a function that selects one. The choice is stored in this browser
 * for this customer of this label (9-usage-euro-switch). By default it is euros if `priced`, otherwise the unit of the first
 * connection.
 */
export function useQuantity(
  connections: readonly Connection[],
  priced: boolean,
): [quantity: Quantity, quantities: readonly Quantity[], choose: (next: Quantity) => void] {
  const { label, session } = usePortal();
  const [chosen, choose] = useStored(`wattle:usage:quantity:${label.key}:${session?.id ?? ''}`);
  const kinds = (['ELECTRICITY', 'GAS'] as const).filter((kind) => connections.some((c) => c.commodity === kind));
  const quantities: readonly Quantity[] = ['EUR', ...kinds];
  // an earlier release showed all units at once
  const known = quantities.find((one) => one === chosen) ?? (chosen === 'ENERGY' ? kinds[0] : undefined);
  return [known ?? (priced ? 'EUR' : kinds[0]) ?? 'ELECTRICITY', quantities, choose];
}

/**
 * Returns what tells a connection from others of its kind: its street and number, or its EAN if they share an address; undefined if
 * there are no others.
 */
export function markOf(connection: Connection, all: readonly Connection[]): string | undefined {
  const alike = all.filter((c) => c.commodity === connection.commodity);
  if (alike.length < 2) return undefined;
  const of = ({ address: a }: Connection) => [a.street, a.house_number, a.house_number_extension].filter(Boolean).join(' ');
  const own = of(connection);
  return own && alike.filter((c) => of(c) === own).length === 1 ? own : `EAN ${eanText(connection.ean_code)}`;
}
