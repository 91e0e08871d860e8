import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  for (const name of ['online', 'offline']) addEventListener(name, changed);
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed);
  };
};

/** Reports whether the browser has a network connection, and follows it. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
