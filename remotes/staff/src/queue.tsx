import { useProblemText, useSearchParams } from '@wattle/sdk';
import { Button, EmptyState, ErrorState, Notice, Row, TextLink, VisuallyHidden } from '@wattle/ui';
import { Checkbox } from '@wattle/ui/forms';
import { type Column, DataTable } from '@wattle/ui/table';
import { type ReactNode, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Change, pathsAfterDecision, type Result } from './api';
import { isMixed, perCustomer, summaryOf } from './change.rules';
import { Above, Open, Pager, Rows, Small, useCursor } from './listing';
import { NotStored, RejectSheet, RequestSheet } from './request-sheet';
import { Age, Asked, Moment, State, useKind } from './texts';
import { useCustomers } from './use-customers';

/**
 * Opens a row in a sheet. Its id is in the URL, so that it can be shared with a colleague, and Back closes the sheet on a phone.
 */
export function useOpened(ids: readonly string[]) {
  const [params, setParams] = useSearchParams();
  // The order of the list when the sheet was opened: decided requests leave the list, but "next" still follows this order.
  const initialOrder = useRef<readonly string[]>([]);
  const id = params.get('id') ?? undefined;
  const put = (next: string | undefined, replace: boolean) =>
    setParams(
      (p) => {
        const q = new URLSearchParams(p);
        if (next) q.set('id', next);
        else q.delete('id');
        return q;
      },
      { replace, preventScrollReset: true },
    );
  const on = id ? initialOrder.current[initialOrder.current.indexOf(id) + 1] : undefined;
  return {
    id,
    open: (one: string) => {
      initialOrder.current = ids;
      put(one, false);
    },
    close: () => put(undefined, true),
    next: id && initialOrder.current.includes(id) && on ? () => put(on, true) : undefined,
  };
}

export interface QueueProps {
  label: string;
  kind?: string | undefined;
  state: string;
  q: string;
  /** Hides the kind column, because all rows have the same kind. */
  sameKind?: boolean;
  /** Hides the customer column, because the page is about one customer. */
  own?: boolean;
  /** The search term was not entered by the user, so an empty list shows `empty`. */
  bare?: boolean;
  empty: ReactNode;
}

const pageSize = 25;

/**
 * A paginated list of change requests, pending ones oldest first. Each opens in a sheet, and several pending ones can be decided
 * together.
 */
export function Queue({ label, kind, state, q, sameKind, own, bare, empty }: QueueProps) {
  const intl = useIntl();
  const kindOf = useKind();
  const cursor = useCursor(`${kind} ${state} ${q}`);
  const list = api.useGet('/staff/changes', {
    query: {
      limit: pageSize,
      ...(state ? { state: state as Change['state'] } : {}),
      ...(kind ? { kind } : {}),
      ...(q ? { q } : {}),
      ...(state === 'PENDING' ? { oldest: true } : {}),
      ...(cursor.after ? { after: cursor.after } : {}),
    },
  });
  // a customer's requests are decided one after another, so they are below each other in the list, and successive in the sheet
  const byCustomer = state === 'PENDING' && !sameKind && !own;
  const items = list.data?.items ?? [];
  const groups = byCustomer ? perCustomer(items) : [items];
  const rows = groups.flat();
  const opened = useOpened(rows.map((c) => c.id));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const customers = useCustomers(own ? [] : rows);
  const { nameOf } = customers;
  // names are shown together with the rows, so that nothing moves (9-pages-still)
  const shown = customers.isPending ? [] : rows;
  const loading = list.isFetching || customers.isPending;
  const waiting = shown.filter((c) => c.state === 'PENDING');
  const taken = waiting.filter((c) => chosen.includes(c.id));
  const toggle = (id: string, on: boolean) => setChosen(on ? [...chosen, id] : chosen.filter((c) => c !== id));

  const name = (c: Change) =>
    [sameKind ? nameOf(c) || kindOf(c.kind) : kindOf(c.kind), summaryOf(c).value].filter(Boolean).join(', ');
  const columns: Column<Change>[] = [
    {
      id: 'choose',
      title: intl.formatMessage({ id: 'staff.choose', defaultMessage: 'Choose' }),
      quiet: true,
      width: 56,
      card: 'end',
      cell: (c) =>
        c.state === 'PENDING' ? (
          <Above>
            <Checkbox checked={chosen.includes(c.id)} onChange={(on) => toggle(c.id, on)}>
              <VisuallyHidden>
                <FormattedMessage id="staff.choose_what" defaultMessage="Choose {what}" values={{ what: name(c) }} />
              </VisuallyHidden>
            </Checkbox>
          </Above>
        ) : null,
    },
    {
      id: 'what',
      title: sameKind ? (
        <FormattedMessage id="staff.col.who" defaultMessage="Who" />
      ) : (
        <FormattedMessage id="staff.col.what" defaultMessage="What" />
      ),
      head: true,
      card: 'title',
      cell: (c) => (
        <>
          <Open onClick={() => opened.open(c.id)}>{sameKind ? nameOf(c) || kindOf(c.kind) : kindOf(c.kind)}</Open>
          <Small>
            <Asked change={c} />
          </Small>
        </>
      ),
    },
    ...(sameKind || own || byCustomer
      ? []
      : [
          {
            id: 'who',
            title: <FormattedMessage id="staff.col.who" defaultMessage="Who" />,
            cell: (c: Change) => <CustomerCell change={c} of={customers} />,
          },
        ]),
    {
      id: 'filed',
      title: <FormattedMessage id="staff.col.filed" defaultMessage="Asked" />,
      width: 176,
      cell: (c) =>
        c.state === 'PENDING' ? (
          <>
            <Age at={c.filed} />
            <Small>
              <Moment at={c.filed} />
            </Small>
          </>
        ) : (
          <Moment at={c.filed} />
        ),
    },
    ...(state === 'PENDING'
      ? []
      : [
          {
            id: 'state',
            title: <FormattedMessage id="staff.col.state" defaultMessage="State" />,
            width: 144,
            cell: (c: Change) => <State state={c.state} />,
          },
        ]),
  ];
  return (
    <>
      {loading && shown.length === 0 && state === 'PENDING' && <PlaceOfAll />}
      {waiting.length > 1 && (
        <Checkbox checked={taken.length === waiting.length} onChange={(on) => setChosen(on ? waiting.map((c) => c.id) : [])}>
          <FormattedMessage
            id="staff.choose_all"
            defaultMessage="Choose {count, plural, =2 {both} other {all {count}}} on this page"
            values={{ count: waiting.length }}
          />
        </Checkbox>
      )}
      <BulkDecision chosen={taken} onDone={() => setChosen([])} />
      <Rows>
        <DataTable
          label={label}
          columns={columns}
          rows={shown}
          rowKey={(c) => c.id}
          group={
            byCustomer
              ? (c) => ({
                  key: c.relation || c.id,
                  title: <CustomerCell change={c} of={customers} count={groups.find((g) => g.includes(c))?.length ?? 1} />,
                })
              : undefined
          }
          loading={loading}
          expect={8}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={
            q && !bare ? (
              <EmptyState title={<FormattedMessage id="staff.nothing_found" defaultMessage="Nothing found" />}>
                <FormattedMessage id="staff.nothing_found_text" defaultMessage="Try fewer words, or another filter." />
              </EmptyState>
            ) : (
              empty
            )
          }
        />
      </Rows>
      <Pager cursor={cursor} next={list.data?.next} />
      {opened.id && <RequestSheet id={opened.id} onClose={opened.close} onNext={opened.next} />}
    </>
  );
}

/** The customer above their requests in a queue: the link to them, the customer number and, of several, the number of requests. */
export function CustomerCell({
  change: c,
  of,
  count = 1,
}: {
  change: Change;
  of: ReturnType<typeof useCustomers>;
  count?: number;
}) {
  const number = of.numberOf(c);
  const name = of.nameOf(c) || (!of.isPending && <FormattedMessage id="staff.unnamed" defaultMessage="Name unknown" />);
  return (
    <>
      {c.relation ? <TextLink href={`/staff/customers/${c.relation}`}>{name}</TextLink> : name}
      {number && (
        <Small as="span">
          {'\u00a0· '}
          {number}
        </Small>
      )}
      {count > 1 && (
        <Small as="span">
          {'\u00a0· '}
          <FormattedMessage id="staff.requests" defaultMessage="{count} requests" values={{ count }} />
        </Small>
      )}
    </>
  );
}

/** Decides the selected requests one by one: a failure does not affect the others. */
function BulkDecision({ chosen, onDone }: { chosen: readonly Change[]; onDone(): void }) {
  const text = useProblemText();
  const decide = api.useWrite('post', '/staff/changes/decisions', { changes: pathsAfterDecision });
  const [rejecting, setRejecting] = useState(false);
  const [results, setResults] = useState<readonly Result[]>();
  const send = (state: 'PROCESSED' | 'REJECTED', reason?: string) =>
    decide.mutate(
      { body: { ids: chosen.map((c) => c.id), state, ...(reason ? { reason } : {}) } },
      {
        onSuccess: (out) => {
          setResults(out?.results ?? []);
          setRejecting(false);
          onDone();
        },
      },
    );
  const early = results?.filter((r) => r.code === 'change_decided').length ?? 0;
  const done = results?.filter((r) => !r.code).length ?? 0;
  const failed = results?.filter((r) => r.code && r.code !== 'change_decided') ?? [];
  return (
    <>
      {results && chosen.length === 0 && (
        <Notice
          live
          tone={failed.length ? 'warning' : 'positive'}
          onClose={() => setResults(undefined)}
          title={
            <FormattedMessage
              id="staff.bulk_done"
              defaultMessage="{done, plural, =0 {None was decided} one {One request was decided} other {{done} requests were decided}}"
              values={{ done }}
            />
          }
        >
          {early > 0 && (
            <p>
              <FormattedMessage
                id="staff.bulk_early"
                defaultMessage="{early, plural, one {One had} other {{early} had}} been decided by somebody else."
                values={{ early }}
              />
            </p>
          )}
          {failed.length > 0 && (
            <p>
              <FormattedMessage
                id="staff.bulk_failed"
                defaultMessage="{failed, plural, one {One is still waiting} other {{failed} are still waiting}}: {why}"
                values={{ failed: failed.length, why: text({ code: failed[0]?.errors?.[0]?.code ?? failed[0]?.code ?? '' }) }}
              />
            </p>
          )}
        </Notice>
      )}
      {chosen.length > 0 && (
        <Bar gap={12} role="group">
          <strong>
            <FormattedMessage
              id="staff.chosen"
              defaultMessage="{count, plural, one {One chosen} other {{count} chosen}}"
              values={{ count: chosen.length }}
            />
          </strong>
          <Button variant="primary" small icon="check" loading={decide.isPending && !rejecting} onClick={() => send('PROCESSED')}>
            <FormattedMessage id="staff.process_chosen" defaultMessage="Process or approve" />
          </Button>
          <Button
            small
            disabled={decide.isPending}
            disabledReason={
              isMixed(chosen) && (
                <FormattedMessage
                  id="staff.mixed"
                  defaultMessage="Offers have reasons of their own: reject them apart from the rest."
                />
              )
            }
            onClick={() => setRejecting(true)}
          >
            <FormattedMessage id="staff.reject" defaultMessage="Reject" />
          </Button>
          {!rejecting && <NotStored problem={decide.error} />}
        </Bar>
      )}
      {rejecting && (
        <RejectSheet
          title={
            <FormattedMessage
              id="staff.reject_count"
              defaultMessage="Reject {count, plural, one {one request} other {{count} requests}}"
              values={{ count: chosen.length }}
            />
          }
          offer={chosen[0]?.kind === 'marketplace.offer'}
          busy={decide.isPending}
          problem={decide.error}
          onBack={() => setRejecting(false)}
          onReject={(reason) => send('REJECTED', reason)}
        />
      )}
    </>
  );
}

/** While the rows are loading, as high as the checkbox for all rows. */
const PlaceOfAll = styled.div`height: 44px;`;
/** Sticks below the frame's header while rows further down are selected. */
const Bar = styled(Row)`
  position: sticky; top: 72px; z-index: 2; padding: 12px var(--w-pad); border-radius: var(--w-radius); background: var(--w-tint-strong);
  @media (max-width: 767px) { top: 64px; }
`;
