import { useToday } from '@wattle/sdk';
import { ErrorState, Notice, Skeleton, Stack } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { streetLine } from './address.rules';
import { api, type MoveRequest } from './api';
import { addDays } from './dates.rules';
import { MoveDetails } from './pending-moves';

/** Returns whether a move is shown: it is being processed, is in the future, or was rejected this month. */
const isCurrent = (m: MoveRequest, today: string): boolean =>
  m.state === 'PENDING' ||
  (m.state === 'PROCESSED' ? (m.stop_date ?? m.start_date) >= today : (m.decided ?? '') >= addDays(today, -30));

/** Returns the query for all moves, and the moves to show. */
export function useCurrentMoves() {
  const list = api.useGet('/moves');
  const today = useToday();
  return { list, moves: list.data?.filter((m) => isCurrent(m, today)) };
}

/** On the account page: submitted moves, until they are completed. */
export default function AccountMoves({ hide }: { hide(): void }) {
  const { list, moves } = useCurrentMoves();
  const none = moves?.length === 0;
  useEffect(() => {
    if (none) hide();
  }, [none, hide]);
  if (list.isError) return <ErrorState compact onRetry={() => void list.refetch()} retrying={list.isFetching} />;
  if (!moves) return <Skeleton shape="row" count={2} />;
  return (
    <Stack gap={32}>
      {moves.map((m) =>
        m.state === 'REJECTED' ? (
          <Notice
            key={m.id}
            tone="negative"
            title={
              <FormattedMessage
                id="move.rejected"
                defaultMessage="Your move to {address} is not possible"
                values={{ address: `${streetLine(m.new_address)}, ${m.new_address.city}` }}
              />
            }
          >
            {m.reason}
          </Notice>
        ) : (
          <MoveDetails key={m.id} move={m} level={4} />
        ),
      )}
    </Stack>
  );
}
