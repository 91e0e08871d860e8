import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Time after which parts out of view are loaded anyway, so that a customer who scrolls finds it there. */
const maxWait = 2000;

/**
 * Draws its children when they come near the view, or when the first screen has had its time: what a customer does not see first is not
 * fetched first (9-dashboard-later). Until then it draws `waiting`, which keeps their height.
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
