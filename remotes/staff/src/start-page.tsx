import { type Path, useMay, useNavigate } from '@wattle/sdk';
import { Card, EmptyState, ErrorState, formatNumber, Icon, type IconName, Page, Skeleton, Stack, TextLink } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, type Change, useHasMarket } from './api';
import { perCustomer } from './change.rules';
import { Quiet, Search, Small } from './listing';
import { Age, Asked, useKind } from './texts';
import { useCustomers } from './use-customers';

/** Request kinds that have their own page. */
const separateKinds = ['onboarding.application', 'marketplace.access', 'marketplace.offer'];

/** Maximum number of requests shown, and maximum number in a response. */
const maxShown = 5;
const maxListed = 200;

/** A queue with its own page. */
interface Other {
  id: string;
  count: number;
  to: Path;
  title: ReactNode;
}

/** The requests that need a decision, oldest first, and a search for a customer, who may be on the phone. */
export default function StartPage() {
  const navigate = useNavigate();
  const summary = api.useGet('/staff/changes/summary');
  const market = useHasMarket();
  const registers = useMay('onboarding.listApplications').ok;
  const payments = api.useGet('/sustainable/staff/payments', { query: { attention: true } }, { enabled: market });
  const counts = summary.data ?? {};
  const total = Object.entries(counts).reduce((sum, [kind, n]) => (separateKinds.includes(kind) ? sum : sum + n), 0);
  // The list also contains the requests in the other queues, which may be older than all of these.
  const separate = separateKinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const limit = Math.min(maxListed, Math.max(25, maxShown + separate));
  const list = api.useGet('/staff/changes', { query: { state: 'PENDING', oldest: true, limit } });
  const oldest = (list.data?.items ?? []).filter((c) => !separateKinds.includes(c.kind)).slice(0, maxShown);
  const customers = useCustomers(oldest);
  const others: Other[] = [
    ...(registers || market
      ? [
          {
            id: 'applications',
            count: (counts['onboarding.application'] ?? 0) + (counts['marketplace.access'] ?? 0),
            to: '/staff/applications' as const,
            title: <FormattedMessage id="staff.applications.title" defaultMessage="Applicants" />,
          },
        ]
      : []),
    ...(market
      ? [
          {
            id: 'offers',
            count: counts['marketplace.offer'] ?? 0,
            to: '/staff/offers' as const,
            title: <FormattedMessage id="staff.start.offers" defaultMessage="Offers to approve" />,
          },
          {
            id: 'payments',
            count: payments.data?.totalElements ?? 0,
            to: '/staff/orders?tab=payments' as const,
            title: <FormattedMessage id="staff.start.payments" defaultMessage="Payments to look at" />,
          },
        ]
      : []),
  ];
  const waits = summary.isPending || list.isPending;
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="staff.start.title" defaultMessage="To do" />}
      sentence={<FormattedMessage id="staff.start.intro" defaultMessage="Everything that needs a decision, the oldest first." />}
    >
      {waits ? (
        <Skeleton shape="card" count={2} />
      ) : summary.isError ? (
        <ErrorState onRetry={() => void summary.refetch()} retrying={summary.isFetching} />
      ) : total + others.reduce((sum, o) => sum + o.count, 0) === 0 ? (
        <EmptyState illustration="sent" title={<FormattedMessage id="staff.start.none" defaultMessage="Nothing to do" />}>
          <FormattedMessage
            id="staff.start.none_text"
            defaultMessage="Everything has been decided. New requests appear here by themselves."
          />
        </EmptyState>
      ) : (
        <Columns $two={others.length > 0}>
          <Queue count={total} title={<FormattedMessage id="staff.changes.title" defaultMessage="Changes" />}>
            {total > 0 && (
              <List>
                {perCustomer(oldest).map((group) => (
                  <li key={group[0]?.id}>
                    <h3>
                      {(group[0] && customers.nameOf(group[0])) ||
                        (!customers.isPending && <FormattedMessage id="staff.unnamed" defaultMessage="Name unknown" />)}
                      <Small as="span">{group[0] && customers.numberOf(group[0])}</Small>
                    </h3>
                    <ul>
                      {group.map((c) => (
                        <Waiting key={c.id} change={c} />
                      ))}
                    </ul>
                  </li>
                ))}
              </List>
            )}
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
          </Queue>
          <Stack gap={24}>
            {others.map((o) => (
              <Queue key={o.id} count={o.count} title={o.title}>
                {o.count > 0 && (
                  <TextLink href={o.to}>
                    <FormattedMessage id="staff.start.look" defaultMessage="View" />
                  </TextLink>
                )}
              </Queue>
            ))}
          </Stack>
        </Columns>
      )}
      {!waits && (
        <Card>
          <Search
            value=""
            onSearch={(q) => q && navigate('/staff/customers', { state: { q } })}
            label={<FormattedMessage id="staff.find" defaultMessage="Find a customer" />}
            hint={<FormattedMessage id="staff.find_hint" defaultMessage="Customer number, email address or surname" />}
          />
        </Card>
      )}
    </Page>
  );
}

/** A queue with its number of pending items, which may be 0. */
function Queue({ title, count, children }: { title: ReactNode; count: number; children: ReactNode }) {
  return (
    <Card
      title={
        <>
          {title} <Count>({formatNumber(count)})</Count>
        </>
      }
    >
      {count === 0 ? (
        <Done>
          <Icon name="check" size={20} />
          <FormattedMessage id="staff.start.none" defaultMessage="Nothing to do" />
        </Done>
      ) : (
        children
      )}
    </Card>
  );
}

const icons: Record<string, IconName> = {
  'account.phone': 'phone',
  'account.email': 'mail',
  'account.username': 'user',
  'billing.iban': 'card',
  'billing.term_amount': 'savings',
  'move.request': 'move',
};

/** A request, with the current value, the new value and the waiting time. */
function Waiting({ change: c }: { change: Change }) {
  const kindOf = useKind();
  return (
    <li>
      <Go href={`/staff/changes?id=${c.id}`}>
        <Icon name={icons[c.kind] ?? 'edit'} size={20} />
        <span>
          {kindOf(c.kind)}
          <Small>
            <Asked change={c} />
          </Small>
        </span>
        <Quiet>
          <Age at={c.filed} />
        </Quiet>
        <Icon name="right" size={20} />
      </Go>
    </li>
  );
}

/** The change queue has two thirds of the width. */
const Columns = styled.div<{ $two: boolean }>`
  display: grid; gap: 24px; align-items: start;
  ${(p) => p.$two && '@media (min-width: 960px) { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); }'}
`;
const Count = styled.span`font-weight: 400; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;`;
const Done = styled.p`display: flex; align-items: center; gap: 8px; color: var(--w-text-quiet); svg { color: var(--w-positive); }`;
const All = styled.div`margin-top: 24px;`;
const List = styled.ul`
  list-style: none; margin: 0 -12px -12px; ul { list-style: none; padding: 0; } li + li { border-top: 1px solid var(--w-line); }
  > li { padding-top: 8px; } > li + li { margin-top: 8px; padding-top: 16px; } h3 { padding: 0 12px; font-size: 16px; overflow-wrap: anywhere; } h3 span { margin-inline-start: 8px; font-weight: 400; }
`;
const Go = styled(TextLink)`
  && { display: flex; align-items: center; gap: 12px; min-height: 64px; padding: 8px 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  &:hover { background: var(--w-tint); } > span:nth-child(2) { flex: 1; min-width: 0; font-weight: 600; }
  svg { color: var(--w-text-quiet); flex: none; }
  @media (max-width: 767px) { && { flex-wrap: wrap; gap: 4px 12px; } > span:nth-child(3) { order: 1; flex-basis: 100%; padding-left: 32px; font-size: 14px; } }
`;
