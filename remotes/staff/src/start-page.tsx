import { type Path, useMay, useNavigate, useNotify, useQueries } from '@wattle/sdk';
import {
  Button,
  Card,
  EmptyState,
  ErrorState,
  focusTitle,
  formatNumber,
  Icon,
  type IconName,
  LinkButton,
  Page,
  Row,
  Skeleton,
  TextLink,
  VisuallyHidden,
} from '@wattle/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Change, pathsAfterDecision, useHasMarket } from './api';
import { isUnchecked, oldestOf, perCustomer, summaryOf } from './change.rules';
import { CustomerSearch, Quiet, Small } from './listing';
import { Approve, NotStored, RejectSheet } from './request-sheet';
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

/**
 * A search for a customer, who may be on the phone, then the queues, the customers that were opened last, and the requests that have
 * been waiting longest.
 */
export default function StartPage() {
  const navigate = useNavigate();
  const summary = api.useGet('/staff/changes/summary');
  const market = useHasMarket();
  const registers = useMay('onboarding.listApplications').ok;
  const recent = api.useGet('/staff/recent-customers', {}, { retry: false });
  const viewed = recent.data ?? [];
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
  // together, so that nothing moves
  const waits = summary.isPending || list.isPending || recent.isPending;
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
      ) : (
        <Sides $two={viewed.length > 0}>
          {summary.isError ? (
            <ErrorState onRetry={() => void summary.refetch()} retrying={summary.isFetching} />
          ) : queues.every((q) => q.count === 0) ? (
            <EmptyState illustration="sent" title={<FormattedMessage id="staff.start.none" defaultMessage="Nothing to do" />}>
              <FormattedMessage
                id="staff.start.none_text"
                defaultMessage="Everything has been decided. New requests appear here by themselves."
              />
            </EmptyState>
          ) : (
            <Tiles $of={viewed.length > 0 ? Math.min(queues.length, 2) : queues.length}>
              {queues.map((q) => (
                <QueueTile key={q.id} queue={q} />
              ))}
            </Tiles>
          )}
          {viewed.length > 0 && (
            <Card title={<FormattedMessage id="staff.start.recent" defaultMessage="Customers viewed last" />}>
              <Viewed>
                {viewed.map((c) => (
                  <li key={c.relation}>
                    <TextLink href={`/staff/customers/${c.relation}`}>
                      {c.name} <Small as="span">{c.debtor_number}</Small>
                    </TextLink>
                  </li>
                ))}
              </Viewed>
            </Card>
          )}
          <Oldest changes={oldest} total={total} customers={customers} />
        </Sides>
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

type Decision = 'PROCESSED' | 'REJECTED';

/**
 * The requests that have been waiting longest, per customer, with the current value, the new value and the waiting time. Each can be
 * decided here (9-start-decide); then its row disappears and the next one has focus.
 */
function Oldest({
  changes,
  total,
  customers,
}: {
  changes: readonly Change[];
  total: number;
  customers: ReturnType<typeof useCustomers>;
}) {
  const intl = useIntl();
  const kindOf = useKind();
  const notify = useNotify();
  // When a colleague was first, the write has failed, and the lists still contain the request.
  const queries = useQueries();
  const may = useMay('core.decideChange').ok;
  const decide = api.useWrite('post', '/staff/changes/{id}/decision', { changes: pathsAfterDecision });
  const [sent, setSent] = useState<{ id: string; state: Decision }>();
  const [rejecting, setRejecting] = useState<Change>();
  /** The other requests when one was decided, the next ones first. */
  const [others, setOthers] = useState<readonly string[]>();
  useEffect(() => {
    if (!others) return;
    const next = others.map((id) => document.getElementById(`change-${id}`)).find(Boolean);
    if (next) next.focus();
    else focusTitle();
  }, [others]);
  if (total === 0) return null;
  const groups = perCustomer(changes);
  const send = (c: Change, state: Decision, reason?: string) => {
    const ids = groups.flat().map((x) => x.id);
    const at = ids.indexOf(c.id);
    const leave = (tone: 'good' | 'info', text: string) => {
      notify({ kind: 'alert', tone, text });
      setRejecting(undefined);
      setOthers([...ids.slice(at + 1), ...ids.slice(0, at).reverse()]);
    };
    setSent({ id: c.id, state });
    decide.mutate(
      { path: { id: c.id }, body: { state, ...(reason ? { reason } : {}) } },
      {
        onSuccess: () => {
          const done = intl.formatMessage(
            { id: 'staff.done', defaultMessage: '{done, select, PROCESSED {Processed} other {Rejected}}' },
            { done: state },
          );
          leave('good', `${done}: ${kindOf(c.kind)}`);
        },
        onError: (problem) => {
          if (problem.code !== 'change_decided') return;
          const early = intl.formatMessage({ id: 'staff.early', defaultMessage: 'Somebody was before you' });
          const fetched = pathsAfterDecision.map((path) => queries.invalidateQueries({ queryKey: [path] }));
          void Promise.all(fetched).then(() => leave('info', `${early}: ${kindOf(c.kind)}`));
        },
      },
    );
  };
  const problemOf = (c: Change) => (sent?.id === c.id && decide.error?.code !== 'change_decided' ? decide.error : null);
  return (
    <Card title={<FormattedMessage id="staff.start.oldest" defaultMessage="Changes that wait longest" />}>
      <List>
        {groups.map((group) => (
          <li key={group[0]?.relation || group[0]?.id}>
            <h3>
              {(group[0] && customers.nameOf(group[0])) ||
                (!customers.isPending && <FormattedMessage id="staff.unnamed" defaultMessage="Name unknown" />)}
              <Small as="span">{group[0] && customers.numberOf(group[0])}</Small>
            </h3>
            <ul>
              {group.map((c) => {
                const what = [kindOf(c.kind), summaryOf(c).value].filter(Boolean).join(', ');
                return (
                  <li key={c.id}>
                    <Go id={`change-${c.id}`} href={`/staff/changes?id=${c.id}`}>
                      <Icon name={icons[c.kind] ?? 'edit'} size={20} />
                      <strong>{kindOf(c.kind)}</strong>
                      <Small>
                        <Asked change={c} />
                      </Small>
                      <Quiet>
                        <Age at={c.filed} />
                      </Quiet>
                    </Go>
                    {may && (
                      <Row gap={8}>
                        {isUnchecked(c) ? (
                          <LinkButton small href={`/staff/changes?id=${c.id}`}>
                            <FormattedMessage id="staff.unchecked" defaultMessage="Look at the address first" />
                          </LinkButton>
                        ) : (
                          <>
                            <Button
                              small
                              loading={decide.isPending && sent?.id === c.id && sent.state === 'PROCESSED'}
                              disabled={decide.isPending}
                              onClick={() => send(c, 'PROCESSED')}
                            >
                              <Approve kind={c.kind} />
                              <VisuallyHidden> {what}</VisuallyHidden>
                            </Button>
                            <Button small variant="quiet" disabled={decide.isPending} onClick={() => setRejecting(c)}>
                              <FormattedMessage id="staff.reject" defaultMessage="Reject" />
                              <VisuallyHidden> {what}</VisuallyHidden>
                            </Button>
                          </>
                        )}
                      </Row>
                    )}
                    {!rejecting && <NotStored problem={problemOf(c)} />}
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </List>
      {total > changes.length && (
        <All>
          <TextLink href="/staff/changes">
            <FormattedMessage id="staff.start.all" defaultMessage="View all {n} requests" values={{ n: formatNumber(total) }} />
          </TextLink>
        </All>
      )}
      {rejecting && (
        <RejectSheet
          title={kindOf(rejecting.kind)}
          busy={decide.isPending}
          problem={problemOf(rejecting)}
          onBack={() => setRejecting(undefined)}
          onReject={(reason) => send(rejecting, 'REJECTED', reason)}
        >
          <p>
            <strong>{customers.nameOf(rejecting)}</strong> <Asked change={rejecting} />
          </p>
        </RejectSheet>
      )}
    </Card>
  );
}

const tileHeight = '118px';
const PlaceOfTiles = styled.div`height: ${tileHeight}; border-radius: var(--w-radius); overflow: clip;`;
/** The customers that were opened last are at the right of the rest in a wide window. */
const Sides = styled.div<{ $two: boolean }>`
  display: grid; gap: 24px; align-items: start; > * { min-width: 0; }
  ${(p) => p.$two && '@media (min-width: 1200px) { grid-template: auto 1fr / minmax(0, 1fr) 300px; > :nth-child(2) { grid-area: 1 / 2 / 3; } }'}
`;
const Tiles = styled.ul<{ $of: number }>`
  list-style: none; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(${(p) => p.$of}, minmax(0, 1fr));
  > li { display: grid; min-width: 0; }
  @media (max-width: 767px) { grid-template-columns: repeat(${(p) => Math.min(p.$of, 2)}, minmax(0, 1fr)); gap: 12px; }
`;
const Viewed = styled.ul`
  list-style: none; padding: 0; margin: 0 -12px -12px;
  a { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 44px; padding: 4px 12px; border-radius: var(--w-radius-control); font-weight: 600; text-decoration: none; }
  a:hover { background: var(--w-tint); }
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
  ul > li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; } ul > li > div:not([role]) { padding: 4px 12px; } [role='alert'] { width: 100%; margin-bottom: 12px; }
  @media (max-width: 767px) { ul > li > div:not([role]) { padding: 0 12px 12px 44px; } }
`;
/** The buttons are next to the link if there is room, otherwise below it. */
const Go = styled(TextLink)`
  && { flex: 1 1 260px; min-width: 0; display: grid; grid-template: 'icon kind age' auto 'icon value value' auto / 20px auto minmax(0, 1fr); align-items: center; gap: 2px 12px; min-height: 64px; padding: 8px 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  &:hover { background: var(--w-tint); } > strong { grid-area: kind; font-weight: 600; color: var(--w-primary-ink); }
  > svg { grid-area: icon; color: var(--w-text-quiet); } > div { grid-area: value; } > span { grid-area: age; font-size: 14px; }
  @media (max-width: 359px) { && { grid-template: 'icon kind' auto '. value' auto '. age' auto / 20px minmax(0, 1fr); } }
`;
