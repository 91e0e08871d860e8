import type { ReactElement, ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { SlotProps } from './context';
import { useHost } from './context';
import type { Path, Slots } from './remote';

/** A link to a portal page. It preloads the entry, page chunk and messages of the target on hover, focus and touch. */
export function Link({ to, children, className }: { to: Path; children: ReactNode; className?: string }): ReactElement {
  const { preload } = useHost();
  const load = () => preload(to);
  return (
    <RouterLink to={to} className={className} onPointerEnter={load} onFocus={load} onTouchStart={load}>
      {children}
    </RouterLink>
  );
}

/** Renders the items that the label's remotes add to a slot of this module. The shell renders frame, title, skeleton and retry. */
export function Slot<S extends keyof Slots>(props: SlotProps<S>): ReactElement {
  const { Slot: Filled } = useHost();
  return <Filled {...(props as unknown as SlotProps<keyof Slots>)} />;
}
