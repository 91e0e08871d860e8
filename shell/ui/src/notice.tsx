import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { IconButton } from './button';
import { Icon, type IconName } from './icon';
import { VisuallyHidden } from './visually-hidden';

const tones: Record<NoticeTone, { icon: IconName; ink: string; tint: string }> = {
  info: { icon: 'info', ink: 'var(--w-primary-ink)', tint: 'var(--w-tint)' },
  positive: { icon: 'success', ink: 'var(--w-positive)', tint: 'var(--w-positive-tint)' },
  warning: { icon: 'warning', ink: 'var(--w-warning)', tint: 'var(--w-warning-tint)' },
  negative: { icon: 'alert', ink: 'var(--w-negative)', tint: 'var(--w-negative-tint)' },
};

/** The meaning of a message. */
export type NoticeTone = 'info' | 'positive' | 'warning' | 'negative';

export interface NoticeProps {
  /** The meaning of the message; determines color and icon. */
  tone?: NoticeTone | undefined;
  /** First line, in bold. */
  title?: ReactNode;
  /** The message. */
  children?: ReactNode;
  /** Links or buttons under the message. */
  actions?: ReactNode;
  /** Adds a close button, and is called when it is pressed; by default there is none. */
  onClose?: (() => void) | undefined;
  /** Screen readers announce the notice when it appears. Use it for the result of an action. */
  live?: boolean | undefined;
}

/** A permanent message in the page. For temporary messages use a toast. */
export function Notice({ tone = 'info', title, children, actions, onClose, live }: NoticeProps) {
  const intl = useIntl();
  const { icon } = tones[tone];
  const word = {
    info: intl.formatMessage({ id: 'ui.tone_info', defaultMessage: 'Information' }),
    positive: intl.formatMessage({ id: 'ui.tone_positive', defaultMessage: 'Done' }),
    warning: intl.formatMessage({ id: 'ui.tone_warning', defaultMessage: 'Please note' }),
    negative: intl.formatMessage({ id: 'ui.tone_negative', defaultMessage: 'Error' }),
  }[tone];
  return (
    <Box $tone={tone} role={live ? (tone === 'negative' ? 'alert' : 'status') : undefined}>
      <Sign $tone={tone}>
        <Icon name={icon} size={24} />
        <VisuallyHidden>{word}: </VisuallyHidden>
      </Sign>
      <Words>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
        {actions && <Actions>{actions}</Actions>}
      </Words>
      {onClose && (
        <Close>
          <IconButton icon="close" label={intl.formatMessage({ id: 'ui.close', defaultMessage: 'Close' })} onClick={onClose} />
        </Close>
      )}
    </Box>
  );
}

/** An error message in the page, announced by screen readers. */
export function Alert(props: Omit<NoticeProps, 'tone'>) {
  return <Notice live {...props} tone="negative" />;
}

const Box = styled.div<{ $tone: NoticeTone }>`
  display: flex; gap: 12px; padding: 16px; border-radius: var(--w-radius-control); background: ${(p) => tones[p.$tone].tint};
  box-shadow: inset 3px 0 0 ${(p) => tones[p.$tone].ink};
`;
const Sign = styled.span<{ $tone: NoticeTone }>`position: relative; color: ${(p) => tones[p.$tone].ink};`;
const Words = styled.div`flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 4px; strong { font-weight: 600; }`;
const Actions = styled.div`display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px;`;
const Close = styled.div`margin: -10px -10px -10px 0;`;
