import { ErrorState, Skeleton, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';

/** The dashboard tile with the number of current outages near the customer. */
export default function Tile() {
  const near = api.useGet('/outages');
  if (near.isPending) return <Skeleton shape="row" count={2} />;
  if (near.isError) return <ErrorState compact onRetry={() => void near.refetch()} retrying={near.isFetching} />;
  return (
    <Stack gap={16}>
      <p>
        <FormattedMessage
          id="outages.tile.active"
          defaultMessage="{active, plural, =0 {No outages near you now.} one {# outage near you now.} other {# outages near you now.}}"
          values={{ active: near.data.items.filter((o) => o.state === 'active').length }}
        />
      </p>
      <TextLink href="/outages">
        <FormattedMessage id="outages.tile.more" defaultMessage="See all" />
      </TextLink>
    </Stack>
  );
}
