import type { ReactNode } from 'react';
import styled from 'styled-components';
import { Icon, type IconName } from './icon';

/** Set `--chip` where a neutral chip would not stand out from its background, such as a highlighted row. */
const tones = {
  neutral: ['var(--chip, var(--w-line))', 'var(--w-text)'],
  tint: ['var(--chip, var(--w-tint-strong))', 'var(--w-text)'],
  positive: ['var(--w-positive-tint)', 'var(--w-positive)'],
  warning: ['var(--w-warning-tint)', 'var(--w-warning)'],
  negative: ['var(--w-negative-tint)', 'var(--w-negative)'],
} as const;

const icons: Partial<Record<keyof typeof tones, IconName>> = { positive: 'success', warning: 'clock', negative: 'alert' };

export interface BadgeProps {
  /** The color, according to what the status means for the customer. */
  tone?: keyof typeof tones | undefined;
  /** Colored tones have a default icon, because color alone must not carry meaning. */
  icon?: IconName | undefined;
  /** The status, in one word. */
  children: ReactNode;
}

/** A one-word status, 24 px high. */
export function Badge({ tone = 'neutral', icon = icons[tone], children }: BadgeProps) {
  return (
    <Chip $tone={tone}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </Chip>
  );
}

const Chip = styled.span<{ $tone: keyof typeof tones }>`
  display: inline-flex; align-items: center; gap: 4px; min-height: 24px; padding: 1px 10px 1px 8px; border-radius: 999px;
  font-size: 14px; line-height: 20px; font-weight: 600; white-space: nowrap; width: fit-content; flex: none;
  background: ${(p) => tones[p.$tone][0]}; color: ${(p) => tones[p.$tone][1]};
`;
