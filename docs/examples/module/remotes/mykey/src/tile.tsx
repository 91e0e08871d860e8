// {tile}
import { ErrorState, Skeleton, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';

/** The tile on the dashboard. */
export default function Tile() {
  const notes = api.useGet('/mykey');
  if (notes.isPending) return <Skeleton shape="row" count={2} />;
  if (notes.isError) return <ErrorState compact onRetry={() => void notes.refetch()} retrying={notes.isFetching} />;
  return (
    <Stack gap={16}>
      <p>
        <FormattedMessage
          id="mykey.tile.count"
          defaultMessage="{count, plural, =0 {No notes yet.} one {# note.} other {# notes.}}"
          values={{ count: notes.data.items.length }}
        />
      </p>
      <TextLink href="/mykey">
        <FormattedMessage id="mykey.tile.more" defaultMessage="See all" />
      </TextLink>
    </Stack>
  );
}
// {/tile}
