import { Disclosure, ErrorState, Skeleton } from '@wattle/ui';
import { lazy, Suspense, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { api } from './api';

// Charts are fetched when the first one is opened.
const BilledChart = lazy(() => import('./billed-chart'));

/** What was billed, month by month: fetched when it is opened. */
export function Billed({ agreement }: { agreement: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure
      title={<FormattedMessage id="billing.billed.title" defaultMessage="Billed per month" />}
      open={open}
      onToggle={setOpen}
    >
      {open && <Months agreement={agreement} />}
    </Disclosure>
  );
}

function Months({ agreement }: { agreement: string }) {
  const billed = api.useGet('/agreements/{id}/billed', { path: { id: agreement }, query: { months: 24 } });
  if (billed.isError) return <ErrorState compact onRetry={() => void billed.refetch()} retrying={billed.isFetching} />;
  if (!billed.data) return <Skeleton shape="chart" />;
  return (
    <Suspense fallback={<Skeleton shape="chart" />}>
      <BilledChart months={billed.data} />
    </Suspense>
  );
}
