import { type ComponentType, lazy, Suspense } from 'react';

/**
 * Returns a component whose code is fetched when it is first drawn: overlays and menus are tens of kilobytes that a first screen does
 * not need. A failed fetch is retried once; after that the error boundary of the page shows.
 */
export function lazily<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const Part = lazy<ComponentType<P>>(() => load().catch(load)) as unknown as ComponentType<P>;
  function Lazily(props: P) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  }
  return Object.assign(Lazily, { load });
}
