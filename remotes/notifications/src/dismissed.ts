import { useSyncExternalStore } from 'react';
import { dismiss, readIds } from './notice.rules';

const key = 'wattle:notices:dismissed';
const changes = new EventTarget();

function subscribe(on: () => void): () => void {
  changes.addEventListener('change', on);
  addEventListener('storage', on); // dismissed in another tab
  return () => {
    changes.removeEventListener('change', on);
    removeEventListener('storage', on);
  };
}
function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a browser without storage shows dismissed notices again
  }
}

/** Returns the ids of notices dismissed on this device, and a function that dismisses one of the current notices. */
export function useDismissed(): readonly [readonly string[], (id: string, there: readonly string[]) => void] {
  const ids = readIds(useSyncExternalStore(subscribe, stored));
  return [
    ids,
    (id, there) => {
      try {
        localStorage.setItem(key, JSON.stringify(dismiss(ids, id, there)));
      } catch {
        return;
      }
      changes.dispatchEvent(new Event('change'));
    },
  ];
}
