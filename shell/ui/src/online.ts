import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  for (const name of ['online', 'offline']) addEventListener(name, changed);
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed);
  };
};

/** Reports whether the browser has a network connection, and follows it. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

let cameBack = Number.NEGATIVE_INFINITY;
// rules of charts are also tested where there is no window
globalThis.addEventListener?.('online', () => {
  cameBack = performance.now();
});

/** Reports whether the connection came back a moment ago (at most 10 seconds): the first requests may still fail. */
export const isJustOnline = (): boolean => performance.now() - cameBack < 10_000;
