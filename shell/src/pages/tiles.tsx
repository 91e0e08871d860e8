import { Card } from '@wattle/ui';
import type { ReactElement, ReactNode } from 'react';
import styled from 'styled-components';
import type { SlotEntry } from '../compose';

export type Size = NonNullable<SlotEntry['size']>;

/**
 * Tiles in full rows: each row has the full width of the page, even if a tile hides itself or the label omits one. The tile sizes
 * determine which tiles share a row; below 860 px a row has two. A tile without a title is one line, with a row of its own.
 */
export function Tiles({ children }: { children: ReactNode }): ReactElement {
  return (
    <Width>
      <Rows>{children}</Rows>
    </Width>
  );
}

export function Tile({
  id,
  title,
  label,
  size,
  optional,
  children,
}: {
  id: string;
  title?: ReactNode;
  /** Name for screen readers of a tile without a title: a strip, in a tint. */
  label?: string;
  size: Size;
  /** The tile is shown only while it contains list items. */
  optional?: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <Cell $size={size} data-tile={id} data-optional={optional}>
      <Card title={title} aria-label={label} tone={label ? 'tint' : 'plain'}>
        {children}
      </Card>
    </Cell>
  );
}

const spans = { third: 2, half: 3, 'two-thirds': 4, full: 6 } as const;
const Width = styled.div`container-type: inline-size;`;
const Rows = styled.div`display: flex; flex-wrap: wrap; gap: var(--w-gap);`;
const Cell = styled.div<{ $size: Size }>`
  flex: ${(p) => spans[p.$size]} 1 calc(${(p) => (spans[p.$size] / 6) * 100}% - var(--w-gap)); min-width: 0; display: grid;
  grid-template-columns: minmax(0, 1fr);
  @container (max-width: 859px) { flex-basis: ${(p) => (spans[p.$size] < 4 ? 'calc(50% - var(--w-gap))' : '100%')}; }
  @container (max-width: 559px) { flex-basis: 100%; }
  &[data-optional]:not(:has(li)) { display: none; } &:not(:has(h2)) { flex-basis: 100%; > section > div { padding-block: 8px; } }
`;
