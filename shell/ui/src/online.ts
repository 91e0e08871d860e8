import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  for (const name of ['online', 'offline']) addEventListener(name, changed);
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed);
  };
};

/** Returns whether the browser has a network connection, and renders again when this changes. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

let onlineSince = Number.NEGATIVE_INFINITY;
// chart rules are also tested without a window
globalThis.addEventListener?.('online', () => {
  onlineSince = performance.now();
});

/** Returns whether the connection came back less than 10 seconds ago: the first requests may still fail. */
export const isJustOnline = (): boolean => performance.now() - onlineSince < 10_000;
