import styled from 'styled-components';
import { type Space, space } from './tokens';

interface Flow {
  /** Space between the children in pixels; 16 by default, in a Grid the label's own. */
  gap?: Space | undefined;
}

/** Children below each other. */
export const Stack = styled.div.withConfig({ shouldForwardProp: (name) => name !== 'gap' })<Flow>`
  display: flex; flex-direction: column; gap: ${(p) => space[p.gap ?? 16]}; min-width: 0;
  & > * { min-width: 0; }
`;

const rowProps = new Set(['gap', 'align', 'justify', 'wrap']);

/** Children next to each other; wraps by default. */
export const Row = styled.div.withConfig({ shouldForwardProp: (name) => !rowProps.has(name) })<
  Flow & {
    /** Cross-axis alignment of the children: `center` by default. */
    align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch';
    /** Distribution of the children along the row: `start` by default. */
    justify?: 'start' | 'end' | 'between' | 'center';
    /** Whether children that do not fit wrap to the next line: true by default. */
    wrap?: boolean;
  }
>`
  display: flex; gap: ${(p) => space[p.gap ?? 16]}; min-width: 0;
  align-items: ${(p) => p.align ?? 'center'};
  justify-content: ${(p) => (p.justify === 'between' ? 'space-between' : (p.justify ?? 'start'))};
  flex-wrap: ${(p) => (p.wrap === false ? 'nowrap' : 'wrap')};
`;

const gridProps = new Set(['gap', 'columns', 'min']);

/**
 * Equal columns, as many as fit: at most `columns`, each at least `min` px wide, one on a phone. The gap is the label's by default.
 */
export const Grid = styled.div.withConfig({ shouldForwardProp: (name) => !gridProps.has(name) })<
  Flow & {
    /** Maximum number of columns: 2 by default. */
    columns?: 1 | 2 | 3 | 4;
    /** Minimum column width in pixels: 240 by default. */
    min?: number;
  }
>`
  --gap: ${(p) => (p.gap ? space[p.gap] : 'var(--w-gap)')};
  --min: ${(p) => p.min ?? 240}px;
  --of: calc((100% - (${(p) => p.columns ?? 2} - 1) * var(--gap)) / ${(p) => p.columns ?? 2});
  display: grid; gap: var(--gap); grid-template-columns: repeat(auto-fill, minmax(min(100%, max(var(--min), var(--of))), 1fr));
  & > * { min-width: 0; }
`;

/** Small text that explains an element above or next to it. */
export const Small = styled.div`font-size: 14px; font-weight: 400; color: var(--w-text-quiet);`;
