import { useSyncExternalStore } from 'react';

const changes = new EventTarget();
/** Values of this document, for a browser without storage. */
const kept = new Map<string, string>();

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
    return kept.get(key) ?? null;
  }
}
function write(key: string, value: string): void {
  kept.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // kept for this document
  }
  changes.dispatchEvent(new Event('change'));
}

/**
 * Returns the text that this browser remembers under a key, null when there is none, and a function that replaces it. Every view with the
 * key follows, also in other tabs; a browser without storage remembers it for this document. Keys begin with `wattle:` and the module's
 * key. Signing out does not clear it: never keep data of a customer, and let the key contain label and session if the choice is personal.
 */
export function useStored(key: string): readonly [string | null, (value: string) => void] {
  return [useSyncExternalStore(subscribe, () => read(key)), (value) => write(key, value)];
}
