import { clockAt, useDownload, usePortal, useProblemText, useToday } from '@wattle/sdk';
import { Badge, Button, formatDay, Icon, Timeline, type TimelineItem } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { streetLine } from './address.rules';
import type { MoveRequest } from './api';

/** The past and next steps of a move, with their days. */
export function MoveTimeline({ move }: { move: MoveRequest }) {
  const { timeZone } = usePortal();
  const today = useToday();
  const on = (day: string) => <FormattedMessage id="move.on" defaultMessage="on {day}" values={{ day: formatDay(day) }} />;
  const processed = move.state === 'PROCESSED';
  const items: TimelineItem[] = [
    {
      title: <FormattedMessage id="move.timeline.asked" defaultMessage="Requested" />,
      text: on(clockAt(move.filed, timeZone).day),
      state: 'done',
    },
    {
      title: processed ? (
        <FormattedMessage id="move.timeline.processed" defaultMessage="Processed" />
      ) : (
        <FormattedMessage id="move.timeline.pending" defaultMessage="Being processed" />
      ),
      text:
        processed && move.decided ? (
          on(clockAt(move.decided, timeZone).day)
        ) : (
          <FormattedMessage id="move.timeline.pending_text" defaultMessage="usually within 2 working days; you get an email" />
        ),
      state: processed ? 'done' : 'now',
    },
    {
      title: (
        <FormattedMessage
          id="move.timeline.start"
          defaultMessage="We supply {address}"
          values={{ address: streetLine(move.new_address) }}
        />
      ),
      text: (
        <FormattedMessage id="move.timeline.since" defaultMessage="from {day}" values={{ day: formatDay(move.start_date) }} />
      ),
      state: !processed ? 'next' : move.start_date <= today ? 'done' : 'now',
    },
  ];
  if (move.stop_date)
    items.push({
      title: (
        <FormattedMessage
          id="move.timeline.stop"
          defaultMessage="Delivery at {address} ends"
          values={{ address: streetLine(move.old_address) }}
        />
      ),
      text: on(move.stop_date),
      state: processed && move.stop_date < today ? 'done' : 'next',
    });
  return <Timeline items={items} />;
}

export function MoveStatus({ state }: { state: MoveRequest['state'] }) {
  const tone = ({ PENDING: 'warning', PROCESSED: 'positive', REJECTED: 'negative' } as const)[state];
  return (
    <Badge tone={tone} icon={state === 'PENDING' ? 'clock' : state === 'PROCESSED' ? 'check' : 'alert'}>
      <FormattedMessage
        id="move.state"
        defaultMessage="{state, select, PENDING {being processed} PROCESSED {processed} other {not possible}}"
        values={{ state }}
      />
    </Badge>
  );
}

/** Downloads the days of a move as a calendar file; a failure is shown below the button. */
export function CalendarDownload({ id }: { id: string }) {
  const intl = useIntl();
  const text = useProblemText();
  const { download, busy, problem } = useDownload();
  return (
    <Held>
      <Button icon="calendar-add" loading={busy} onClick={() => void download('/moves/{id}/calendar', { path: { id } })}>
        {intl.formatMessage({ id: 'move.calendar', defaultMessage: 'Add to calendar' })}
      </Button>
      {problem && (
        <ErrorText role="alert">
          <Icon name="alert" size={16} />
          <span>{text(problem)}</span>
        </ErrorText>
      )}
    </Held>
  );
}

const Held = styled.div`display: flex; flex-direction: column; gap: 4px;`;
const ErrorText = styled.div`display: flex; gap: 6px; font-size: 14px; color: var(--w-negative); svg { margin-top: 3px; flex: none; }`;
