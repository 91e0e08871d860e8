import { useEffect, useRef } from 'react';

/** In milliseconds. */
export const motionDuration = 180;
/** Maximum number of shapes to animate: with more, rendering a frame would take longer than the frame lasts. */
const maxMoving = 100;

/** Returns whether the user prefers reduced motion; true if this is unknown. */
export const isMotionReduced = () => typeof matchMedia !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Returns whether a change in the drawing is animated: not when it first appears, nor when reduced motion is preferred.
 * @param there whether there is a drawing; false while its width is unknown
 */
export function useMotion(there: boolean, shapes: number): boolean {
  const drawn = useRef(false);
  useEffect(() => {
    drawn.current = there;
  }, [there]);
  return drawn.current && shapes <= maxMoving && !isMotionReduced();
}
