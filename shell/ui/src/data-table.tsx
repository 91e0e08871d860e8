import type { Key, ReactNode } from 'react';
import styled, { css } from 'styled-components';
import { Skeleton } from './skeleton';

/** A column of a DataTable. `R` is the type of a row. */
export interface Column<R> {
  /** Identifies the column within the table; never shown. */
  id: string;
  /** Heading of the column; on a phone it is shown before the value, unless `card` says otherwise. */
  title: ReactNode;
  /** Returns the content of the cell for a row. */
  cell(row: R): ReactNode;
  /** `end` aligns to the right with tabular figures, for numbers. Text is left-aligned by default. */
  align?: 'end' | undefined;
  /** Width in pixels; columns without a width share the remaining space. */
  width?: number | undefined;
  /** Position in the card on a phone: its heading, the end of the heading line, hidden, or (default) a line "title: value". */
  card?: 'title' | 'end' | 'hidden' | undefined;
  /** Whether this column names the row: its cells are then row headings for screen readers. */
  head?: boolean | undefined;
  /** Hides the title visually but keeps it for screen readers, e.g. for a column of buttons. */
  quiet?: boolean | undefined;
}

export interface DataTableProps<R> {
  /** Accessible name of the table. */
  label: string;
  /** The columns, from left to right; on a phone each is a line of the card. */
  columns: readonly Column<R>[];
  /** The data, one element per row, in the order shown: the table does not sort. */
  rows: readonly R[];
  /** Returns the React key of a row, such as its id. It must not change between renders. */
  rowKey(row: R): Key;
  /** Groups the rows: successive rows with the same key are shown under one heading. */
  group?: ((row: R) => { key: Key; title: ReactNode }) | undefined;
  /** Returns `strong` to highlight a row, such as a total. */
  tone?: ((row: R) => 'strong' | undefined) | undefined;
  /** Low rows that stay a table on a phone, for figures. */
  dense?: boolean | undefined;
  /** The rows are being fetched: placeholders are shown if there are no rows yet; existing rows stay. */
  loading?: boolean | undefined;
  /** Expected number of rows. Their space is reserved while loading, so that the layout does not shift. */
  expect?: number | undefined;
  /** Shown when there are no rows, e.g. an EmptyState. */
  empty?: ReactNode;
  /** Shown when the rows could not be loaded, e.g. an ErrorState. */
  error?: ReactNode;
}

/** A table whose rows become cards on a phone. For screen readers it is a table at every width. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, columns, rows, rowKey, group, tone, dense = false, loading, expect = 5, empty, error } = props;
  if (error) return <Padded>{error}</Padded>;
  if (loading && rows.length === 0) return <Skeleton shape="row" count={expect} label={label} />;
  if (rows.length === 0 && empty) return <Padded>{empty}</Padded>;
  return (
    // The roles are explicit because `display: block` on a phone removes the implicit ones.
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    // biome-ignore-start lint/a11y/useSemanticElements: see above
    <Table role="table" aria-label={label} aria-busy={loading || undefined} $dense={dense}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Title key={column.id} role="columnheader" $end={column.align === 'end'} style={{ width: column.width }}>
              <span data-quiet={column.quiet || undefined}>{column.title}</span>
            </Title>
          ))}
        </tr>
      </thead>
      {grouped(rows, group).map(({ key, title, rows }) => (
        <tbody key={key} role="rowgroup">
          {title && (
            <tr role="row">
              <GroupTitle role="rowheader" scope="rowgroup" colSpan={columns.length}>
                <div>{title}</div>
              </GroupTitle>
            </tr>
          )}
          {rows.map((row) => (
            <Line key={rowKey(row)} role="row" $strong={tone?.(row) === 'strong'} $dense={dense}>
              {columns.map((column) => (
                <Cell
                  key={column.id}
                  as={column.head ? 'th' : 'td'}
                  scope={column.head ? 'row' : undefined}
                  role={column.head ? 'rowheader' : 'cell'}
                  $end={column.align === 'end'}
                  $dense={dense}
                  data-card={column.card ?? 'line'}
                  data-quiet={column.quiet || undefined}
                >
                  {!dense && <CardTitle aria-hidden="true">{column.title}</CardTitle>}
                  <div>{column.cell(row)}</div>
                </Cell>
              ))}
            </Line>
          ))}
        </tbody>
      ))}
    </Table>
    // biome-ignore-end lint/a11y/useSemanticElements: see above
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

/** Groups successive rows with the same key. Without grouping, returns all rows as one group without a heading. */
function grouped<R>(rows: readonly R[], group: DataTableProps<R>['group']) {
  if (!group) return [{ key: '', title: undefined, rows }];
  const groups: { key: Key; title: ReactNode; rows: R[] }[] = [];
  for (const row of rows) {
    const { key, title } = group(row);
    const last = groups.at(-1);
    if (last?.key === key) last.rows.push(row);
    else groups.push({ key, title, rows: [row] });
  }
  return groups;
}

const hidden = css`position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;`;
const Padded = styled.div`padding: 8px var(--w-pad);`;
const Table = styled.table<{ $dense: boolean }>`
  width: 100%;
  ${(p) => (p.$dense ? '' : css`@media (max-width: 767px) { display: block; > thead { ${hidden} } > tbody { display: flex; flex-direction: column; gap: 8px; } > tbody + tbody { margin-top: 8px; } }`)}
`;
const GroupTitle = styled.th`
  padding: 16px var(--w-pad) 8px; border-top: 1px solid var(--w-line); text-align: left; font-weight: 600;
  @media (max-width: 767px) { padding: 8px 0 0; border: 0; }
`;
const Title = styled.th<{ $end: boolean }>`
  padding: 12px 16px; font-size: 14px; font-weight: 600; color: var(--w-text-quiet); text-align: ${(p) => (p.$end ? 'right' : 'left')}; white-space: nowrap;
  &:first-child { padding-left: var(--w-pad); } &:last-child { padding-right: var(--w-pad); }
  [data-quiet] { ${hidden} }
`;
const CardTitle = styled.span`display: none;`;
const asCard = css`
  @media (max-width: 767px) {
    &&& { display: flex; justify-content: space-between; align-items: center; gap: 4px 16px; padding: 0; height: auto; min-height: 28px; flex: 1 0 100%; text-align: left; white-space: normal; border: 0; }
    &&&[data-card='hidden'] { ${hidden} }
    &&&[data-card='title'] { order: -2; flex: 1 1 0; min-width: 55%; font-weight: 600; }
    &&&[data-card='end'] { order: -1; flex: 0 1 auto; font-weight: 600; align-items: flex-start; }
    &&&[data-card='end'] > ${CardTitle}, &&&[data-card='title'] > ${CardTitle} { display: none; }
    &[data-card='line']:not([data-quiet]) > ${CardTitle} { display: block; color: var(--w-text-quiet); font-size: 14px; }
    &[data-card='line']:not([data-quiet]) > div { text-align: right; }
    &&&[data-quiet]:has(> div:empty) { display: none; }
    > div { min-width: 0; } /* without overflow-wrap: anywhere, which would break words before wrapping lines */
  }
`;
const Cell = styled.td<{ $end: boolean; $dense: boolean }>`
  padding: ${(p) => (p.$dense ? '8px 16px' : '10px 16px')}; height: ${(p) => (p.$dense ? '40px' : 'var(--w-row)')}; vertical-align: middle;
  border-top: 1px solid var(--w-line); font-weight: inherit; text-align: ${(p) => (p.$end ? 'right' : 'left')};
  ${(p) => (p.$end ? 'font-variant-numeric: tabular-nums; white-space: nowrap;' : '')}
  &:first-child { padding-left: var(--w-pad); } &:last-child { padding-right: var(--w-pad); }
  &[data-quiet] { padding-block: 4px; }
  ${(p) => (p.$dense ? '@media (max-width: 767px) { &&& { padding-inline: 8px; } }' : asCard)}
`;
const Line = styled.tr<{ $strong: boolean; $dense: boolean }>`
  background: ${(p) => (p.$strong ? 'var(--w-tint-strong)' : 'var(--w-row-odd, var(--w-surface))')};
  &:nth-child(even) { background: ${(p) => (p.$strong ? 'var(--w-tint-strong)' : 'var(--w-row-even, var(--w-surface))')}; }
  ${(p) => (p.$strong && !p.$dense ? '--chip: var(--w-surface); --credit: color-mix(in oklch, var(--w-positive) 80%, black); box-shadow: inset 3px 0 0 var(--w-primary);' : '')}
  ${(p) => (p.$strong && p.$dense ? 'font-weight: 600;' : '')}
  ${(p) =>
    p.$dense
      ? ''
      : css`
          @media (max-width: 767px) {
            && { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 12px 16px; border: 1px solid var(--w-line); border-radius: var(--w-radius); overflow: hidden;
              background: ${p.$strong ? 'var(--w-tint-strong)' : 'var(--w-surface)'}; position: relative; }
          }
        `}
`;
