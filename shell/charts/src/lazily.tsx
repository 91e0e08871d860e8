import { type ComponentType, lazy } from 'react';

/** A part that is fetched when it is first drawn. One more try when the network failed; then the error boundary of the page speaks. */
export const lazily = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy<ComponentType<P>>(() => load().catch(load)) as unknown as ComponentType<P>;
