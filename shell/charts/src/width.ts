import { type RefObject, useEffect, useState } from 'react';

/** Width in pixels when there is no layout. */
const defaultWidth = 640;

/**
 * Returns the width of an element in pixels and follows its changes. Undefined until the width is known, so that nothing is drawn
 * twice; 640 when there is no layout.
 */
export function useWidth(frame: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState(typeof ResizeObserver === 'undefined' ? defaultWidth : undefined);
  useEffect(() => {
    if (!frame.current || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0) || defaultWidth));
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [frame]);
  return width;
}
