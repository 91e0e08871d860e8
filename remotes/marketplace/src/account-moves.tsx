import { useMay, useNotify } from '@wattle/sdk';
import { Button, CivilDate, ErrorState, Facts, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type FutureMove, may } from './api';
import { blockReason, FailedAction } from './own';
import { placeLine } from './place.rules';
import { Shares } from './texts';

/** On the account page: planned moves of shares to another address (7.6-get-future-moves). */
export default function AccountMoves() {
  const moves = api.useGet('/sustainable/participations/moves');
  if (moves.isError) return <ErrorState compact onRetry={() => void moves.refetch()} retrying={moves.isFetching} />;
  if (!moves.data) return <Skeleton shape="row" count={1} />;
  if (moves.data.length === 0)
    return (
      <p>
        <FormattedMessage id="marketplace.moves.none" defaultMessage="None of your shares is going to move to another address." />
      </p>
    );
  return (
    <Stack gap={24}>
      {moves.data.map((m) => (
        <Move key={m.id} move={m} />
      ))}
    </Stack>
  );
}

function Move({ move: m }: { move: FutureMove }) {
  const intl = useIntl();
  const notify = useNotify();
  const allowed = useMay(may.cancelMove);
  const cancel = api.useWrite('delete', '/sustainable/participations/moves/{id}', { changes: changes.move });
  const submit = () =>
    cancel.mutate(
      { body: undefined, path: { id: m.id } },
      {
        onSuccess: () =>
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage({
              id: 'marketplace.moves.cancelled',
              defaultMessage: 'The move has been cancelled.',
            }),
          }),
      },
    );
  return (
    <Stack gap={12}>
      <Facts
        items={[
          { label: <CivilDate day={m.date} />, value: <Shares n={m.shares} /> },
          { label: <FormattedMessage id="marketplace.moves.from" defaultMessage="From" />, value: placeLine(m.old_address) },
          { label: <FormattedMessage id="marketplace.moves.to" defaultMessage="To" />, value: placeLine(m.address) },
        ]}
      />
      <FailedAction of={cancel} retry={submit} />
      <div>
        <Button small loading={cancel.isPending} disabledReason={blockReason(allowed)} onClick={submit}>
          <FormattedMessage id="marketplace.moves.cancel" defaultMessage="Cancel this move" />
        </Button>
      </div>
    </Stack>
  );
}
