import { clockAt, type Path, usePortal, useToday } from '@wattle/sdk';
import { Button, focusTitle, formatDay, Icon, IconButton } from '@wattle/ui';
import { useId, useLayoutEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Notice } from './api';
import { useDismissed } from './dismissed';
import { Message } from './message';
import { byUrgency, firstLine, isShownOn } from './notice.rules';

/** Notices and market messages on their pages, until they are dismissed on this device (2.1-notices-place). */
export default function Notices({ page, hold }: { page: Path; hold?: () => () => void }) {
  const intl = useIntl();
  const { locale, timeZone } = usePortal();
  const today = useToday();
  const list = api.useGet('/sustainable/notices', { query: { locale } });
  const [dismissed, dismiss] = useDismissed();
  const [all, setAll] = useState(false);
  const id = useId();
  useLayoutEffect(() => (list.isPending ? hold?.() : undefined), [list.isPending, hold]);
  // If notices cannot be loaded, the page is shown without them.
  const known = list.data ?? [];
  const dayOf = (n: Notice) => clockAt(n.publication_date_time, timeZone).day;
  const shown = byUrgency(known.filter((n) => !dismissed.includes(n.id) && isShownOn(n, page)));
  if (shown.length === 0) return null;
  const [first] = shown;
  const top = first && firstLine(dayOf(first), today) ? 1 : 0;
  const lines = all ? shown : shown.slice(0, top);
  const others = shown.length - top;
  const state = { state: all ? 'fewer' : top ? 'more' : 'earlier', n: others };
  const more = others > 0 && (
    <Button variant="quiet" small aria-expanded={all} aria-controls={id} onClick={() => setAll(!all)}>
      <FormattedMessage
        id="notifications.others"
        defaultMessage="{state, select, fewer {Fewer notices} more {{n, plural, one {# more notice} other {# more notices}}} other {{n, plural, one {# earlier notice} other {# earlier notices}}}}"
        values={state}
      />
    </Button>
  );
  return (
    <section aria-label={intl.formatMessage({ id: 'notifications.notices', defaultMessage: 'Notices' })}>
      <List id={id}>
        {lines.map((n) => (
          <Line
            key={n.id}
            notice={n}
            day={dayOf(n)}
            onClose={() => {
              dismiss(
                n.id,
                known.map((one) => one.id),
              );
              focusTitle(); // the focused button has been removed
            }}
          />
        ))}
      </List>
      {more && <Others>{more}</Others>}
    </section>
  );
}

/** A notice on one line: its title opens its text below it (9-notice-fold). */
function Line({ notice: n, day, onClose }: { notice: Notice; day: string; onClose(): void }) {
  const intl = useIntl();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li>
      <Row>
        <Title type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <Icon name="info" size={20} />
          <span>{n.title}</span>
          <Icon name="down" />
        </Title>
        <IconButton
          icon="close"
          label={intl.formatMessage({ id: 'notifications.dismiss', defaultMessage: 'Close: {title}' }, { title: n.title })}
          onClick={onClose}
        />
      </Row>
      <Text id={id} hidden={!open}>
        {open && <Message html={n.message} />}
        {n.kind === 'market_message' && (
          <Kind>
            <FormattedMessage
              id="notifications.market_message"
              defaultMessage="Market message of {day}"
              values={{ day: formatDay(day) }}
            />
          </Kind>
        )}
      </Text>
    </li>
  );
}

/** The button's text is aligned with the page's text, and as far from what is around it as a card. */
const Others = styled.div`margin: 0 0 -8px -12px; ul:empty + & { margin-top: -8px; }`;
const List = styled.ul`
  list-style: none; display: flex; flex-direction: column; gap: 8px;
  > li { border-radius: var(--w-radius-control); background: var(--w-tint); box-shadow: inset 3px 0 0 var(--w-primary-ink); }
`;
const Row = styled.div`display: flex; align-items: center; gap: 4px; padding: 2px 4px 2px 16px; > * { flex: none; }`;
/** Two lines of a small font are as high as the close button, so each notice is one row, also on a phone. */
const Title = styled.button`
  flex: 1; min-width: 0; min-height: 44px; display: flex; align-items: center; gap: 12px; text-align: start; font-weight: 600;
  > span { min-width: 0; overflow-wrap: anywhere; } > :first-child { color: var(--w-primary-ink); } > svg { flex: none; }
  > :last-child { color: var(--w-text-quiet); transition: transform 160ms; } &[aria-expanded='true'] > :last-child { transform: rotate(180deg); }
  &:hover > span { text-decoration: underline; }
  @media (max-width: 767px) {
    gap: 8px; font-size: 14px; line-height: 1.4;
    @media (max-width: 359px) { > :first-child { display: none; } }
    &[aria-expanded='false'] > span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
  }
`;
const Text = styled.div`padding: 4px 16px 16px 48px; @media (max-width: 767px) { padding-left: 44px; }`;
const Kind = styled.p`margin-top: 8px; font-size: 14px; color: var(--w-text-quiet);`;
