import { Big, ErrorState, formatMoney, LinkButton, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { hasForecast, Outcome } from './outcome';
import { isCollected, sumRunning } from './term-amount.rules';
import { PerMonth } from './texts';

/** The total monthly amount of all agreements, and the next payment (docs/design-of-screens.md). */
export default function TermAmountTile() {
  const periodicals = api.useGet('/periodicalPayments');
  if (periodicals.isError)
    return <ErrorState compact onRetry={() => void periodicals.refetch()} retrying={periodicals.isFetching} />;
  if (!periodicals.data) return <Skeleton shape="number" />;
  const { running, total: amount } = sumRunning(periodicals.data);
  const [only] = running;
  if (!only || amount === undefined)
    return (
      <p>
        <FormattedMessage
          id="billing.tile.none"
          defaultMessage="Your monthly amount appears here once a contract with a monthly amount has started."
        />
      </p>
    );
  const [next] = running
    .flatMap((p) => (p.next_collection ? [{ day: p.next_collection, collected: isCollected(p) }] : []))
    .sort((a, b) => a.day.localeCompare(b.day));
  return (
    <Columns>
      <Stack gap={12}>
        <Big caption={<PerMonth count={running.length} day={next?.day} collected={next?.collected === true} />}>
          {formatMoney(amount)}
        </Big>
        <div>
          <LinkButton href="/periodical-payments" small icon="savings">
            <FormattedMessage id="billing.tile.view" defaultMessage="View or change" />
          </LinkButton>
        </div>
      </Stack>
      {running.length === 1 && hasForecast(only) && only.requested_new_amount === undefined && (
        <Outcome amount={amount} forecast={only} />
      )}
    </Columns>
  );
}

/** Next to each other where the tile has a row of its own. */
const Columns = styled.div`display: flex; flex-wrap: wrap; align-items: flex-start; gap: 16px 24px; > * { flex: 1 1 296px; }`;
