import { useQuery } from '@tanstack/react-query';
import { call, type ProblemError } from '@wattle/sdk/host';
import { Button, ErrorState, Page } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useSession, useShell } from './context';

/**
 * 8-relation-load-failed: if the customer's details cannot be loaded, a message replaces menu and content. Staff have no details.
 * The query key is that of useGet, because pages read the same response.
 */
export function Relation({ children }: { children: (unavailable: ReactNode | undefined) => ReactNode }): ReactNode {
  const { portal } = useShell();
  const session = useSession();
  const relation = useQuery<unknown, ProblemError>({
    queryKey: ['/relations', {}],
    queryFn: async ({ signal }) => (await call('get', '/relations', { signal })) ?? null,
    enabled: session?.role === 'customer' && 'account.getRelation' in portal.operations,
  });
  if (!relation.isError || relation.data !== undefined) return children(undefined);
  return children(<Unavailable problem={relation.error} retry={() => void relation.refetch()} retrying={relation.isFetching} />);
}

function Unavailable({ problem, retry, retrying }: { problem: ProblemError; retry(): void; retrying: boolean }): ReactNode {
  const intl = useIntl();
  const { portal, session } = useShell();
  const missing = problem.status === 404;
  return (
    <Page title={<FormattedMessage id="shell.relation.title" defaultMessage="Your details are not available" />}>
      <ErrorState
        title={
          missing
            ? intl.formatMessage({ id: 'shell.relation.missing', defaultMessage: 'We are still getting your details ready' })
            : intl.formatMessage({ id: 'shell.relation.failed', defaultMessage: 'We cannot get your details right now' })
        }
        {...(missing ? {} : { onRetry: retry, retrying })}
      >
        {missing
          ? intl.formatMessage(
              {
                id: 'shell.relation.missing_text',
                defaultMessage: 'This usually takes one working day. Is it taking longer? Call {phone}.',
              },
              { phone: portal.label.phone },
            )
          : intl.formatMessage({
              id: 'shell.relation.failed_text',
              defaultMessage: 'It is our fault, not yours. Nothing is lost; try again in a moment.',
            })}
      </ErrorState>
      <div>
        <Button icon="sign-out" onClick={() => void session.signOut()}>
          <FormattedMessage id="shell.sign_out" defaultMessage="Sign out" />
        </Button>
      </div>
    </Page>
  );
}
