import { useProblemText } from '@wattle/sdk';
import { Button, ConfirmDialog, EmptyState, ErrorState, formatMoney, formatNumber, Notice, Stack } from '@wattle/ui';
import { type Column, DataTable, Pagination } from '@wattle/ui/table';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, type Payment } from './api';
import { Rows, Small } from './listing';
import { advice } from './payment.rules';
import { MarketState, Moment, RelationLink } from './texts';

const euros = (amount: number) => formatMoney(Math.round(amount * 100));

/** Payments that staff must handle, with the reason and the possible actions. */
export function Payments() {
  const intl = useIntl();
  const text = useProblemText();
  const [page, setPage] = useState(1);
  const [action, setAction] = useState<{ what: 'refund' | 'cancel'; of: Payment }>();
  const list = api.useGet('/sustainable/staff/payments', { query: { attention: true, ...(page > 1 ? { page: page - 1 } : {}) } });
  const refund = api.useWrite('post', '/sustainable/staff/payments/{id}/refund', {
    changes: ['/sustainable/staff/payments', '/sustainable/staff/orders'],
  });
  const cancel = api.useWrite('post', '/sustainable/staff/payments/{id}/cancel-sale', {
    changes: ['/sustainable/staff/payments', '/sustainable/staff/orders'],
  });
  const seen = api.useWrite('post', '/sustainable/staff/payments/{id}/seen', { changes: ['/sustainable/staff/payments'] });
  const failed = refund.error ?? cancel.error ?? seen.error;
  const close = { onSettled: () => setAction(undefined) };
  const left = action ? action.of.amount - action.of.refunded_amount - action.of.charged_back_amount : 0;
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
            <PaymentNote payment={p} />
          </Small>
        </>
      ),
    },
    {
      id: 'who',
      title: <FormattedMessage id="staff.col.buyer" defaultMessage="Buyer" />,
      width: 176,
      cell: (p) => <RelationLink {...p} name={p.buyer_name} />,
    },
    {
      id: 'paid',
      title: <FormattedMessage id="staff.col.paid" defaultMessage="Paid" />,
      width: 128,
      cell: (p) => (p.paid_at ? <Moment at={p.paid_at} /> : '–'),
    },
    {
      id: 'amount',
      title: <FormattedMessage id="staff.col.amount" defaultMessage="Amount" />,
      align: 'end',
      width: 136,
      card: 'end',
      cell: (p) => (
        <>
          {euros(p.amount)}
          <AmountReturned payment={p} />
        </>
      ),
    },
    {
      id: 'state',
      title: <FormattedMessage id="staff.col.state" defaultMessage="State" />,
      width: 136,
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
              onClick={() => setAction({ what: 'refund', of: p })}
              aria-label={intl.formatMessage(
                { id: 'staff.payments.refund_what', defaultMessage: 'Pay back: {what}' },
                { what: p.deal_reference },
              )}
            >
              <FormattedMessage id="staff.payments.refund" defaultMessage="Pay back" />
            </Button>
          )}
          {p.may_cancel_sale && (
            <Button
              small
              icon="close"
              onClick={() => setAction({ what: 'cancel', of: p })}
              aria-label={intl.formatMessage(
                { id: 'staff.payments.cancel_what', defaultMessage: 'Cancel sale: {what}' },
                { what: p.deal_reference },
              )}
            >
              <FormattedMessage id="staff.payments.cancel" defaultMessage="Cancel sale" />
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
        isOpen={action?.what === 'refund'}
        title={<FormattedMessage id="staff.payments.ask" defaultMessage="Pay back {amount}?" values={{ amount: euros(left) }} />}
        confirm={<FormattedMessage id="staff.payments.refund" defaultMessage="Pay back" />}
        busy={refund.isPending}
        onClose={() => setAction(undefined)}
        onConfirm={() => action && refund.mutate({ body: undefined, path: { id: action.of.id } }, close)}
      >
        <FormattedMessage
          id="staff.payments.ask_text"
          defaultMessage="The money goes back to the account that it came from. This cannot be undone."
        />
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={action?.what === 'cancel'}
        title={<FormattedMessage id="staff.payments.ask_cancel" defaultMessage="Cancel this sale?" />}
        confirm={<FormattedMessage id="staff.payments.cancel" defaultMessage="Cancel sale" />}
        busy={cancel.isPending}
        onClose={() => setAction(undefined)}
        onConfirm={() => action && cancel.mutate({ body: undefined, path: { id: action.of.id } }, close)}
      >
        <FormattedMessage
          id="staff.payments.ask_cancel_text"
          defaultMessage="The shares return to the seller, and the buyer gets back what is left: {amount}. Both are told by email. This cannot be undone."
          values={{ amount: euros(left) }}
        />
      </ConfirmDialog>
    </Stack>
  );
}

/** The refunded and charged-back amounts, below the amount of the payment. */
function AmountReturned({ payment: { refunded_amount: refunded, charged_back_amount: charged } }: { payment: Payment }) {
  return (
    <>
      {charged > 0 && (
        <Small>
          <FormattedMessage
            id="staff.payments.charged"
            defaultMessage="{amount} charged back"
            values={{ amount: euros(charged) }}
          />
        </Small>
      )}
      {refunded > 0 && (
        <Small>
          <FormattedMessage
            id="staff.payments.refunded"
            defaultMessage="{amount} refunded"
            values={{ amount: euros(refunded) }}
          />
        </Small>
      )}
    </>
  );
}

/** Why staff must handle the payment, and what they can do. */
function PaymentNote({ payment: { note, late, order_status, shares, buyer_free_shares: free } }: { payment: Payment }) {
  const what = advice(note, order_status);
  return (
    <>
      <FormattedMessage
        id="staff.payments.note"
        defaultMessage="{note, select, HONOURED {Came too late; the shares were still there, so the order went on} SHARES_GONE {Came too late; the shares were gone, so it is paid back} ORDER_CANCELLED {Came after the order was cancelled} PAID_TWICE {The order had been paid already} AMOUNT_DIFFERS {Another amount than the order} REFUNDED_OUTSIDE {Paid back outside the portal.} REFUNDED_PART {A part was paid back outside the portal.} REFUND_REFUSED {Paying back was refused; try again} REFUND_FAILED {Paying back failed after all.} CHARGED_BACK {Charged back by the buyer’s bank.} CHARGED_BACK_AFTER_TRANSFER {Charged back after the shares were transferred.} MONEY_RESTORED {What had come back is here again.} RETURNED_TWICE {Paid back and charged back: more than was paid.} WITHDRAWN {The buyer withdrew from the purchase} BY_STAFF {Paid back by a colleague} late {Came too late} other {}}"
        values={{ note: note || (late ? 'late' : 'other') }}
      />
      {what !== 'other' && (
        <>
          {' '}
          <FormattedMessage
            id="staff.payments.advice"
            defaultMessage="{advice, select, cancelled {The sale is cancelled and the shares are with the seller.} transferred {Dispute it at the payment provider or ask the buyer to pay. Of the {shares} shares the buyer still has {free} free; correct both participations to take them back.} part {The sale goes on. Leave it, or cancel the sale before the transfer.} part_done {The shares have been transferred.} failed {Ask the buyer for the right account, then try again.} restored {The sale was cancelled: pay it back once you know why.} stands {The order stays as it is.} twice {Dispute the chargeback at the payment provider.} other {}}"
            values={{ advice: what, shares: formatNumber(shares), free: formatNumber(free ?? 0) }}
          />
        </>
      )}
    </>
  );
}
