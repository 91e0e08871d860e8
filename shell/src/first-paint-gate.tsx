import { createContext, useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Maximum time that the first page waits, in milliseconds. */
export const maxHoldTime = 1500;

/** Makes the first page wait: call it to hold the page, and call the returned function to release the page. */
export const FirstPaintGate = createContext<() => () => void>(() => () => undefined);

/** Holds the first page for as long as this component is mounted. */
export function HoldFirstPaint(): null {
  const hold = useContext(FirstPaintGate);
  useLayoutEffect(hold, [hold]);
  return null;
}

/** Returns whether the first page is held. After it has been shown, nothing holds it again. */
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
    const timer = setTimeout(() => setDrawn(true), maxHoldTime);
    return () => clearTimeout(timer);
  }, [held]);
  return { held: held && !drawn, hold };
}
