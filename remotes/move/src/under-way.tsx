import { Card, Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { streetLine } from './address.rules';
import type { Filed } from './api';
import { MoveStatus, MoveTimeline, ToCalendar } from './timeline';
import { Contact, Quiet } from './words';

/** Every agreement that can be moved is being moved: what there is to follow, instead of a form that would be refused. */
export function UnderWay({ moves }: { moves: readonly Filed[] }) {
  return (
    <Page
      width="form"
      title={<FormattedMessage id="move.under_way" defaultMessage="Your move is being processed" />}
      sentence={
        <FormattedMessage
          id="move.under_way_text"
          defaultMessage="You can request another one when this one has been processed."
        />
      }
    >
      {moves.map((m) => (
        <MoveCard key={m.id} move={m} />
      ))}
      <Quiet>
        <FormattedMessage
          id="move.under_way_change"
          defaultMessage="Has something changed? {contact}"
          values={{ contact: <Contact /> }}
        />
      </Quiet>
    </Page>
  );
}

/** A move with its status, what comes next, and its days for the calendar. */
export function MoveCard({ move, level = 2 }: { move: Filed; level?: 2 | 3 }) {
  return (
    <Card
      level={level}
      title={
        <FormattedMessage
          id="move.to"
          defaultMessage="To {address}"
          values={{ address: `${streetLine(move.new_address)}, ${move.new_address.city}` }}
        />
      }
      actions={<MoveStatus state={move.state} />}
      footer={<ToCalendar id={move.id} />}
    >
      <MoveTimeline move={move} />
    </Card>
  );
}
