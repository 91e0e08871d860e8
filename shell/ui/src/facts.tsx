import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { Icon } from './icon';

/** A line of Facts. */
export interface Fact {
  /** The label. */
  label: ReactNode;
  /** The current value. */
  value: ReactNode;
  /** The requested new value, shown next to the current one. */
  pending?: ReactNode;
  /** A link or button at the right, e.g. for changing the value. */
  action?: ReactNode;
}

export interface FactsProps {
  /** The facts, in the order shown. */
  items: readonly Fact[];
  /** Puts label and value below each other instead of in two columns. */
  stacked?: boolean | undefined;
}

/** Labels and values as a definition list. */
export function Facts({ items, stacked }: FactsProps) {
  return (
    <List>
      {[...items.entries()].map(([place, item]) => (
        <Item key={place} $stacked={stacked}>
          <dt>{item.label}</dt>
          <Value>
            <span>{item.value}</span>
            {item.pending && (
              <Pending>
                <Icon name="clock" size={16} />
                <span>
                  <FormattedMessage id="ui.pending" defaultMessage="being changed to {value}" values={{ value: item.pending }} />
                </span>
              </Pending>
            )}
          </Value>
          {item.action && <Action>{item.action}</Action>}
        </Item>
      ))}
    </List>
  );
}

const stackedParts =
  'dt { font-size: 14px; } dd:nth-of-type(1) { grid-column: 1; } dd:nth-of-type(2) { grid-column: 2; grid-row: 1 / span 2; align-self: center; }';
const List = styled.dl`display: flex; flex-direction: column; container-type: inline-size; width: 100%;`;
const Item = styled.div<{ $stacked?: boolean | undefined }>`
  display: grid; gap: 2px 16px; align-items: start; padding: 12px 0; border-top: 1px solid var(--w-line);
  grid-template-columns: ${(p) => (p.$stacked ? 'minmax(0, 1fr) auto' : 'minmax(120px, 200px) minmax(0, 1fr) auto')};
  &:first-child { border-top: 0; padding-top: 4px; } &:last-child { padding-bottom: 4px; }
  dt { color: var(--w-text-quiet); }
  ${(p) => (p.$stacked ? stackedParts : '')}
  @container (max-width: 460px) { grid-template-columns: minmax(0, 1fr) auto; ${stackedParts} }
`;
const Value = styled.dd`display: flex; flex-direction: column; gap: 4px; overflow-wrap: anywhere;`;
const Action = styled.dd`margin: -10px 0;`;
const Pending = styled.span`
  display: inline-flex; gap: 6px; align-items: flex-start; color: var(--w-warning); font-size: 14px;
  svg { margin-top: 3px; }
`;
