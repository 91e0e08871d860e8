import { type Path, useMay, useNavigate } from '@wattle/sdk';
import { Card, EmptyState, ErrorState, formatNumber, Icon, type IconName, Page, Skeleton, TextLink } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api, type Change, useHasMarket } from './api';
import { oldestOf, perCustomer } from './change.rules';
import { CustomerSearch, Quiet, Small } from './listing';
import { Age, Asked, useKind } from './texts';
import { useCustomers } from './use-customers';

/** Request kinds that have their own page. */
const separateKinds = ['onboarding.application', 'marketplace.access', 'marketplace.offer'];

/** Maximum number of requests shown, and maximum number in a response. */
const maxShown = 5;
const maxListed = 200;

/** A queue, with the time of its oldest item if that is known. */
interface Queue {
  id: string;
  count: number;
  oldest?: string | undefined;
  to: Path;
  title: ReactNode;
}

/** A search for a customer, who may be on the phone, then the queues and the requests that have been waiting longest. */
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
  const listed = list.data?.items ?? [];
  const oldest = listed.filter((c) => !separateKinds.includes(c.kind)).slice(0, maxShown);
  const customers = useCustomers(oldest);
  const applications = ['onboarding.application', 'marketplace.access'];
  const queues: Queue[] = [
    {
      id: 'changes',
      count: total,
      oldest: oldest[0]?.filed,
      to: '/staff/changes',
      title: <FormattedMessage id="staff.changes.title" defaultMessage="Changes" />,
    },
    ...(registers || market
      ? [
          {
            id: 'applications',
            count: applications.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0),
            oldest: oldestOf(listed, applications),
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
            oldest: oldestOf(listed, ['marketplace.offer']),
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
    <Page width="wide" title={<FormattedMessage id="staff.start.title" defaultMessage="To do" />}>
      <CustomerSearch value="" onSearch={(q) => q && navigate('/staff/customers', { state: { q } })} />
      {waits ? (
        <>
          <PlaceOfTiles>
            <Skeleton shape="card" />
          </PlaceOfTiles>
          <Skeleton shape="row" count={maxShown} />
        </>
      ) : summary.isError ? (
        <ErrorState onRetry={() => void summary.refetch()} retrying={summary.isFetching} />
      ) : queues.every((q) => q.count === 0) ? (
        <EmptyState illustration="sent" title={<FormattedMessage id="staff.start.none" defaultMessage="Nothing to do" />}>
          <FormattedMessage
            id="staff.start.none_text"
            defaultMessage="Everything has been decided. New requests appear here by themselves."
          />
        </EmptyState>
      ) : (
        <>
          <Tiles>
            {queues.map((q) => (
              <QueueTile key={q.id} queue={q} />
            ))}
          </Tiles>
          {total > 0 && (
            <Card title={<FormattedMessage id="staff.start.oldest" defaultMessage="Changes that wait longest" />}>
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
        </>
      )}
    </Page>
  );
}

/** The number of items in a queue, which may be 0, and how long the oldest has been waiting; leads to the page of the queue. */
function QueueTile({ queue: { title, count, oldest, to } }: { queue: Queue }) {
  return (
    <li>
      <Tile href={to}>
        <strong>{formatNumber(count)}</strong>
        <span>{title}</span>
        <Small as="span">
          {count === 0 ? (
            <>
              <Icon name="check" size={16} /> <FormattedMessage id="staff.start.none" defaultMessage="Nothing to do" />
            </>
          ) : oldest ? (
            <FormattedMessage id="staff.start.age" defaultMessage="Oldest: {age}" values={{ age: <Age at={oldest} /> }} />
          ) : (
            <FormattedMessage id="staff.start.look" defaultMessage="View" />
          )}
        </Small>
      </Tile>
    </li>
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
        <strong>{kindOf(c.kind)}</strong>
        <Small>
          <Asked change={c} />
        </Small>
        <Quiet>
          <Age at={c.filed} />
        </Quiet>
        <Icon name="right" size={20} />
      </Go>
    </li>
  );
}

const tileHeight = '118px';
const PlaceOfTiles = styled.div`height: ${tileHeight}; border-radius: var(--w-radius); overflow: clip;`;
const Tiles = styled.ul`
  list-style: none; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr));
  > li { display: grid; min-width: 0; }
  @media (max-width: 767px) { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; }
`;
const Tile = styled(TextLink)`
  && { display: flex; flex-direction: column; min-height: ${tileHeight}; padding: 16px 20px; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); color: var(--w-text); text-decoration: none; }
  &&:hover { background: var(--w-tint); }
  strong { font-size: 28px; line-height: 1.2; font-weight: 600; color: var(--w-primary-ink); font-variant-numeric: tabular-nums; }
  > span:nth-child(2) { font-weight: 600; margin-top: 4px; } svg { color: var(--w-positive); }
  @media (max-width: 767px) { && { padding: 12px 16px; } }
`;
const All = styled.div`margin-top: 24px;`;
const List = styled.ul`
  list-style: none; margin: 0 -12px -12px; ul { list-style: none; padding: 0; } li + li { border-top: 1px solid var(--w-line); }
  > li { padding-top: 8px; } > li + li { margin-top: 8px; padding-top: 16px; } h3 { padding: 0 12px; font-size: 16px; overflow-wrap: anywhere; } h3 span { margin-inline-start: 8px; font-weight: 400; }
`;
/** On a phone the waiting time is next to what is asked, and the values have the whole width. */
const Go = styled(TextLink)`
  && { display: grid; grid-template: 'icon kind age go' auto 'icon value age go' auto / 20px minmax(0, 1fr) auto 20px; align-items: center; gap: 2px 12px; min-height: 64px; padding: 8px 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  &:hover { background: var(--w-tint); } > strong { grid-area: kind; font-weight: 600; align-self: end; }
  > svg { grid-area: icon; color: var(--w-text-quiet); } > svg:last-child { grid-area: go; } > div { grid-area: value; align-self: start; } > span { grid-area: age; }
  @media (max-width: 767px) { && { grid-template-areas: 'icon kind age go' '. value value value'; } > span { font-size: 14px; } }
  @media (max-width: 359px) { && { grid-template-areas: 'icon kind kind go' '. value value value' '. age age age'; grid-template-rows: auto; } }
`;
