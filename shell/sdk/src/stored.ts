import { useSyncExternalStore } from 'react';

const changes = new EventTarget();
/** Values kept for this document, if the browser has no storage. */
const documentValues = new Map<string, string>();

function subscribe(on: () => void): () => void {
  changes.addEventListener('change', on);
  addEventListener('storage', on); // changed in another tab
  return () => {
    changes.removeEventListener('change', on);
    removeEventListener('storage', on);
  };
}
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return documentValues.get(key) ?? null;
  }
}
function write(key: string, value: string): void {
  documentValues.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // kept for this document
  }
  changes.dispatchEvent(new Event('change'));
}

/**
 * Returns the string that this browser stores under a key, or null, and a function that replaces it. Every view that uses the key
 * is updated, also in other tabs; a browser without storage keeps the value for this document only. Keys begin with `wattle:` and
 * the module's key. Signing out does not clear it: never store customer data in it, and include label and session in the key if the
 * choice is personal.
 */
export function useStored(key: string): readonly [string | null, (value: string) => void] {
  return [useSyncExternalStore(subscribe, () => read(key)), (value) => write(key, value)];
}
