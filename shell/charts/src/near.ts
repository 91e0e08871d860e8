import { type RefObject, useEffect, useState } from 'react';

/** Distance from the viewport within which an element is near it. */
const rootMargin = '600px 0px';

/** The charts on the page that are not near the viewport yet. */
const pendingCharts = new Set<() => void>();

/**
 * Draws the other charts of the page after the first: the code has been fetched by then, so they are ready before the user scrolls
 * to them.
 */
function drawPending() {
  const next = () => {
    for (const draw of [...pendingCharts]) draw();
  };
  if (typeof requestIdleCallback === 'function') requestIdleCallback(next, { timeout: 2000 });
  else setTimeout(next, 500);
}

/**
 * Returns whether an element has come near the viewport; once true it stays true. It also becomes true when the browser is idle
 * after another chart has come near, and when the page is printed.
 */
export function useNear(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (near || !element.current) return;
    const draw = () => setNear(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        draw();
        drawPending();
      },
      { rootMargin },
    );
    observer.observe(element.current);
    pendingCharts.add(draw);
    addEventListener('beforeprint', draw);
    return () => {
      observer.disconnect();
      pendingCharts.delete(draw);
      removeEventListener('beforeprint', draw);
    };
  }, [near, element]);
  return near;
}
