import { usePortal, useStored } from '@wattle/sdk';

/** What the usage page shows: the cost of all connections in euros, or what they measured. */
export type Quantity = 'EUR' | 'ENERGY';

/**
 * Returns what is shown, and a function that chooses. The choice is remembered in this browser for this customer of this label
 * (9-usage-euro-switch); without one it is euros if `priced`. Choices of before name one of two units: both are shown now.
 */
export function useQuantity(priced: boolean): [Quantity, (next: Quantity) => void] {
  const { label, session } = usePortal();
  const [chosen, choose] = useStored(`wattle:usage:quantity:${label.key}:${session?.id ?? ''}`);
  const known = /^(EUR|ENERGY|ELECTRICITY|GAS)$/.test(chosen ?? '');
  return [(known ? chosen === 'EUR' : priced) ? 'EUR' : 'ENERGY', choose];
}
