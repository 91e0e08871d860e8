import { useEffect, useRef } from 'react';

/** In milliseconds. */
export const motionDuration = 180;
/** With more shapes than this, a frame would take longer than it lasts. */
const maxMoving = 100;

/** Returns whether the person asked for less motion. Where that is unknown nothing moves. */
export const wantsStill = () => typeof matchMedia !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Returns whether a change of the drawing is shown as motion: never when it is first drawn, nor when less motion is asked for. */
export function useMotion(shapes: number): boolean {
  const drawn = useRef(false);
  useEffect(() => {
    drawn.current = true;
  }, []);
  return drawn.current && shapes <= maxMoving && !wantsStill();
}
