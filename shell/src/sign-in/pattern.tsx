import type { ReactElement } from 'react';
import styled from 'styled-components';

/** Three arcs in the label's accent color: drawn next to sign-in when the label has no illustration. */
export function Pattern(): ReactElement {
  return (
    <Arcs viewBox="0 0 800 900" preserveAspectRatio="xMinYMax slice" aria-hidden>
      {[260, 440, 620].map((r) => (
        <circle key={r} cx="120" cy="860" r={r} />
      ))}
    </Arcs>
  );
}

const Arcs = styled.svg`
  position: absolute; inset: 0; width: 100%; height: 100%;
  circle { fill: none; stroke: var(--w-accent); stroke-width: 96px; opacity: .2; }
`;
