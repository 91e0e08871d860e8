import { ErrorState, formatMoney, LinkButton, Skeleton, Stack } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { useRunning } from './term-amount-line';
import { PerMonth } from './texts';

/** The total monthly amount on the account page, with a link for changing it; hidden without one. */
export default function TermAmountSection({ hide }: { hide(): void }) {
  const { periodicals, running, total } = useRunning();
  const nothing = periodicals.isSuccess && total === undefined;
  useEffect(() => {
    if (nothing) hide();
  }, [nothing, hide]);
  if (periodicals.isError)
    return <ErrorState compact onRetry={() => void periodicals.refetch()} retrying={periodicals.isFetching} />;
  if (total === undefined) return nothing ? null : <Skeleton shape="row" />;
  return (
    <Stack gap={16}>
      <p>
        {formatMoney(total)} <PerMonth count={running.length} day={undefined} collected={false} />
      </p>
      <div>
        <LinkButton href="/periodical-payments" small icon="savings">
          <FormattedMessage id="billing.tile.view" defaultMessage="View or change" />
        </LinkButton>
      </div>
    </Stack>
  );
}
