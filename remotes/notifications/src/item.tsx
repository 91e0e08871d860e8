import { clockAt, usePortal } from '@wattle/sdk';
import { Badge, formatDay, Icon } from '@wattle/ui';
import { useEffect, useId, useRef } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { Notification } from './api';
import { Kind } from './kind';
import { Message } from './message';

/** A message in the list: closed it shows a plain-text preview, open the whole text as HTML (2.5-notifications-list). */
export function Item({
  notification: n,
  open,
  linked,
  onToggle,
}: {
  notification: Notification;
  open: boolean;
  /** It was opened by a link, so it is scrolled into view. */
  linked: boolean;
  onToggle(): void;
}) {
  const id = useId();
  const { timeZone } = usePortal();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (linked) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [linked]);
  return (
    <Row ref={row} data-unread={!n.read || undefined}>
      <Head>
        <div>
          <h2>
            <Handle type="button" aria-expanded={open} aria-controls={id} onClick={onToggle}>
              {n.title}
            </Handle>
          </h2>
          <Facts>
            <span>{formatDay(clockAt(n.publication_date_time, timeZone).day)}</span>
            <span>{n.projects.length > 0 ? n.projects.join(', ') : <Kind kind={n.kind} />}</span>
            {!n.read && (
              <Badge tone="tint" icon="mail">
                <FormattedMessage id="notifications.unread" defaultMessage="Unread" />
              </Badge>
            )}
          </Facts>
          {!open && <Preview>{n.preview}</Preview>}
        </div>
        <Icon name="down" />
      </Head>
      <Content id={id} hidden={!open}>
        {open && <Message html={n.message} />}
      </Content>
    </Row>
  );
}

const Row = styled.li`
  & + & { border-top: 1px solid var(--w-line); }
  h2 { font-weight: 400; line-height: 1.5; } &[data-unread] h2 { font-weight: 600; }
  &[data-unread] { box-shadow: inset 3px 0 0 var(--w-primary-ink); }
`;
/** Clicking anywhere in the row opens or closes the message. */
const Head = styled.div`
  position: relative; display: flex; align-items: flex-start; gap: 16px; padding: 16px 16px 16px var(--w-pad);
  &:hover { background: var(--w-tint); } &:hover button { text-decoration: underline; }
  > div { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 4px; }
  > svg { flex: none; margin-top: 2px; color: var(--w-text-quiet); transition: transform 160ms; }
  &:has([aria-expanded='true']) > svg { transform: rotate(180deg); }
  @media (max-width: 767px) { gap: 8px; }
`;
const Handle = styled.button`
  font-weight: inherit; color: var(--w-text); border-radius: 4px; overflow-wrap: anywhere; min-height: 24px;
  &::after { content: ''; position: absolute; inset: 0; }
`;
const Facts = styled.div`
  display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; font-size: 14px; color: var(--w-text-quiet); min-height: 24px;
  > :first-child { white-space: nowrap; }
`;
const Preview = styled.p`color: var(--w-text-quiet); overflow-wrap: anywhere;`;
const Content = styled.div`
  padding: 8px var(--w-pad) 24px;
  @media (max-width: 767px) { padding-block: 4px 20px; }
`;
