import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Milliseconds after which parts out of view are loaded anyway, so that they are ready when the customer scrolls. */
const maxWait = 2000;

/**
 * Renders its children when they come near the viewport, or after `maxWait`, so that what the customer sees first is fetched first
 * (9-dashboard-later). Until then it renders `waiting`, which reserves their height.
 */
export function LazyInView({ waiting, children }: { waiting: ReactNode; children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [now, setNow] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (now || !place.current) return;
    const draw = () => setNow(true);
    const observer = new IntersectionObserver((all) => all.some((e) => e.isIntersecting) && draw(), { rootMargin: '100px' });
    observer.observe(place.current);
    const timer = setTimeout(draw, maxWait);
    addEventListener('beforeprint', draw);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      removeEventListener('beforeprint', draw);
    };
  }, [now]);
  return now ? children : <div ref={place}>{waiting}</div>;
}
