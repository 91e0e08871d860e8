import { Disclosure, type DisclosureProps } from '@wattle/ui';
import { useState } from 'react';
import styled from 'styled-components';

/** A Disclosure that mounts its content, with everything that the content fetches, when it is first opened. */
export function Folded({ defaultOpen = false, children, ...props }: Omit<DisclosureProps, 'open' | 'onToggle'>) {
  const [opened, setOpened] = useState(defaultOpen);
  return (
    <Disclosure {...props} defaultOpen={defaultOpen} onToggle={() => setOpened(true)}>
      {opened && children}
    </Disclosure>
  );
}

/** Disclosures in a card have lines from edge to edge instead of a box of their own. */
export const Edges = styled.div`margin-inline: calc(-1 * var(--w-pad)); > div { border-width: 1px 0; border-radius: 0; background: none; } &:last-child > div:last-child { border-bottom: 0; }`;
