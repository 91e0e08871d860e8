import { type ReactNode, useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { Button } from './button';
import { Icon } from './icon';
import { Illustration } from './illustration';
import { isJustOnline, useOnline } from './online';
import type { IllustrationName } from './pictures';

export interface EmptyStateProps {
  /** What is empty, e.g. "No invoices yet". */
  title: ReactNode;
  /** What the customer can do now. */
  children?: ReactNode;
  /** One link or button for what the customer can do. */
  action?: ReactNode;
  /** The illustration; a label may have its own. */
  illustration?: IllustrationName | undefined;
}

export function EmptyState({ title, children, action, illustration = 'empty' }: EmptyStateProps) {
  return (
    <Frame>
      <Illustration name={illustration} size={120} />
      <Words>
        <strong>{title}</strong>
        {children && <div>{children}</div>}
        {action && <Action>{action}</Action>}
      </Words>
    </Frame>
  );
}

export interface ErrorStateProps {
  /** First line; by default "This could not be loaded" in the language of the page. */
  title?: ReactNode;
  /** What went wrong; by default a reassurance that nothing was lost. */
  children?: ReactNode;
  /** Adds a "Try again" button, and is called when it is pressed; by default there is none. */
  onRetry?: (() => void) | undefined;
  /** The retry is running; by default false. */
  retrying?: boolean | undefined;
  /** Uses a single line, for tiles and slots. */
  compact?: boolean | undefined;
}

/**
 * Replaces content that could not be loaded: says that nothing was lost, and offers a retry. Without a connection it says so
 * instead, and retries by itself when the connection is back (9-offline).
 */
export function ErrorState({ title, children, onRetry, retrying, compact }: ErrorStateProps) {
  const intl = useIntl();
  const isOnline = useOnline();
  const retry = useRef(onRetry);
  useEffect(() => {
    retry.current = onRetry;
  });
  useEffect(() => {
    if (!isOnline || retrying || !isJustOnline()) return undefined;
    const timer = setTimeout(() => retry.current?.(), 900);
    return () => clearTimeout(timer);
  }, [isOnline, retrying]);
  const offline = !isOnline && onRetry !== undefined;
  const words = (
    <Words>
      <strong>
        {offline
          ? intl.formatMessage({ id: 'ui.offline_title', defaultMessage: 'You have no connection' })
          : (title ?? intl.formatMessage({ id: 'ui.error_title', defaultMessage: 'This could not be loaded' }))}
      </strong>
      <div>
        {offline
          ? intl.formatMessage({
              id: 'ui.offline_text',
              defaultMessage: 'Nothing is lost. This loads by itself when you are connected again.',
            })
          : (children ??
            intl.formatMessage({ id: 'ui.error_text', defaultMessage: 'Nothing is lost. Check your connection and try again.' }))}
      </div>
      {onRetry && (
        <Action>
          <Button icon="retry" small loading={retrying} onClick={onRetry}>
            {intl.formatMessage({ id: 'ui.retry', defaultMessage: 'Try again' })}
          </Button>
        </Action>
      )}
    </Words>
  );
  return (
    <Frame role="alert" $compact={compact}>
      {compact ? (
        <Sign>
          <Icon name="alert" size={24} />
        </Sign>
      ) : (
        <Illustration name="error" size={120} />
      )}
      {words}
    </Frame>
  );
}

export interface ResultProps {
  /** Whether it succeeded; determines the illustration. */
  tone?: 'good' | 'bad' | undefined;
  /** What happened. */
  title: ReactNode;
  /** Heading level: 1 (default) for a whole page, 2 within a page. */
  level?: 1 | 2 | undefined;
  /** What happens next, and when. */
  children?: ReactNode;
  /** One link or button for the next step. */
  actions?: ReactNode;
}

/** The end of a wizard or an order: what happened, what happens next and when, and one action. */
export function Result({ tone = 'good', title, level = 1, children, actions }: ResultProps) {
  return (
    <Outcome>
      <Illustration name={tone === 'good' ? 'sent' : 'error'} size={120} />
      {level === 1 ? (
        <h1 data-title tabIndex={-1}>
          {title}
        </h1>
      ) : (
        <h2>{title}</h2>
      )}
      {children && <div>{children}</div>}
      {actions && <Action>{actions}</Action>}
    </Outcome>
  );
}

const Frame = styled.div<{ $compact?: boolean | undefined }>`
  display: flex; align-items: ${(p) => (p.$compact ? 'flex-start' : 'center')}; gap: ${(p) => (p.$compact ? '12px' : '24px')};
  padding: ${(p) => (p.$compact ? '0' : '16px 0')};
  ${(p) => (p.$compact ? '' : '@media (max-width: 767px) { flex-direction: column; align-items: flex-start; gap: 12px; }')}
`;
const Sign = styled.span`color: var(--w-negative); flex: none;`;
const Words = styled.div`
  display: flex; flex-direction: column; gap: 4px; max-width: 52ch; color: var(--w-text-quiet);
  strong { color: var(--w-text); font-weight: 600; }
`;
const Action = styled.div`margin-top: 12px; display: flex; flex-wrap: wrap; gap: 8px;`;
const Outcome = styled.div`display: flex; flex-direction: column; gap: 12px; align-items: flex-start; h1, h2 { font-size: 28px; }`;
