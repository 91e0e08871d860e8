import { type ComponentType, lazy } from 'react';

/**
 * Returns a component whose code is fetched when it is first rendered. A failed fetch is retried once; after that the page's error
 * boundary is shown.
 */
export const lazily = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy<ComponentType<P>>(() => load().catch(load)) as unknown as ComponentType<P>;
