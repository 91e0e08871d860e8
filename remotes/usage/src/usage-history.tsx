import type { OverlayProps } from '@wattle/sdk';
import { Skeleton } from '@wattle/ui';
import { lazy, Suspense, useEffect } from 'react';
import { decodeHistoryId } from './history-id.rules';

const HistoryList = lazy(() => import(/* webpackChunkName: "later" */ './history-list'));

/** 2.3-overlay-usage-history. An invalid id closes the overlay and shows its parent (2.3-usage-history-encoding). */
export default function UsageHistory({ params, close }: OverlayProps) {
  const id = decodeHistoryId(params.id ?? '');
  const bad = id === undefined;
  useEffect(() => {
    if (bad) close();
  }, [bad, close]);
  return (
    id && (
      <Suspense fallback={<Skeleton shape="row" count={6} />}>
        <HistoryList id={id} />
      </Suspense>
    )
  );
}
