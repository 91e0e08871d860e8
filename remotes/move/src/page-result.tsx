import { focusTitle, Illustration, LinkButton, Page, Row, Skeleton } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { streetLine, townLine } from './address.rules';
import { api, type MoveRequest } from './api';
import { OtherEnergy } from './other-energy';
import { useFailure } from './texts';
import { CalendarDownload, MoveTimeline } from './timeline';
import type { OtherCommodity } from './wizard.rules';

/**
 * The submitted move, kept per tab after the draft has been cleared, so that a reload of the last page still shows the thank-you
 * text.
 */
export interface SentMove {
  agreement: string;
  /** Commodities that do not move; absent if there are none. */
  others?: readonly OtherCommodity[];
}

/** Page 4: a thank-you text with the next steps, or an error if nothing was submitted (8-move-page4-no-success). */
export function ResultPage({ sent, moved }: { sent: SentMove | null; moved: boolean }) {
  const moves = api.useGet('/moves', {}, { enabled: sent !== null });
  const failure = useFailure();
  useEffect(() => {
    if (moved) focusTitle();
  }, [moved]);
  if (!sent)
    return (
      <Page width="form" title={<FormattedMessage id="move.result.bad" defaultMessage="Your move has not been sent" />}>
        <Illustration name="error" size={120} />
        <p role="alert">{failure(500)}</p>
        <div>
          <LinkButton href="/move" variant="primary">
            <FormattedMessage id="move.result.again" defaultMessage="Back to your move" />
          </LinkButton>
        </div>
      </Page>
    );
  const move = moves.data?.find((m: MoveRequest) => m.agreement_identifier_with_sequence === sent.agreement);
  return (
    <Page
      width="form"
      title={<FormattedMessage id="move.result.title" defaultMessage="Thank you, your move has been requested" />}
      sentence={
        <FormattedMessage
          id="move.result.text"
          defaultMessage="We usually process it within 2 working days. You get a confirmation by email, and you can follow it under My details."
        />
      }
    >
      <Illustration name="sent" size={120} />
      {move ? (
        <>
          <strong>
            {streetLine(move.new_address)}, {townLine(move.new_address)}
          </strong>
          <MoveTimeline move={move} />
        </>
      ) : (
        moves.isPending && <Skeleton shape="row" count={3} />
      )}
      <OtherEnergy others={sent.others ?? []} />
      <Row gap={12} wrap>
        <LinkButton href="/account" variant="primary">
          <FormattedMessage id="move.result.follow" defaultMessage="Follow your move" />
        </LinkButton>
        {move && <CalendarDownload id={move.id} />}
      </Row>
    </Page>
  );
}
