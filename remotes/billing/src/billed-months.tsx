import { ErrorState, Skeleton } from '@wattle/ui';
import { lazy, Suspense } from 'react';
import { useIntl } from 'react-intl';
import { api } from './api';
import { cents } from './money';

// The charts' code is fetched when the first chart opens.
const BarsByMonth = lazy(() => import('@wattle/charts').then((m) => ({ default: m.BarsByMonth })));

/** A bar chart by month of the due date, also available as a table. A month without invoices is a gap. */
export default function Months({ agreement }: { agreement: string }) {
  const intl = useIntl();
  const billed = api.useGet('/agreements/{id}/billed', { path: { id: agreement }, query: { months: 24 } });
  if (billed.isError) return <ErrorState compact onRetry={() => void billed.refetch()} retrying={billed.isFetching} />;
  if (!billed.data) return <Skeleton shape="chart" />;
  return (
    <Suspense fallback={<Skeleton shape="chart" />}>
      <BarsByMonth
        label={intl.formatMessage({ id: 'billing.billed.label', defaultMessage: 'Billed per month, by due date' })}
        name={intl.formatMessage({ id: 'billing.billed.name', defaultMessage: 'Billed' })}
        months={billed.data.map((m) => ({ month: m.month, cents: cents(m.amount) }))}
        gap={intl.formatMessage({ id: 'billing.billed.gap', defaultMessage: 'no invoice' })}
        empty={intl.formatMessage({
          id: 'billing.billed.none',
          defaultMessage: 'Nothing has been billed in the past two years.',
        })}
      />
    </Suspense>
  );
}
