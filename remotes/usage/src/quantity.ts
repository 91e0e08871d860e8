import { usePortal } from '@wattle/sdk';
import { useSyncExternalStore } from 'react';
import type { Connection } from './api';

/** What the usage page shows: euros of all connections, or what the connections of one kind measured, in their unit. */
export type Quantity = 'EUR' | Connection['commodity'];

const changes = new EventTarget();
/** The choice of this document, for a browser without storage. */
const kept = new Map<string, string>();

function subscribe(on: () => void): () => void {
  changes.addEventListener('change', on);
  addEventListener('storage', on); // chosen in another tab
  return () => {
    changes.removeEventListener('change', on);
    removeEventListener('storage', on);
  };
}
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return kept.get(key) ?? null;
  }
}

/**
 * Returns what is shown, what can be chosen for these connections, and a function that chooses. The choice is remembered in this browser
 * for this customer of this label (9-usage-euro-switch); without one it is that of the first connection.
 */
export function useQuantity(connections: readonly Connection[]): {
  quantity: Quantity;
  quantities: readonly Quantity[];
  choose(next: Quantity): void;
} {
  const { label, session } = usePortal();
  const key = `wattle:usage:quantity:${label.key}:${session?.id ?? ''}`;
  const chosen = useSyncExternalStore(subscribe, () => stored(key));
  const kinds = (['ELECTRICITY', 'GAS'] as const).filter((kind) => connections.some((c) => c.commodity === kind));
  const quantities: readonly Quantity[] = ['EUR', ...kinds];
  return {
    quantity: quantities.find((one) => one === chosen) ?? kinds[0] ?? 'ELECTRICITY',
    quantities,
    choose: (next) => {
      kept.set(key, next);
      try {
        localStorage.setItem(key, next);
      } catch {
        // kept for this document
      }
      changes.dispatchEvent(new Event('change'));
    },
  };
}
