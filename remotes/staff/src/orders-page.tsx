import { EmptyState, ErrorState, formatDay, formatMoney, formatNumber, Page, Stack, Tabs } from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { type Column, DataTable, Pagination } from '@wattle/ui/table';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Order } from './api';
import { useFilter } from './changes-page';
import { Filters, Rows, Search, Small } from './listing';
import { Payments } from './payments';
import { MarketState, Moment, RelationLink } from './texts';

const euros = (amount: number) => formatMoney(Math.round(amount * 100));

/** Orders, and payments that staff must handle: late, double, or to be refunded. */
export default function OrdersPage() {
  const intl = useIntl();
  const [of, set] = useFilter();
  const title = intl.formatMessage({ id: 'staff.orders.title', defaultMessage: 'Orders' });
  const attention = api.useGet('/sustainable/staff/payments', { query: { attention: true } }).data?.totalElements;
  return (
    <Page
      width="wide"
      title={title}
      sentence={
        <FormattedMessage
          id="staff.orders.intro"
          defaultMessage="What members buy from each other, and the money that goes with it."
        />
      }
    >
      <Tabs
        label={title}
        value={of('tab') === 'payments' ? 'payments' : 'orders'}
        onChange={(tab) => set('tab', tab === 'payments' ? tab : '')}
        tabs={[
          { id: 'orders', title, content: <Orders /> },
          {
            id: 'payments',
            title: (
              <FormattedMessage
                id="staff.payments.tab"
                defaultMessage="Payments to look at{count, plural, =0 {} other { (#)}}"
                values={{ count: attention ?? 0 }}
              />
            ),
            content: <Payments />,
          },
        ]}
      />
    </Page>
  );
}

const states = ['CREATED', 'AWAITING_PAYMENT', 'BOUGHT', 'COMPLETED', 'EXPIRED', 'CANCELLED'] as const;

function Orders() {
  const intl = useIntl();
  const [of, set] = useFilter();
  const [status, q, page] = [of('state'), of('q'), Number(of('page')) || 1];
  const list = api.useGet('/sustainable/staff/orders', {
    query: { page: page - 1, ...(status ? { status } : {}), ...(q ? { q } : {}) },
  });
  const stateText = (state: string) =>
    intl.formatMessage(
      {
        id: 'staff.order_state',
        defaultMessage:
          '{state, select, CREATED {New} AWAITING_PAYMENT {To be paid} BOUGHT {Paid} COMPLETED {Handed over} EXPIRED {Expired} other {Cancelled}}',
      },
      { state },
    );
  const columns: Column<Order>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="staff.col.order" defaultMessage="Order" />,
      head: true,
      card: 'title',
      cell: (o) => (
        <>
          <strong>{o.deal_reference}</strong>
          <Small>
            <Moment at={o.placed} />
          </Small>
        </>
      ),
    },
    {
      id: 'who',
      title: <FormattedMessage id="staff.col.buyer" defaultMessage="Buyer" />,
      cell: (o) => <RelationLink {...o} name={o.buyer_name} />,
    },
    {
      id: 'shares',
      title: <FormattedMessage id="staff.col.shares" defaultMessage="Shares" />,
      align: 'end',
      width: 104,
      cell: (o) => formatNumber(o.shares),
    },
    {
      id: 'amount',
      title: <FormattedMessage id="staff.col.amount" defaultMessage="Amount" />,
      align: 'end',
      width: 136,
      card: 'end',
      cell: (o) => euros(o.amount_due),
    },
    {
      id: 'transfer',
      title: <FormattedMessage id="staff.col.transfer" defaultMessage="Transfer date" />,
      width: 144,
      cell: (o) => formatDay(o.transfer_date),
    },
    {
      id: 'state',
      title: <FormattedMessage id="staff.col.state" defaultMessage="State" />,
      width: 152,
      cell: (o) => <MarketState state={o.status} />,
    },
  ];
  return (
    <Stack gap={24}>
      <Filters>
        <Search
          value={q}
          onSearch={(v) => set('q', v)}
          label={<FormattedMessage id="staff.orders.search" defaultMessage="Order number or customer number" />}
        />
        <div>
          <Select
            label={<FormattedMessage id="staff.col.state" defaultMessage="State" />}
            value={status}
            onChange={(v) => set('state', v)}
            empty={intl.formatMessage({ id: 'staff.orders.all', defaultMessage: 'All orders' })}
            options={states.map((s) => ({ value: s, text: stateText(s) }))}
          />
        </div>
      </Filters>
      <Rows quiet>
        <DataTable
          label={intl.formatMessage({ id: 'staff.orders.title', defaultMessage: 'Orders' })}
          columns={columns}
          rows={list.data?.content ?? []}
          rowKey={(o) => o.deal_identifier}
          loading={list.isFetching}
          expect={8}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={
            <EmptyState title={<FormattedMessage id="staff.orders.none" defaultMessage="No orders here" />}>
              <FormattedMessage
                id="staff.orders.none_text"
                defaultMessage="An order stands here as soon as a member has placed it."
              />
            </EmptyState>
          }
        />
      </Rows>
      {list.data && list.data.totalElements > 0 && (
        <Pagination
          page={page}
          pageSize={list.data.size}
          total={list.data.totalElements}
          onPage={(p) => set('page', p > 1 ? String(p) : '')}
        />
      )}
    </Stack>
  );
}
