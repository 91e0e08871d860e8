import type { ReactNode } from 'react';
import styled from 'styled-components';
import { Icon, type IconName } from './icon';
import { Anchor } from './link';

export interface AttentionProps {
  /** The icon before the sentence. */
  icon: IconName;
  /** The page on which the customer can deal with it. */
  href: string;
  /** What needs attention, in one sentence. */
  children: ReactNode;
  /** Small text after the sentence, such as what is being done about it. */
  hint?: ReactNode;
}

/**
 * An item of the `attention` slot: one thing that needs the customer's attention, linked to the page where it can be dealt with.
 */
export function Attention({ icon, href, children, hint }: AttentionProps) {
  return (
    <Line>
      <Anchor href={href}>
        <Icon name={icon} size={20} />
        <span>
          {children}
          {hint && <small> {hint}</small>}
        </span>
        <Icon name="right" size={20} />
      </Anchor>
    </Line>
  );
}

const Line = styled.li`
  & + & { border-top: 1px solid var(--w-line); }
  a { display: flex; align-items: center; gap: 12px; min-height: 44px; margin: 0 -12px; padding: 8px 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  a:hover { background: var(--w-tint-strong); }
  span { flex: 1; min-width: 0; line-height: 1.4; } small { font-size: 14px; color: var(--w-text-quiet); }
  svg { flex: none; color: var(--w-text-quiet); } svg:first-child { color: var(--w-warning); }
`;
