import { type Path, useNavigate } from '@wattle/sdk';
import { Big, Card, EmptyState, ErrorState, formatNumber, Grid, Icon, Page, Skeleton, Stack, TextLink } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, useHasMarket } from './api';
import { requesterOf } from './change.rules';
import { Quiet, Search, Small } from './listing';
import { Age, useDays, useKind } from './texts';

/** Kinds of requests that have a page of their own. */
const separateKinds = ['onboarding.application', 'marketplace.access', 'marketplace.offer'];

/** What is waiting, the oldest first, and a search for a customer, who may be on the phone. */
export default function StartPage() {
  const navigate = useNavigate();
  const summary = api.useGet('/staff/changes/summary');
  const market = useHasMarket();
  const payments = api.useGet('/sustainable/staff/payments', { query: { attention: true } }, { enabled: market });
  const kindOf = useKind();
  const counts = summary.data ?? {};
  const total = Object.entries(counts).reduce((sum, [kind, n]) => (separateKinds.includes(kind) ? sum : sum + n), 0);
  const list = api.useGet('/staff/changes', { query: { state: 'PENDING', oldest: true, limit: 25 } });
  const oldest = (list.data?.items ?? []).filter((c) => !separateKinds.includes(c.kind)).slice(0, 5);
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
      {summary.isPending || list.isPending ? (
        <Skeleton shape="card" count={2} />
      ) : summary.isError ? (
        <ErrorState onRetry={() => void summary.refetch()} retrying={summary.isFetching} />
      ) : total + waiting.length === 0 ? (
        <EmptyState illustration="sent" title={<FormattedMessage id="staff.start.none" defaultMessage="Nothing is waiting" />}>
          <FormattedMessage
            id="staff.start.none_text"
            defaultMessage="Everything has been decided. New requests appear here by themselves."
          />
        </EmptyState>
      ) : (
        <Grid columns={total && waiting.length ? 2 : 1} gap={24} style={{ alignItems: 'start' }}>
          {total > 0 && (
            <Card title={<FormattedMessage id="staff.start.changes" defaultMessage="Change requests" />}>
              <Big caption={total > 1 && oldest[0] && <Oldest at={oldest[0].filed} />}>{formatNumber(total)}</Big>
              <List>
                {oldest.map((c) => (
                  <li key={c.id}>
                    <Go href={`/staff/changes?id=${c.id}`}>
                      <span>
                        {kindOf(c.kind)}
                        <Small>{requesterOf(c)}</Small>
                      </span>
                      <Quiet>
                        <Age at={c.filed} />
                      </Quiet>
                      <Icon name="right" size={20} />
                    </Go>
                  </li>
                ))}
              </List>
              {total > oldest.length && (
                <All>
                  <TextLink href="/staff/changes">
                    <FormattedMessage
                      id="staff.start.all"
                      defaultMessage="View all {n} requests"
                      values={{ n: formatNumber(total) }}
                    />
                  </TextLink>
                </All>
              )}
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

/** How long the oldest request waits. */
function Oldest({ at }: { at: string }) {
  return (
    <FormattedMessage
      id="staff.start.oldest"
      defaultMessage="{days, plural, =0 {all of them of today} one {the oldest waits # day} other {the oldest waits # days}}"
      values={{ days: useDays()(at) }}
    />
  );
}

const All = styled.div`margin-top: 24px;`;
const List = styled.ul`list-style: none; margin: 12px -12px -12px;`;
const Go = styled(TextLink)`
  && { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 0 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  &:hover { background: var(--w-tint); } > span:first-child { flex: 1; } font-variant-numeric: tabular-nums;
  svg { color: var(--w-text-quiet); }
`;
const Count = styled.div`display: flex; align-items: flex-end; justify-content: space-between; gap: 16px;`;
