import { type RefObject, useEffect, useState } from 'react';

/** How far outside of the view something is near it. */
const rootMargin = '600px 0px';

/** The charts on the page that are not near the view yet. */
const distant = new Set<() => void>();

/** Lets the other charts of the page follow one that came near: the code is there, and so they are drawn before one scrolls to them. */
function follow() {
  const next = () => {
    for (const draw of [...distant]) draw();
  };
  if (typeof requestIdleCallback === 'function') requestIdleCallback(next, { timeout: 2000 });
  else setTimeout(next, 500);
}

/**
 * Returns whether an element has come near the view; once true it stays so. It is also true once another one on the page was near and the
 * browser is idle, and when the page is printed.
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
        follow();
      },
      { rootMargin },
    );
    observer.observe(element.current);
    distant.add(draw);
    addEventListener('beforeprint', draw);
    return () => {
      observer.disconnect();
      distant.delete(draw);
      removeEventListener('beforeprint', draw);
    };
  }, [near, element]);
  return near;
}
