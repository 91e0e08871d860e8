import { useParams } from '@wattle/sdk';
import { Badge, EmptyState, ErrorState, Page, Stack, TextLink, Tip } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { AgreementUsage } from './agreement-usage';
import { type Agreement, api, billing, type Connection } from './api';
import { connectionsOf, openAtFirst, placeOf, sortAgreements } from './connection.rules';
import { Folded } from './folded';
import { WaitingBlock } from './waiting';

/** 2.1-usage-route: a block per agreement; the first, or the one in the path, is open. */
export default function UsagePage() {
  const intl = useIntl();
  const { agreementId } = useParams();
  const agreements = billing.useGet('/agreements');
  const connections = api.useGet('/connections');
  const failed = [agreements, connections].filter((q) => q.isError);
  const all = sortAgreements(agreements.data ?? []);
  const first = openAtFirst(all, agreementId);
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="usage.title" defaultMessage="Usage" />}
      sentence={
        <>
          <FormattedMessage id="usage.intro" defaultMessage="What you use and feed in." />
          <InLine>
            <Tip label={intl.formatMessage({ id: 'usage.tip', defaultMessage: 'What does this cost?' })}>
              <FormattedMessage
                id="usage.tip_text"
                defaultMessage="Under Costs you see what your usage costs. What you pay is on your invoice. <link>To your invoices</link>"
                values={{
                  link: (words) => (
                    <TextLink key="link" href="/invoices">
                      {words}
                    </TextLink>
                  ),
                }}
              />
            </Tip>
          </InLine>
        </>
      }
    >
      {failed.length > 0 ? (
        <ErrorState retrying={failed.some((q) => q.isFetching)} onRetry={() => void failed.map((q) => q.refetch())} />
      ) : !agreements.data || !connections.data ? (
        <WaitingBlock />
      ) : all.length === 0 ? (
        <EmptyState
          illustration="house"
          title={<FormattedMessage id="usage.no_agreements" defaultMessage="You have no contract with us yet" />}
        >
          <FormattedMessage id="usage.no_agreements_text" defaultMessage="Once you have one, you see here what you use." />
        </EmptyState>
      ) : (
        <Stack gap={16}>
          {all.map((a) => (
            <Block
              key={`${a.agreement_identifier_with_sequence} ${agreementId ?? ''}`}
              agreement={a}
              connections={connectionsOf(a, connections.data ?? [])}
              open={a === first}
            />
          ))}
        </Stack>
      )}
    </Page>
  );
}

/** A block fetches its data when it is first opened. */
function Block({ agreement, connections, open }: { agreement: Agreement; connections: readonly Connection[]; open: boolean }) {
  return (
    <Folded
      level={2}
      defaultOpen={open}
      title={
        <Name>
          <span>{agreement.name}</span>
          <small>
            <span>{[placeOf(agreement), agreement.agreement_identifier_with_sequence].filter(Boolean).join('\u00a0· ')}</span>
            {agreement.status !== 'ACTIVE' && <Status status={agreement.status} />}
          </small>
        </Name>
      }
    >
      <AgreementUsage agreement={agreement} connections={connections} />
    </Folded>
  );
}

function Status({ status }: { status: string }) {
  return (
    <Badge>
      <FormattedMessage
        id="usage.status"
        defaultMessage="{status, select, TERMINATED {Ended} FUTURE {Starts soon} CANCELLED {Cancelled} other {{status}}}"
        values={{ status }}
      />
    </Badge>
  );
}

/** A target of 44 px that does not increase the height of its line. */
const InLine = styled.span`display: inline-block; margin-block: -14px; vertical-align: middle;`;
const Name = styled.span`
  display: flex; flex-direction: column; gap: 4px; line-height: 1.3; padding: 4px 0;
  small { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; font-size: 14px; font-weight: 400; color: var(--w-text-quiet); }
`;
