import type { ReactNode } from 'react';
import styled from 'styled-components';

export interface SubHeadingProps {
  /** Heading level in the page outline. */
  level?: 2 | 3 | 4 | undefined;
  /** The name of the group. */
  children: ReactNode;
  /** Content at the right, e.g. a total or a link. */
  end?: ReactNode;
  /** Id of the heading, for links to it. */
  id?: string | undefined;
}

/**
 * A heading for a group of rows, e.g. a year. It sticks under the header while its rows scroll: wrap heading and rows in one
 * element.
 */
export function SubHeading({ level = 3, children, end, id }: SubHeadingProps) {
  return (
    <Line>
      <Text as={`h${level}`} id={id}>
        {children}
      </Text>
      {end && <End>{end}</End>}
    </Line>
  );
}

const Line = styled.div`
  position: sticky; top: 64px; z-index: 2; display: flex; align-items: center; justify-content: space-between; gap: 4px 16px; flex-wrap: wrap;
  min-height: 48px; padding: 8px 24px; background: var(--w-page); border-bottom: 1px solid var(--w-line);
  @media (max-width: 767px) { top: 56px; padding-inline: 16px; margin-inline: -16px; }
  @media print { position: static; }
`;
const Text = styled.h3`font-size: 16px;`;
const End = styled.div`font-variant-numeric: tabular-nums;`;
