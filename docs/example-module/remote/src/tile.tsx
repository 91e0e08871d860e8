import { ErrorState, Skeleton, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';

/** The newest note, on the dashboard. */
export default function Tile() {
  const notes = api.useGet('/acme/notes');
  if (notes.isPending) return <Skeleton shape="row" count={2} />;
  if (notes.isError) return <ErrorState compact onRetry={() => void notes.refetch()} retrying={notes.isFetching} />;
  const newest = notes.data?.at(-1);
  return (
    <Stack gap={16}>
      <p>{newest ? newest.text : <FormattedMessage id="acme.tile.none" defaultMessage="You have no notes yet." />}</p>
      <TextLink href="/acme">
        <FormattedMessage id="acme.tile.more" defaultMessage="See your notes" />
      </TextLink>
    </Stack>
  );
}
