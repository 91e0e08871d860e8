import { type ComponentType, lazy } from 'react';

/** A view whose code is fetched when it is chosen; tried once more when the network failed. */
export function lazyView<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() => load().catch(load)) as unknown as ComponentType<P>;
}
