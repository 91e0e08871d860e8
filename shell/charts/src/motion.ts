import { useEffect, useRef } from 'react';

/** In milliseconds. */
export const motionDuration = 180;
/** With more shapes than this, a frame would take longer than it lasts. */
const maxMoving = 100;

/** Returns whether the person asked for less motion. Where that is unknown nothing moves. */
export const wantsStill = () => typeof matchMedia !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Returns whether a change of the drawing is shown as motion: never when it is first drawn, nor when less motion is asked for.
 * @param there the drawing is drawn; not so while the width of its place is unknown
 */
export function useMotion(there: boolean, shapes: number): boolean {
  const drawn = useRef(false);
  useEffect(() => {
    drawn.current = there;
  }, [there]);
  return drawn.current && shapes <= maxMoving && !wantsStill();
}
