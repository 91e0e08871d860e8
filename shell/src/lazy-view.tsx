import { type ComponentType, lazy } from 'react';

/** Returns a view whose code is fetched when it is first rendered; a failed fetch is retried once. */
export function lazyView<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() => load().catch(load)) as unknown as ComponentType<P>;
}
