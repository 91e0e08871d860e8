import { type Path, useNavigate } from '@wattle/sdk';
import { Big, Card, EmptyState, ErrorState, formatNumber, Grid, Icon, Page, Skeleton, Stack, TextLink } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, useHasMarket } from './api';
import { Quiet, Search } from './listing';
import { useKind } from './texts';

/** Kinds of requests that have a page of their own. */
const separateKinds = ['onboarding.application', 'marketplace.access', 'marketplace.offer'];

/** The numbers of pending requests, and a search for a customer, who may be on the phone. */
export default function StartPage() {
  const navigate = useNavigate();
  const summary = api.useGet('/staff/changes/summary');
  const market = useHasMarket();
  const payments = api.useGet('/sustainable/staff/payments', { query: { attention: true } }, { enabled: market });
  const kindOf = useKind();
  const counts = summary.data ?? {};
  const changes = Object.entries(counts).filter(([kind, n]) => n > 0 && !separateKinds.includes(kind));
  const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);
  const tiles: { id: string; count: number; to: Path; title: ReactNode }[] = [
    {
      id: 'offers',
      count: counts['marketplace.offer'] ?? 0,
      to: '/staff/offers',
      title: <FormattedMessage id="staff.start.offers" defaultMessage="Offers to approve" />,
    },
    {
      id: 'applications',
      count: (counts['onboarding.application'] ?? 0) + (counts['marketplace.access'] ?? 0),
      to: '/staff/applications',
      title: <FormattedMessage id="staff.start.applications" defaultMessage="Applications for access" />,
    },
    {
      id: 'payments',
      count: payments.data?.totalElements ?? 0,
      to: '/staff/orders?tab=payments',
      title: <FormattedMessage id="staff.start.payments" defaultMessage="Payments to look at" />,
    },
  ];
  const waiting = tiles.filter((t) => t.count > 0);
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="staff.start.title" defaultMessage="What is waiting" />}
      sentence={
        <FormattedMessage
          id="staff.start.intro"
          defaultMessage="Everything that needs a decision, and the way to your customers."
        />
      }
    >
      <Card>
        <Search
          value=""
          onSearch={(q) => q && navigate(`/staff/customers?q=${encodeURIComponent(q)}`)}
          label={<FormattedMessage id="staff.find" defaultMessage="Find a customer" />}
          hint={<FormattedMessage id="staff.find_hint" defaultMessage="Customer number, email address or surname" />}
        />
      </Card>
      {summary.isPending ? (
        <Skeleton shape="card" count={2} />
      ) : summary.isError ? (
        <ErrorState onRetry={() => void summary.refetch()} retrying={summary.isFetching} />
      ) : changes.length + waiting.length === 0 ? (
        <EmptyState illustration="sent" title={<FormattedMessage id="staff.start.none" defaultMessage="Nothing is waiting" />}>
          <FormattedMessage
            id="staff.start.none_text"
            defaultMessage="Everything has been decided. New requests appear here by themselves."
          />
        </EmptyState>
      ) : (
        <Grid columns={changes.length && waiting.length ? 2 : 1} gap={24} style={{ alignItems: 'start' }}>
          {changes.length > 0 && (
            <Card title={<FormattedMessage id="staff.start.changes" defaultMessage="Change requests" />}>
              <Count>
                <Big>{formatNumber(sum(changes.map(([, n]) => n)))}</Big>
                <TextLink href="/staff/changes">
                  <FormattedMessage id="staff.start.look" defaultMessage="View" />
                </TextLink>
              </Count>
              <List>
                {changes
                  .sort(([, a], [, b]) => b - a)
                  .map(([kind, n]) => (
                    <li key={kind}>
                      <Go href={`/staff/changes?kind=${kind}`}>
                        <span>{kindOf(kind)}</span>
                        <Quiet>{formatNumber(n)}</Quiet>
                        <Icon name="right" size={20} />
                      </Go>
                    </li>
                  ))}
              </List>
            </Card>
          )}
          <Stack gap={24}>
            {waiting.map((tile) => (
              <Card key={tile.id} title={tile.title}>
                <Count>
                  <Big>{formatNumber(tile.count)}</Big>
                  <TextLink href={tile.to}>
                    <FormattedMessage id="staff.start.look" defaultMessage="View" />
                  </TextLink>
                </Count>
              </Card>
            ))}
          </Stack>
        </Grid>
      )}
    </Page>
  );
}

const List = styled.ul`list-style: none; margin: 12px -12px -12px;`;
const Go = styled(TextLink)`
  && { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 0 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  &:hover { background: var(--w-tint); } > span:first-child { flex: 1; } font-variant-numeric: tabular-nums;
  svg { color: var(--w-text-quiet); }
`;
const Count = styled.div`display: flex; align-items: flex-end; justify-content: space-between; gap: 16px;`;
