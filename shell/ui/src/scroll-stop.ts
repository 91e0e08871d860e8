import { type RefCallback, useCallback, useState } from 'react';

const focusable = 'a[href], button:not(:disabled), input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

/**
 * useScrollStop returns a ref for an element, and whether the element must be a tab stop: it must if it scrolls and contains
 * nothing focusable, because otherwise the keyboard could not scroll it (WCAG 2.1.1).
 */
export function useScrollStop(): [RefCallback<HTMLElement>, boolean] {
  const [stop, setStop] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return;
    const size = new ResizeObserver(() => look());
    const look = () => {
      for (const child of element.children) size.observe(child);
      setStop(element.scrollHeight > element.clientHeight + 1 && element.querySelector(focusable) === null);
    };
    const content = new MutationObserver(look);
    size.observe(element);
    content.observe(element, { childList: true, subtree: true });
    look();
    return () => {
      size.disconnect();
      content.disconnect();
    };
  }, []);
  return [ref, stop];
}
