// {staff}
import { CivilDate, EmptyState, ErrorState, Page } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import type { components } from './api.gen';
import { t } from './texts';

type StaffNote = components['schemas']['StaffNote'];

const columns: Column<StaffNote>[] = [
  {
    id: 'customer',
    title: <FormattedMessage id="mykey.staff.customer" defaultMessage="Customer" />,
    head: true,
    card: 'title',
    width: 240,
    cell: (n) => n.customer,
  },
  { id: 'text', title: <FormattedMessage id="mykey.text" defaultMessage="Note" />, cell: (n) => n.text },
  {
    id: 'day',
    title: <FormattedMessage id="mykey.staff.day" defaultMessage="Day" />,
    card: 'end',
    width: 144,
    cell: (n) => <CivilDate day={n.day} />,
  },
];

/** The page for staff with the latest notes of all customers. */
export default function StaffPage() {
  const title = useIntl().formatMessage(t.title);
  const list = api.useGet('/staff/mykey');
  return (
    <Page width="wide" title={title}>
      <DataTable
        label={title}
        columns={columns}
        rows={list.data?.items ?? []}
        rowKey={(n) => n.id}
        loading={list.isFetching}
        error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
        empty={<EmptyState title={<FormattedMessage id="mykey.none" defaultMessage="There are no notes yet" />} />}
      />
    </Page>
  );
}
// {/staff}
