import { Button, EmptyState } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

/** A chart that could not be loaded, with a retry button (8-production-failed). */
export function NoData({ onRetry, retrying }: { onRetry(): void; retrying: boolean }): ReactNode {
  return (
    <EmptyState
      title={<FormattedMessage id="production.no_data" defaultMessage="There is no data right now" />}
      action={
        <Button icon="retry" small onClick={onRetry} loading={retrying}>
          <FormattedMessage id="production.weather.retry" defaultMessage="Try again" />
        </Button>
      }
    />
  );
}
