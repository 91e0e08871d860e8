import { useProblemText } from '@wattle/sdk';
import {
  Button,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  formatDay,
  formatMoney,
  formatNumber,
  Notice,
  Page,
  Stack,
  Tabs,
} from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { type Column, DataTable, Pagination } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Order, type Payment } from './api';
import { useFilter } from './changes-page';
import { Filters, Rows, Search, Small } from './listing';
import { MarketState, Moment, Who } from './words';

const euros = (amount: number) => formatMoney(Math.round(amount * 100));

/** Orders, and the payments that somebody has to look at: late, double, or to be given back. */
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
                defaultMessage="Payments to look at{count, plural, =0 {} other { ({count})}}"
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
      cell: (o) => <Who {...o} name={o.buyer_name} />,
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
      cell: (o) => euros(o.amount),
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

function Payments() {
  const intl = useIntl();
  const text = useProblemText();
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Payment>();
  const list = api.useGet('/sustainable/staff/payments', { query: { attention: true, ...(page > 1 ? { page: page - 1 } : {}) } });
  const refund = api.useWrite('post', '/sustainable/staff/payments/{id}/refund', {
    changes: ['/sustainable/staff/payments', '/sustainable/staff/orders'],
  });
  const seen = api.useWrite('post', '/sustainable/staff/payments/{id}/seen', { changes: ['/sustainable/staff/payments'] });
  const failed = refund.error ?? seen.error;
  const columns: Column<Payment>[] = [
    {
      id: 'what',
      title: <FormattedMessage id="staff.col.order" defaultMessage="Order" />,
      head: true,
      card: 'title',
      cell: (p) => (
        <>
          <strong>{p.deal_reference}</strong>
          <Small>
            <Note payment={p} />
          </Small>
        </>
      ),
    },
    {
      id: 'who',
      title: <FormattedMessage id="staff.col.buyer" defaultMessage="Buyer" />,
      cell: (p) => <Who {...p} name={p.buyer_name} />,
    },
    {
      id: 'paid',
      title: <FormattedMessage id="staff.col.paid" defaultMessage="Paid" />,
      width: 176,
      cell: (p) => (p.paid_at ? <Moment at={p.paid_at} /> : '–'),
    },
    {
      id: 'amount',
      title: <FormattedMessage id="staff.col.amount" defaultMessage="Amount" />,
      align: 'end',
      width: 136,
      card: 'end',
      cell: (p) => euros(p.amount),
    },
    {
      id: 'state',
      title: <FormattedMessage id="staff.col.state" defaultMessage="State" />,
      width: 168,
      cell: (p) => <MarketState state={p.state} />,
    },
    {
      id: 'do',
      title: <FormattedMessage id="staff.payments.do" defaultMessage="Do" />,
      quiet: true,
      width: 160,
      cell: (p) => (
        <Stack gap={8}>
          {p.may_refund && (
            <Button
              small
              icon="undo"
              onClick={() => setAsked(p)}
              aria-label={intl.formatMessage(
                { id: 'staff.payments.refund_what', defaultMessage: 'Pay back: {what}' },
                { what: p.deal_reference },
              )}
            >
              <FormattedMessage id="staff.payments.refund" defaultMessage="Pay back" />
            </Button>
          )}
          {p.may_see && (
            <Button
              small
              icon="check"
              loading={seen.isPending && seen.variables?.path?.id === p.id}
              onClick={() => seen.mutate({ body: undefined, path: { id: p.id } })}
              aria-label={intl.formatMessage(
                { id: 'staff.payments.seen_what', defaultMessage: 'Seen: {what}' },
                { what: p.deal_reference },
              )}
            >
              <FormattedMessage id="staff.payments.seen" defaultMessage="Seen" />
            </Button>
          )}
        </Stack>
      ),
    },
  ];
  return (
    <Stack gap={24}>
      {failed && (
        <Notice tone="negative" live>
          {text(failed)}
        </Notice>
      )}
      <Rows quiet>
        <DataTable
          label={intl.formatMessage({ id: 'staff.payments.title', defaultMessage: 'Payments' })}
          columns={columns}
          rows={list.data?.content ?? []}
          rowKey={(p) => p.id}
          loading={list.isFetching}
          error={list.isError && <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />}
          empty={
            <EmptyState
              illustration="sent"
              title={<FormattedMessage id="staff.payments.none" defaultMessage="No payment needs attention" />}
            >
              <FormattedMessage
                id="staff.payments.none_text"
                defaultMessage="A payment that comes too late or twice stands here until you have seen it and its money is where it belongs."
              />
            </EmptyState>
          }
        />
      </Rows>
      {list.data && list.data.totalElements > list.data.size && (
        <Pagination page={page} pageSize={list.data.size} total={list.data.totalElements} onPage={setPage} />
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={
          <FormattedMessage
            id="staff.payments.ask"
            defaultMessage="Pay back {amount}?"
            values={{ amount: euros(asked?.amount ?? 0) }}
          />
        }
        confirm={<FormattedMessage id="staff.payments.refund" defaultMessage="Pay back" />}
        busy={refund.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() =>
          asked && refund.mutate({ body: undefined, path: { id: asked.id } }, { onSettled: () => setAsked(undefined) })
        }
      >
        <FormattedMessage
          id="staff.payments.ask_text"
          defaultMessage="The money goes back to the account that it came from. This cannot be undone."
        />
      </ConfirmDialog>
    </Stack>
  );
}

/** Why somebody should look at it. */
function Note({ payment: { note, late } }: { payment: Payment }) {
  return (
    <FormattedMessage
      id="staff.payments.note"
      defaultMessage="{note, select, HONOURED {Came too late; the shares were still there, so the order went on} SHARES_GONE {Came too late; the shares were gone, so it is paid back} ORDER_CANCELLED {Came after the order was cancelled} PAID_TWICE {The order had been paid already} AMOUNT_DIFFERS {Another amount than the order} REFUNDED_OUTSIDE {Paid back outside the portal} REFUND_REFUSED {Paying back was refused; try again} WITHDRAWN {The buyer withdrew from the purchase} BY_STAFF {Paid back by a colleague} late {Came too late} other {}}"
      values={{ note: note || (late ? 'late' : 'other') }}
    />
  );
}
