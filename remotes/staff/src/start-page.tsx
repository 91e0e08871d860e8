import { type Path, useMay, useNavigate, useNotify, useQueries } from '@wattle/sdk';
import {
  Button,
  ErrorState,
  focusTitle,
  formatNumber,
  LinkButton,
  Page,
  Row,
  Section,
  Skeleton,
  TextLink,
  VisuallyHidden,
} from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { type ReactNode, useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Change, type CustomerNumber, pathsAfterDecision, useHasMarket } from './api';
import { isUnchecked, oldestOf, perCustomer, summaryOf } from './change.rules';
import { CustomerSearch, OpenLink, Rows, Small } from './listing';
import { CustomerCell } from './queue';
import { Approve, NotStored, RejectSheet } from './request-sheet';
import { Age, Asked, useKind } from './texts';
import { useCustomers } from './use-customers';

/** Request kinds that have their own page. */
const separateKinds = ['onboarding.application', 'marketplace.access', 'marketplace.offer'];

/** Maximum number of requests shown, and maximum number in a response. */
const maxShown = 5;
const maxListed = 200;

/** A queue, with the number of its items and the time of the oldest one if they are known. */
interface Queue {
  id: string;
  count: number | undefined;
  oldest?: string | undefined;
  to: Path;
  title: ReactNode;
}

/**
 * A search for a customer, who may be on the phone, then the numbers of the queues, the requests that have been waiting longest, and
 * the customers that were opened last.
 */
export default function StartPage() {
  const navigate = useNavigate();
  const summary = api.useGet('/staff/changes/summary');
  const market = useHasMarket();
  const registers = useMay('onboarding.listApplications').ok;
  const recent = api.useGet('/staff/recent-customers', {}, { retry: false });
  const viewed = recent.data ?? [];
  const payments = api.useGet('/sustainable/staff/payments', { query: { attention: true } }, { enabled: market, retry: false });
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
            title: <FormattedMessage id="staff.offers.title" defaultMessage="Offers" />,
          },
          {
            id: 'payments',
            count: payments.data?.totalElements,
            to: '/staff/orders?tab=payments' as const,
            title: <FormattedMessage id="staff.payments.title" defaultMessage="Payments" />,
          },
        ]
      : []),
  ];
  // together, so that nothing moves; later, the names of other customers are fetched while their requests are shown
  const isLoading = [summary, list, recent, customers].some((query) => query.isPending) || payments.isLoading;
  const [isShown, setShown] = useState(false);
  if (!isLoading && !isShown) setShown(true);
  const failed = [summary, list].find((query) => query.isError && !query.data);
  return (
    <Page width="wide" title={<FormattedMessage id="staff.start.title" defaultMessage="To do" />}>
      <CustomerSearch value="" onSearch={(q) => q && navigate('/staff/customers', { state: { q } })} />
      {!isShown ? (
        <>
          <PlaceOfQueues>
            <Skeleton shape="card" />
          </PlaceOfQueues>
          <Skeleton shape="row" count={maxShown} />
        </>
      ) : (
        <>
          {failed ? (
            <ErrorState onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
          ) : (
            <>
              <Queues>
                {queues.map((q) => (
                  <QueueNumber key={q.id} queue={q} />
                ))}
              </Queues>
              <Oldest changes={oldest} total={total} customers={customers} />
            </>
          )}
          {viewed.length > 0 && <Viewed customers={viewed} />}
        </>
      )}
    </Page>
  );
}

/** The number of items in a queue, which may be 0, and how long the oldest has been waiting; leads to the page of the queue. */
function QueueNumber({ queue: { title, count, oldest, to } }: { queue: Queue }) {
  return (
    <li>
      <QueueLink href={to}>
        <strong>{count === undefined ? '–' : formatNumber(count)}</strong>
        <span>{title}</span>
        <Small as="span">
          {count === 0 ? (
            <FormattedMessage id="staff.start.none" defaultMessage="Nothing to do" />
          ) : oldest ? (
            <FormattedMessage id="staff.start.age" defaultMessage="Oldest: {age}" values={{ age: <Age at={oldest} /> }} />
          ) : (
            <FormattedMessage id="staff.start.look" defaultMessage="View" />
          )}
        </Small>
      </QueueLink>
    </li>
  );
}

/** The customers that were opened last. */
function Viewed({ customers }: { customers: readonly CustomerNumber[] }) {
  const intl = useIntl();
  const title = intl.formatMessage({ id: 'staff.start.recent', defaultMessage: 'Customers viewed last' });
  return (
    <Section title={title}>
      <Rows quiet>
        <DataTable
          label={title}
          rows={customers}
          rowKey={(c) => c.relation}
          columns={[
            {
              id: 'name',
              title: <FormattedMessage id="staff.col.name" defaultMessage="Name" />,
              head: true,
              card: 'title',
              cell: (c) => <OpenLink href={`/staff/customers/${c.relation}`}>{c.name || c.debtor_number}</OpenLink>,
            },
            {
              id: 'number',
              title: <FormattedMessage id="staff.col.number" defaultMessage="Customer number" />,
              width: 200,
              card: 'end',
              cell: (c) => <Small>{c.debtor_number}</Small>,
            },
          ]}
        />
      </Rows>
    </Section>
  );
}

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
  const groups = perCustomer(changes);
  const about = (what: string, c: Change) => `${what}: ${[kindOf(c.kind), customers.nameOf(c)].filter(Boolean).join(', ')}`;
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
          leave('good', about(done, c));
        },
        onError: (problem) => {
          if (problem.code !== 'change_decided') return;
          const early = intl.formatMessage({ id: 'staff.early', defaultMessage: 'Somebody was before you' });
          const fetched = pathsAfterDecision.map((path) => queries.invalidateQueries({ queryKey: [path] }));
          void Promise.all(fetched).then(() => leave('info', about(early, c)));
        },
      },
    );
  };
  const problemOf = (c: Change) => (sent?.id === c.id && decide.error?.code !== 'change_decided' ? decide.error : null);
  const title = intl.formatMessage({ id: 'staff.start.oldest', defaultMessage: 'Changes that wait longest' });
  const columns: Column<Change>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="staff.col.what" defaultMessage="What" />,
      head: true,
      card: 'title',
      cell: (c) => (
        <>
          <OpenLink id={`change-${c.id}`} href={`/staff/changes?id=${c.id}`}>
            {kindOf(c.kind)}
          </OpenLink>
          <Small>
            <Asked change={c} />
          </Small>
          {!rejecting && <NotStored problem={problemOf(c)} />}
        </>
      ),
    },
    {
      id: 'filed',
      title: <FormattedMessage id="staff.col.filed" defaultMessage="Asked" />,
      width: 176,
      cell: (c) => <Age at={c.filed} />,
    },
    ...(may
      ? [
          {
            id: 'do',
            title: <FormattedMessage id="staff.payments.do" defaultMessage="Do" />,
            quiet: true,
            width: 288,
            cell: (c: Change) => (
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
                      <What change={c} />
                    </Button>
                    <Button small variant="quiet" disabled={decide.isPending} onClick={() => setRejecting(c)}>
                      <FormattedMessage id="staff.reject" defaultMessage="Reject" />
                      <What change={c} />
                    </Button>
                  </>
                )}
              </Row>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section
      title={title}
      sentence={
        total === 0 ? (
          <FormattedMessage
            id="staff.start.none_text"
            defaultMessage="You are up to date: no changes are waiting. New ones appear here by themselves."
          />
        ) : (
          may && (
            <FormattedMessage
              id="staff.start.effect"
              defaultMessage="Process carries a request out at once. Reject first asks for a reason, which the customer may read."
            />
          )
        )
      }
      actions={
        total > changes.length && (
          <TextLink href="/staff/changes">
            <FormattedMessage id="staff.start.all" defaultMessage="View all {n} changes" values={{ n: formatNumber(total) }} />
          </TextLink>
        )
      }
    >
      {total > 0 && (
        <Rows>
          <DataTable
            label={title}
            columns={columns}
            rows={groups.flat()}
            rowKey={(c) => c.id}
            group={(c) => ({
              key: c.relation || c.id,
              title: <CustomerCell change={c} of={customers} count={groups.find((g) => g.includes(c))?.length ?? 1} />,
            })}
          />
        </Rows>
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
    </Section>
  );
}

/** What a button decides, for screen readers. */
function What({ change }: { change: Change }) {
  const kindOf = useKind();
  return <VisuallyHidden> {[kindOf(change.kind), summaryOf(change).value].filter(Boolean).join(', ')}</VisuallyHidden>;
}

/** While the numbers are loading, as high as they are in a wide window. */
const PlaceOfQueues = styled.div`height: 64px; border-radius: var(--w-radius); overflow: clip;`;
const Queues = styled.ul`
  list-style: none; padding: 0; display: grid; grid-auto-columns: minmax(0, 1fr); gap: 8px; > li { display: grid; }
  @media (min-width: 768px) { grid-auto-flow: column; }
  @media (min-width: 360px) and (max-width: 767px) { grid-template-columns: repeat(2, minmax(0, 1fr)); }
`;
/** A name without room next to the number is below it. */
const QueueLink = styled(TextLink)`
  && { display: flex; flex-wrap: wrap; align-items: baseline; align-content: center; gap: 0 8px; min-height: 64px; padding: 8px 16px; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); color: var(--w-text); text-decoration: none; }
  &&:hover { background: var(--w-tint); } > :last-child { flex-basis: 100%; } span { white-space: normal; }
  strong { font-size: 20px; line-height: 1.2; font-weight: 600; color: var(--w-primary-ink); font-variant-numeric: tabular-nums; } strong + span { font-weight: 600; }
  @media (max-width: 1099px) { && { padding-inline: 12px; } }
`;
