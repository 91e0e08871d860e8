import { Card, Page, Row, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { streetLine } from './address.rules';
import type { MoveRequest } from './api';
import { Contact, Quiet } from './texts';
import { CalendarDownload, MoveStatus, MoveTimeline } from './timeline';

/** Shown instead of the form if every agreement already has a pending move: the moves, and how to change them. */
export function PendingMoves({ moves }: { moves: readonly MoveRequest[] }) {
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
        <Card key={m.id}>
          <MoveDetails move={m} />
        </Card>
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

/** A move with its status, next steps and calendar file. */
export function MoveDetails({ move, level = 2 }: { move: MoveRequest; level?: 2 | 4 }) {
  return (
    <Stack gap={16}>
      <Row gap={8} justify="between" wrap>
        <Name as={`h${level}`}>
          <FormattedMessage
            id="move.to"
            defaultMessage="To {address}"
            values={{ address: `${streetLine(move.new_address)}, ${move.new_address.city}` }}
          />
        </Name>
        <MoveStatus state={move.state} />
      </Row>
      <MoveTimeline move={move} />
      <CalendarDownload id={move.id} />
    </Stack>
  );
}

const Name = styled.h2`font-size: 16px;`;
