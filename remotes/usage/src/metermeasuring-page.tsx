import { useToday } from '@wattle/sdk';
import { Card, EmptyState, ErrorState, Page, Section, Skeleton, Stack } from '@wattle/ui';
import { lazy, Suspense } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, billing } from './api';
import { connectionsOf, hasDelivered, placeOf, sortAgreements } from './connection.rules';

// in the same file as what opens below the charts of /usage
const ConnectionReadings = lazy(async () => ({
  default: (await import(/* webpackChunkName: "later" */ './readings')).ConnectionReadings,
}));

/** 2.1-metermeasuring-route: the readings of every meter, by agreement. */
export default function MeterMeasuringPage() {
  const today = useToday();
  const agreements = billing.useGet('/agreements');
  const connections = api.useGet('/connections');
  const failed = [agreements, connections].filter((q) => q.isError);
  const groups = sortAgreements(agreements.data ?? [])
    .filter((agreement) => hasDelivered(agreement, today))
    .map((agreement) => ({ agreement, own: connectionsOf(agreement, connections.data ?? []) }))
    .filter(({ own }) => own.length > 0);
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="usage.meters.title" defaultMessage="Meter readings" />}
      sentence={
        <FormattedMessage
          id="usage.meters.intro"
          defaultMessage="What your meters showed, and what you used since the reading before."
        />
      }
    >
      {failed.length > 0 ? (
        <ErrorState retrying={failed.some((q) => q.isFetching)} onRetry={() => void failed.map((q) => q.refetch())} />
      ) : !agreements.data || !connections.data ? (
        <Skeleton shape="card" count={2} />
      ) : groups.length === 0 ? (
        <EmptyState title={<FormattedMessage id="usage.meters.none" defaultMessage="No meter of yours is known to us yet" />}>
          <FormattedMessage id="usage.meters.none_text" defaultMessage="It appears here once your contract has been processed." />
        </EmptyState>
      ) : (
        groups.map(({ agreement, own }) => (
          <Section
            key={agreement.agreement_identifier_with_sequence}
            title={placeOf(agreement) || agreement.name}
            sentence={`${agreement.name} · ${agreement.agreement_identifier_with_sequence}`}
          >
            <Stack gap={16}>
              {own.map((c) => (
                <Card key={c.ean_code}>
                  <Suspense fallback={waiting}>
                    <ConnectionReadings level={3} few={6} connection={c} agreement={agreement} />
                  </Suspense>
                </Card>
              ))}
            </Stack>
          </Section>
        ))
      )}
    </Page>
  );
}

/** On a phone as high as the heading of a connection and its readings, which are cards there (9-pages-still). */
const Waiting = styled.div`@media (max-width: 767px) { min-height: 912px; }`;
const waiting = (
  <Waiting>
    <Skeleton shape="row" count={7} />
  </Waiting>
);
