import { usePortal, useStored } from '@wattle/sdk';
import type { Connection } from './api';

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
