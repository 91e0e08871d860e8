import { clockAt, usePortal } from '@wattle/sdk';
import { Card, CivilDate, EmptyState, ErrorState, LinkButton, Money, Page } from '@wattle/ui';
import { type Column, DataTable } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import type { Order } from './api';
import { canExpire, isTransferred, newestFirst, projectsOf } from './order.rules';
import { type OrderAction, OrderActions } from './order-actions';
import { CancelOrder, cents, WithdrawOrder } from './order-dialogs';
import { OrderStatus } from './statuses';
import { Quiet } from './texts';
import { useOrders } from './use-orders';

/** 2.1-my-orders-route, 2.1-orders-columns */
export default function MyOrdersPage() {
  const intl = useIntl();
  const { timeZone } = usePortal();
  const orders = useOrders();
  const [requested, setRequested] = useState<OrderAction>();
  const [open, setOpen] = useState(false); // the order stays set while the dialog is closing
  const dialog = { isOpen: open, close: () => setOpen(false) };
  const columns: Column<Order>[] = [
    {
      id: 'project',
      title: <FormattedMessage id="marketplace.reference" defaultMessage="Order" />,
      card: 'title',
      head: true,
      cell: (o) => (
        <>
          {projectsOf(o)}
          <Quiet as="div" style={{ whiteSpace: 'nowrap' }}>
            {o.deal_reference}
          </Quiet>
        </>
      ),
    },
    {
      id: 'placed',
      title: <FormattedMessage id="marketplace.placed" defaultMessage="Ordered" />,
      cell: (o) => <CivilDate day={clockAt(o.placed, timeZone).day} />,
    },
    {
      id: 'shares',
      title: <FormattedMessage id="marketplace.number" defaultMessage="Shares" />,
      align: 'end',
      cell: (o) => o.shares,
    },
    {
      id: 'amount',
      title: <FormattedMessage id="marketplace.amount" defaultMessage="Amount" />,
      align: 'end',
      card: 'end',
      cell: (o) => (
        <>
          <Money cents={cents(o.amount_due)} />
          {o.administration_costs > 0 && (
            <Quiet as="div">
              <FormattedMessage
                id="marketplace.of_which_costs"
                defaultMessage="including costs of {costs}"
                values={{ costs: <Money cents={cents(o.administration_costs)} /> }}
              />
            </Quiet>
          )}
        </>
      ),
    },
    {
      id: 'status',
      title: <FormattedMessage id="marketplace.status" defaultMessage="Status" />,
      cell: (o) => (
        <>
          <OrderStatus order={o} />
          {canExpire(o.status) && (
            <Quiet as="div">
              <FormattedMessage
                id="marketplace.expires"
                defaultMessage="Expires on {day}"
                values={{ day: <CivilDate day={clockAt(o.expiration_date, timeZone).day} /> }}
              />
            </Quiet>
          )}
        </>
      ),
    },
    {
      id: 'transfer',
      title: <FormattedMessage id="marketplace.transfer_date" defaultMessage="Transfer" />,
      cell: (o) => (isTransferred(o.status) ? <CivilDate day={o.transfer_date} /> : '–'),
    },
    {
      id: 'actions',
      title: <FormattedMessage id="marketplace.actions" defaultMessage="What you can do" />,
      quiet: true,
      width: 190,
      cell: (o) => (
        <OrderActions
          order={o}
          act={(action) => {
            setRequested(action);
            setOpen(true);
          }}
        />
      ),
    },
  ];
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />}
      sentence={
        <FormattedMessage
          id="marketplace.my_orders.intro"
          defaultMessage="What you have bought, what is still to be paid, and when the shares become yours."
        />
      }
    >
      <Card flush>
        <DataTable
          label={intl.formatMessage({ id: 'marketplace.my_orders.title', defaultMessage: 'My orders' })}
          columns={columns}
          rows={newestFirst(orders.data ?? [])}
          rowKey={(o) => o.deal_identifier}
          loading={orders.isPending}
          error={orders.isError && <ErrorState onRetry={() => void orders.refetch()} retrying={orders.isFetching} />}
          empty={
            <EmptyState
              title={<FormattedMessage id="marketplace.my_orders.none" defaultMessage="You have no orders" />}
              action={
                <LinkButton href="/offers" variant="primary">
                  <FormattedMessage id="marketplace.to_offers" defaultMessage="See the offers" />
                </LinkButton>
              }
            />
          }
        />
      </Card>
      {requested?.what === 'cancel' && <CancelOrder key={requested.order.deal_identifier} {...dialog} order={requested.order} />}
      {requested?.what === 'withdraw' && (
        <WithdrawOrder key={requested.order.deal_identifier} {...dialog} order={requested.order} />
      )}
    </Page>
  );
}
