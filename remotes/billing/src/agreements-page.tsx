import { useParams } from '@wattle/sdk';
import { Disclosure, EmptyState, ErrorState, Page, Skeleton, Stack } from '@wattle/ui';
import { useEffect, useRef } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, byStart, openAtFirst, titleOf } from './agreement.rules';
import { AgreementPanel } from './agreement-panel';
import { api } from './api';
import { AgreementStatus } from './texts';

export default function AgreementsPage() {
  const { agreementId } = useParams();
  const agreements = api.useGet('/agreements');
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="billing.agreements.title" defaultMessage="Contracts" />}
      sentence={
        <FormattedMessage
          id="billing.agreements.intro"
          defaultMessage="What we have agreed with you: prices, addresses and documents per contract."
        />
      }
    >
      {agreements.isPending ? (
        <Skeleton shape="row" count={3} />
      ) : agreements.isError ? (
        <ErrorState onRetry={() => void agreements.refetch()} retrying={agreements.isFetching} />
      ) : agreements.data?.length ? (
        <Panels key={agreementId} agreements={byStart(agreements.data)} asked={agreementId} />
      ) : (
        <EmptyState title={<FormattedMessage id="billing.agreements.none" defaultMessage="There are no contracts yet" />}>
          <FormattedMessage
            id="billing.agreements.none_text"
            defaultMessage="A contract appears here as soon as we have processed it."
          />
        </EmptyState>
      )}
    </Page>
  );
}

/** 2.1-agreements-route, 2.1-agreements-order: a panel per agreement, newest first; panels open independently. */
function Panels({ agreements, asked }: { agreements: readonly Agreement[]; asked: string | undefined }) {
  const first = openAtFirst(agreements, asked);
  const wanted = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (asked && first !== agreements[0]?.agreement_identifier_with_sequence) wanted.current?.scrollIntoView({ block: 'start' });
  }, [asked, first, agreements]);
  return (
    <Stack as="ul" gap={12}>
      {agreements.map((a) => {
        const id = a.agreement_identifier_with_sequence;
        return (
          <Panel key={id} ref={id === first ? wanted : undefined}>
            <Disclosure
              level={2}
              title={<Name>{titleOf(a.name)}</Name>}
              summary={<AgreementStatus status={a.status} />}
              defaultOpen={id === first}
            >
              <AgreementPanel agreement={a} />
            </Disclosure>
          </Panel>
        );
      })}
    </Stack>
  );
}

const Panel = styled.li`list-style: none; scroll-margin-top: 80px;`;
const Name = styled.span`font-size: 20px; line-height: 1.3; @media (max-width: 767px) { font-size: 16px; }`;
