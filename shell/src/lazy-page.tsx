import { type ComponentType, type ReactElement, Suspense, use, useState } from 'react';
import { Boundary } from './boundary';

/** Returns a page of the shell whose code is fetched when it is opened; if that fails, a retry button is shown in its place. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>): ComponentType {
  let page: Promise<ComponentType> | undefined;
  const get = () => {
    page ??= load().then((m) => m.default);
    return page;
  };
  const View = (): ReactElement => {
    const Page = use(get());
    return <Page />;
  };
  return function LazyPage() {
    const [attempt, setAttempt] = useState(0);
    const retry = () => {
      page = undefined;
      setAttempt(attempt + 1);
    };
    return (
      <Boundary key={attempt} onRetry={retry}>
        <Suspense fallback={null}>
          <View />
        </Suspense>
      </Boundary>
    );
  };
}
