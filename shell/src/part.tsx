import type { Remote } from '@wattle/sdk';
import { Skeleton } from '@wattle/ui';
import { type ComponentType, type ReactElement, type ReactNode, Suspense, use, useState } from 'react';
import { Boundary } from './boundary';
import { forgetTexts, ModuleScope, useShell } from './context';
import type { Remotes } from './federation';
import { yieldTask } from './yield-task';

/** Selects an import function in a remote's declaration, which determines the props. */
export type Pick = (r: Remote) => (() => Promise<{ default: unknown }>) | undefined;

const loaded = new Map<string, Promise<ComponentType<object>>>();

/** Loads the code of a page or view of a remote, once, until `forget`. */
export function loadPart(remotes: Remotes, module: string, id: string, pick: Pick) {
  const name = `${module} ${id}`;
  let part = loaded.get(name);
  if (!part) {
    part = remotes.get(module).then(async (r) => {
      const lazy = pick(r);
      if (!lazy) throw new Error(`${module} exports no ${id}`);
      await yieldTask();
      return (await lazy()).default as ComponentType<object>;
    });
    part.catch(() => undefined); // callers that render it get the error, until `forget`
    loaded.set(name, part);
  }
  return part;
}

/** Lets the next use of a module retry code and texts that failed to load. */
async function forget(remotes: Remotes, module: string, id: string): Promise<void> {
  const name = `${module} ${id}`;
  await loaded.get(name)?.catch(() => loaded.delete(name));
  await remotes.forget(module);
  await forgetTexts(module);
}

export interface PartProps {
  module: string;
  /** Unique in the module; the key of the loaded code. */
  id: string;
  pick: Pick;
  props?: object;
  /** Shown while code, texts or data are loading. */
  waiting?: ReactNode;
  compact?: boolean;
  /** The view is in a slot, and only needs the slot texts of its remote. */
  slot?: boolean;
}

/**
 * A page or view of a remote, with the texts of that remote. If it fails or cannot be loaded, it shows a retry button in its place,
 * and the rest of the page keeps working (face-remote-down).
 */
export function Part(p: PartProps): ReactElement {
  const { remotes } = useShell();
  const [attempt, setAttempt] = useState(0);
  const retry = () => void forget(remotes, p.module, p.id).then(() => setAttempt(attempt + 1));
  return (
    <Boundary key={`${p.module} ${p.id} ${attempt}`} {...(p.compact ? { compact: true } : {})} onRetry={retry}>
      <Suspense fallback={p.waiting === undefined ? <Skeleton shape="card" /> : p.waiting}>
        <ModuleScope module={p.module} slot={p.slot === true}>
          <Loaded {...p} />
        </ModuleScope>
      </Suspense>
    </Boundary>
  );
}

/**
 * A view next to another view of the same remote: empty while it is loading, unless `waiting` is given, and if loading fails,
 * because the other one shows the error.
 */
export function Aside(p: PartProps): ReactElement {
  return (
    <Boundary instead={null} onRetry={() => undefined}>
      <Suspense fallback={p.waiting}>
        <ModuleScope module={p.module} slot={p.slot === true}>
          <Loaded {...p} />
        </ModuleScope>
      </Suspense>
    </Boundary>
  );
}

function Loaded({ module, id, pick, props }: PartProps): ReactElement {
  const { remotes } = useShell();
  const View = use(loadPart(remotes, module, id, pick));
  return <View {...props} />;
}
