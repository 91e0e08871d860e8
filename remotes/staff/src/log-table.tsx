import { Link, type Path } from '@wattle/sdk';
import { EmptyState, ErrorState } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type LogEntry } from './api';
import { Pager, Rows, Small, useCursor } from './listing';
import { Action, Moment } from './texts';

/** Entries of the audit log, newest first. */
export function LogTable({ relation, action, limit = 50 }: { relation?: string; action?: string; limit?: number }) {
  const intl = useIntl();
  const cursor = useCursor(`${relation} ${action}`);
  const list = api.useGet('/staff/audit', {
    query: {
      limit,
      ...(relation ? { relation } : {}),
      ...(action ? { action } : {}),
      ...(cursor.after ? { after: cursor.after } : {}),
    },
  });
  const columns: Column<LogEntry>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="staff.col.what" defaultMessage="What" />,
      head: true,
      card: 'title',
      cell: (n) => (
        <>
          <Action action={n.action} kind={n.kind} />
          {n.reason && <Small>{n.reason}</Small>}
          {n.until && (
            <Small>
              <FormattedMessage id="staff.log.until" defaultMessage="until {at}" values={{ at: <Moment at={n.until} /> }} />
            </Small>
          )}
        </>
      ),
    },
    {
      id: 'who',
      title: <FormattedMessage id="staff.col.by" defaultMessage="By whom" />,
      cell: (n) => (
        <>
          {n.name || <Role role={n.role} />}
          {n.name && n.role !== 'staff' && (
            <Small>
              <Role role={n.role} />
            </Small>
          )}
        </>
      ),
    },
    ...(relation
      ? []
      : [
          {
            id: 'about',
            title: <FormattedMessage id="staff.col.about" defaultMessage="About" />,
            cell: (n: LogEntry) =>
              n.relation ? (
                <Link to={`/staff/customers/${encodeURIComponent(n.relation)}` satisfies Path}>
                  <FormattedMessage id="staff.log.customer" defaultMessage="View customer" />
                </Link>
              ) : (
                '–'
              ),
          },
        ]),
    {
      id: 'at',
      title: <FormattedMessage id="staff.col.when" defaultMessage="When" />,
      width: 176,
      cell: (n) => <Moment at={n.at} />,
    },
  ];
  return (
    <>
      <Rows quiet>
        <DataTable
          label={intl.formatMessage({ id: 'staff.log.title', defaultMessage: 'Log' })}
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(n) => n.seq}
          loading={list.isFetching}
          expect={8}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={<EmptyState title={<FormattedMessage id="staff.log.none" defaultMessage="Nothing has been logged here" />} />}
        />
      </Rows>
      <Pager cursor={cursor} next={list.data?.next} />
    </>
  );
}

function Role({ role }: { role: LogEntry['role'] }) {
  return (
    <FormattedMessage
      id="staff.role"
      defaultMessage="{role, select, staff {Colleague} impersonator {Support} key {Back office} customer {The customer} other {Without a person}}"
      values={{ role }}
    />
  );
}
