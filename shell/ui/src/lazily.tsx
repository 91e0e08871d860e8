import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/**
 * Returns a component whose code is fetched when it is first rendered: overlays and menus are tens of kilobytes that a first screen
 * does not need. A failed fetch is retried once; after that the page's error boundary is shown. Without a connection the page stays
 * as it is, and the component is rendered once the connection is back (9-offline).
 */
export function lazily<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const fetched = () => lazy<ComponentType<P>>(() => load().catch(load)) as unknown as ComponentType<P>;
  let Part = fetched();
  function Lazily(props: P) {
    const [, redraw] = useState(0);
    const onFail = () => {
      Part = fetched(); // a lazy component caches its failure
      redraw((n) => n + 1);
    };
    return (
      <LoadBoundary onFail={onFail}>
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      </LoadBoundary>
    );
  }
  return Object.assign(Lazily, { load });
}

/** Renders nothing instead of a component that failed to load without a connection, until the connection is back. */
class LoadBoundary extends Component<{ onFail(): void; children: ReactNode }, { failed?: unknown }> {
  override state: { failed?: unknown } = {};
  readonly #again = () => this.setState({ failed: undefined });
  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }
  override componentDidCatch() {
    addEventListener('online', this.#again, { once: true });
    this.props.onFail();
  }
  override componentWillUnmount() {
    removeEventListener('online', this.#again);
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    if (navigator.onLine) throw this.state.failed;
    return null;
  }
}
