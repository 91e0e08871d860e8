import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

/** mobile ≤ 767 px, rail ≥ 1100 px, bar between. */
export type Screen = 'mobile' | 'bar' | 'rail';
const mobile = '(max-width: 767px)';
const rail = '(min-width: 1100px)';
const currentScreen = (): Screen => (matchMedia(mobile).matches ? 'mobile' : matchMedia(rail).matches ? 'rail' : 'bar');
const subscribe = (on: () => void) => {
  const queries = [matchMedia(mobile), matchMedia(rail)];
  for (const q of queries) q.addEventListener('change', on);
  return () => {
    for (const q of queries) q.removeEventListener('change', on);
  };
};
export const useScreen = (): Screen => useSyncExternalStore(subscribe, currentScreen);

/** Milliseconds after the last change of width at which the menu closes (2.5-menu-closes). */
export const resizePause = 250;

/** Counts changes of the window's width, `resizePause` after the last one; changes of its height are ignored. */
export function useWidthChanges(): number {
  const [changes, setChanges] = useState(0);
  const width = useRef<number>(undefined);
  useEffect(() => {
    // later, because reading the width during rendering forces a layout
    const first = setTimeout(() => {
      width.current ??= innerWidth;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const on = () => {
      if (innerWidth === width.current) return;
      width.current = innerWidth;
      clearTimeout(timer);
      timer = setTimeout(() => setChanges((n) => n + 1), resizePause);
    };
    addEventListener('resize', on);
    return () => {
      clearTimeout(first);
      clearTimeout(timer);
      removeEventListener('resize', on);
    };
  }, []);
  return changes;
}
