import { Disclosure, Skeleton } from '@wattle/ui';
import { lazy, Suspense, useState } from 'react';
import { FormattedMessage } from 'react-intl';

// fetched when the first one opens
const Months = lazy(() => import(/* webpackChunkName: "later" */ './billed-months'));

/** The invoiced amount per month; its code is fetched when it is opened. */
export function Billed({ agreement }: { agreement: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure
      title={<FormattedMessage id="billing.billed.title" defaultMessage="Billed per month" />}
      open={open}
      onToggle={setOpen}
    >
      {open && (
        <Suspense fallback={<Skeleton shape="chart" />}>
          <Months agreement={agreement} />
        </Suspense>
      )}
    </Disclosure>
  );
}
