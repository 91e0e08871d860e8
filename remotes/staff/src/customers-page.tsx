import { type Path, useLocation, useNavigate } from '@wattle/sdk';
import { EmptyState, ErrorState, Page } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Customer } from './api';
import { CustomerSearch, OpenLink, Pager, Rows, Small, useCursor } from './listing';
import { Wrapped } from './texts';

/**
 * 6-staff-start-impersonation: searches customers by debtor number, email address, address or name. The search text is kept in the history
 * entry and not in the URL, because servers and proxies log URLs, also as referrers.
 */
export default function CustomersPage() {
  const intl = useIntl();
  const navigate = useNavigate();
  const q = (useLocation().state as { q?: string } | null)?.q ?? '';
  const short = q.length === 1;
  const cursor = useCursor(q);
  const list = api.useSearch(
    '/staff/customers/search',
    { body: { q, ...(cursor.after ? { after: cursor.after } : {}) } },
    { enabled: q.length > 1 },
  );
  const found = list.isPlaceholderData ? undefined : list.data;
  const rows = found?.items ?? [];
  const columns: Column<Customer>[] = [
    {
      id: 'name',
      title: <FormattedMessage id="staff.col.name" defaultMessage="Name" />,
      head: true,
      card: 'title',
      cell: (c) => (
        <>
          <OpenLink href={`/staff/customers/${c.relation}` satisfies Path}>{c.name || c.debtor_number}</OpenLink>
          <Small>{c.debtor_number}</Small>
        </>
      ),
    },
    {
      id: 'email',
      title: <FormattedMessage id="staff.col.email" defaultMessage="Email address" />,
      cell: (c) => <Wrapped>{c.email || '–'}</Wrapped>,
    },
    {
      id: 'place',
      title: <FormattedMessage id="staff.col.place" defaultMessage="Town" />,
      width: 200,
      cell: (c) => c.place || '–',
    },
  ];
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="staff.customers.title" defaultMessage="Customers" />}
      sentence={
        <FormattedMessage
          id="staff.customers.intro"
          defaultMessage="Customers can read in their own account who looked at their details, and when."
        />
      }
    >
      <CustomerSearch
        value={q}
        onSearch={(v) => navigate('/staff/customers', { replace: true, preventScrollReset: true, state: { q: v } })}
      />
      {short ? (
        <p role="status">
          <FormattedMessage id="staff.customers.short" defaultMessage="Type at least two characters." />
        </p>
      ) : q ? (
        <>
          <Rows>
            <DataTable
              label={intl.formatMessage({ id: 'staff.customers.title', defaultMessage: 'Customers' })}
              columns={columns}
              rows={rows}
              rowKey={(c) => c.relation}
              loading={list.isFetching}
              error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
              empty={
                <EmptyState title={<FormattedMessage id="staff.customers.none" defaultMessage="No customer found" />}>
                  <FormattedMessage
                    id="staff.customers.none_text"
                    defaultMessage="Check the number or the address, or search by the beginning of the surname."
                  />
                </EmptyState>
              }
            />
          </Rows>
          <Pager cursor={cursor} next={found?.next} />
        </>
      ) : null}
    </Page>
  );
}
