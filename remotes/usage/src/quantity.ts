import { usePortal, useStored } from '@wattle/sdk';
import type { Connection } from './api';

/** What the usage page shows: euros of all connections, or what the connections of one kind measured, in their unit. */
export type Quantity = 'EUR' | Connection['commodity'];

/**
 * Returns what is shown, what can be chosen for these connections, and a function that chooses. The choice is remembered in this browser
 * for this customer of this label (9-usage-euro-switch); without one it is euros if `priced`, else that of the first connection.
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
