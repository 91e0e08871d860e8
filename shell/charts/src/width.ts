import { type RefObject, useEffect, useState } from 'react';

/** Width in pixels where there is no layout. */
const unmeasured = 640;

/**
 * Returns the width of an element in pixels, also after it changes; undefined until it is known, so that nothing is drawn
 * twice, and 640 where there is no layout.
 */
export function useWidth(frame: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState(typeof ResizeObserver === 'undefined' ? unmeasured : undefined);
  useEffect(() => {
    if (!frame.current || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0) || unmeasured));
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [frame]);
  return width;
}
