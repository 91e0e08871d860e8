import { createContext, useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How long the first page waits at most, in milliseconds. */
export const patience = 1500;

/** What makes the first page wait: call it to hold the page, and call what it returns to release it. */
export const FirstPaintGate = createContext<() => () => void>(() => () => undefined);

/** Holds the first page as long as it is mounted. */
export function HoldFirstPaint(): null {
  const hold = useContext(FirstPaintGate);
  useLayoutEffect(hold, [hold]);
  return null;
}

/** Returns whether the first page waits. Once it was drawn nothing holds it again. */
export function useFirstPaintGate(): { held: boolean; hold: () => () => void } {
  const holders = useRef(0);
  const [held, setHeld] = useState(false);
  const [drawn, setDrawn] = useState(false);
  const hold = useCallback(() => {
    holders.current++;
    setHeld(true);
    return () => {
      holders.current--;
      setHeld(holders.current > 0);
    };
  }, []);
  useEffect(() => {
    if (!held) setDrawn(holders.current === 0);
    const timer = setTimeout(() => setDrawn(true), patience);
    return () => clearTimeout(timer);
  }, [held]);
  return { held: held && !drawn, hold };
}
