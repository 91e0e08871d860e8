import { useSyncExternalStore } from 'react';

const phone = '(max-width: 767px)';
const watch = (on: () => void) => {
  const query = matchMedia(phone);
  query.addEventListener('change', on);
  return () => query.removeEventListener('change', on);
};

/** Returns whether the window has the width of a phone. */
export const usePhone = (): boolean => useSyncExternalStore(watch, () => matchMedia(phone).matches);
