import { CivilDate, ErrorState, Icon, Money, Skeleton } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { type Invoice, shownAs } from './invoice.rules';
import { cents } from './money';
import { Due, NoneOpen, useOpen } from './open';

/**
 * The amount to pay over all agreements; one line if nothing is open (9-dashboard-open). The tile has no title of its own, because it
 * is not known before the invoices are (9-dashboard-lead).
 */
export default function OpenTile({ hide }: { hide(): void }) {
  const { open, periodicals, agreements, known } = useOpen();
  const latest = api.useGet('/latestInvoices'); // fetched with the rest, so that nothing moves when it arrives
  const unknown = open.isSuccess && !open.data; // an earlier release of the plugin does not have this operation
  useEffect(() => {
    if (unknown) hide();
  }, [unknown, hide]);
  if (open.isError) return <ErrorState compact onRetry={() => void open.refetch()} retrying={open.isFetching} />;
  const isPaid = known?.invoices.length === 0;
  if (!known || (isPaid && latest.isPending)) return <Skeleton shape="row" />;
  if (isPaid) return <NothingOpen latest={latest.data ?? []} />;
  return <Due open={known} periodicals={periodicals.data} agreements={agreements.data} max={3} />;
}

/** That everything is paid, and the last payment; that nothing is open while a payment is in progress, and which. */
function NothingOpen({ latest }: { latest: readonly Invoice[] }) {
  const states = latest.map((i) => shownAs(i.payment_status));
  const busy = latest[states.indexOf('progress')];
  const last = busy ?? latest[states.indexOf('paid')];
  return (
    <Line>
      <Icon name="success" size={24} />
      <p>
        <strong>
          {last && !busy && !states.includes('open') ? (
            <FormattedMessage id="billing.open.paid" defaultMessage="Everything is paid" />
          ) : (
            <NoneOpen />
          )}
        </strong>
        {last && (
          <>
            {' · '}
            <FormattedMessage
              id="billing.open.last"
              defaultMessage="{busy, select, true {{amount} is being paid} other {last payment {amount} on {day}}}"
              values={{
                busy: last === busy,
                amount: <Money cents={cents(last.amount)} />,
                day: <CivilDate day={last.due_date} />,
              }}
            />
          </>
        )}
      </p>
    </Line>
  );
}

const Line = styled.div`display: flex; align-items: center; gap: 12px; min-height: 56px; > svg { flex: none; color: var(--w-positive); }`;
