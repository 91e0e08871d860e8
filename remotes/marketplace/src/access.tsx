import { useMay, useProblemText, useSettings } from '@wattle/sdk';
import { Alert, Button, EmptyState, ErrorState, Skeleton } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import { api, changes, type MarketSettings, may } from './api';

/**
 * Renders its children for members with access to the market (6-market-access-approval); for others the reason, and how to request
 * access.
 */
export function MarketAccess({ children }: { children: ReactNode }) {
  const asks = useSettings<MarketSettings>().access?.approval ?? false;
  const access = api.useGet('/sustainable/access', {}, { enabled: asks });
  if (!asks) return children;
  if (access.isError) return <ErrorState onRetry={() => void access.refetch()} retrying={access.isFetching} />;
  if (!access.data) return <Skeleton shape="card" />;
  const { state } = access.data;
  return state === 'OPEN' || state === 'APPROVED' ? children : <AccessRequest state={state} />;
}

function AccessRequest({ state }: { state: 'NONE' | 'PENDING' | 'REJECTED' }) {
  const text = useProblemText();
  const allowed = useMay(may.requestAccess);
  const ask = api.useWrite('post', '/sustainable/access', { changes: changes.access });
  return (
    <>
      {ask.error && <Alert>{text(ask.error)}</Alert>}
      <EmptyState
        title={
          <FormattedMessage
            id="marketplace.access.title"
            defaultMessage="{state, select, PENDING {We are looking at your request} REJECTED {Your request was refused} other {Ask for access first}}"
            values={{ state }}
          />
        }
        action={
          state !== 'PENDING' && (
            <Button
              variant="primary"
              loading={ask.isPending}
              disabledReason={allowed.ok ? undefined : allowed.reason}
              onClick={() => ask.mutate({ body: undefined })}
            >
              <FormattedMessage id="marketplace.access.ask" defaultMessage="Ask for access" />
            </Button>
          )
        }
      >
        <FormattedMessage
          id="marketplace.access.text"
          defaultMessage="{state, select, PENDING {You get an email, usually within 2 working days.} other {You can buy and sell shares once we let you in, usually within 2 working days.}}"
          values={{ state }}
        />
      </EmptyState>
    </>
  );
}
