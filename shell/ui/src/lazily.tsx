import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/**
 * Returns a component whose code is fetched when it is first drawn: overlays and menus are tens of kilobytes that a first screen does
 * not need. A failed fetch is retried once; after that the error boundary of the page shows. Without a connection the page stays as it is,
 * and the component comes when there is one again (9-offline).
 */
export function lazily<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const fetched = () => lazy<ComponentType<P>>(() => load().catch(load)) as unknown as ComponentType<P>;
  let Part = fetched();
  function Lazily(props: P) {
    const [, redraw] = useState(0);
    const onFail = () => {
      Part = fetched(); // a lazy component keeps its failure
      redraw((n) => n + 1);
    };
    return (
      <Contain onFail={onFail}>
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      </Contain>
    );
  }
  return Object.assign(Lazily, { load });
}

/** Draws nothing instead of what failed without a connection, until there is one. */
class Contain extends Component<{ onFail(): void; children: ReactNode }, { failed?: unknown }> {
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
