import { clockAt, useNotify, usePortal } from '@wattle/sdk';
import { Button, Dialog, formatDay, Money, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type Order } from './api';
import { Failed } from './own';

const cents = (euros: number): number => Math.round(euros * 100);

interface Asked {
  order: Order | undefined;
  isOpen: boolean;
  close(): void;
}

/** Cancels after asking (8-order-cancelled). */
export function CancelOrder({ order: o, isOpen, close }: Asked) {
  const intl = useIntl();
  const notify = useNotify();
  const cancel = api.useWrite('delete', '/sustainable/orders/{id}', { changes: changes.order });
  const leave = () => {
    cancel.reset();
    close();
  };
  const submit = () =>
    o &&
    cancel.mutate(
      { body: undefined, path: { id: o.deal_identifier } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              { id: 'marketplace.order.cancelled', defaultMessage: 'Order {reference} has been cancelled.' },
              { reference: o.deal_reference },
            ),
          });
          leave();
        },
      },
    );
  return (
    <Dialog
      asks
      isOpen={isOpen}
      onClose={leave}
      title={
        <FormattedMessage
          id="marketplace.order.cancel_title"
          defaultMessage="Cancel order {reference}?"
          values={{ reference: o?.deal_reference }}
        />
      }
      actions={
        <>
          <Button variant="danger" loading={cancel.isPending} onClick={submit}>
            <FormattedMessage id="marketplace.order.cancel" defaultMessage="Cancel order" />
          </Button>
          <Button variant="quiet" disabled={cancel.isPending} onClick={leave}>
            <FormattedMessage id="marketplace.order.keep" defaultMessage="Keep it" />
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <Failed problem={cancel.error} title="wrong" busy={cancel.isPending} retry={submit} />
        <FormattedMessage
          id="marketplace.order.cancel_text"
          defaultMessage="{paid, select, true {The shares go back to the seller. You get back what you paid.} other {The shares go back to the seller. You do not pay anything.}}"
          values={{ paid: o?.status === 'BOUGHT' }}
        />
      </Stack>
    </Dialog>
  );
}

/** Withdrawing inside the cooling-off period, in two steps, with the receipt that is also mailed (9-withdrawal-function). */
export function WithdrawOrder({ order: o, isOpen, close }: Asked) {
  const { timeZone } = usePortal();
  const withdraw = api.useWrite('post', '/sustainable/orders/{id}/withdrawal', { changes: changes.order });
  const receipt = withdraw.data;
  const at = receipt && clockAt(receipt.at, timeZone);
  const leave = () => {
    withdraw.reset();
    close();
  };
  const submit = () => o && withdraw.mutate({ body: undefined, path: { id: o.deal_identifier } });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={leave}
      title={
        <FormattedMessage
          id="marketplace.withdraw.title"
          defaultMessage="{done, select, true {You have withdrawn from this purchase} other {Withdraw from this purchase?}}"
          values={{ done: receipt !== undefined }}
        />
      }
      actions={
        receipt ? (
          <Button onClick={leave}>
            <FormattedMessage id="marketplace.close" defaultMessage="Close" />
          </Button>
        ) : (
          <>
            <Button variant="danger" loading={withdraw.isPending} onClick={submit}>
              <FormattedMessage id="marketplace.withdraw.confirm" defaultMessage="Confirm withdrawal" />
            </Button>
            <Button variant="quiet" disabled={withdraw.isPending} onClick={leave}>
              <FormattedMessage id="marketplace.order.keep" defaultMessage="Keep it" />
            </Button>
          </>
        )
      }
    >
      <Stack gap={12}>
        <Failed problem={withdraw.error} title="wrong" busy={withdraw.isPending} retry={submit} />
        {receipt && at ? (
          <div role="status">
            <FormattedMessage
              id="marketplace.withdraw.receipt"
              defaultMessage="Received on {day} at {time}, reference {reference}. You get back {amount}. We have emailed you this receipt."
              values={{
                day: formatDay(at.day),
                time: at.time,
                reference: receipt.reference,
                amount: <Money cents={cents(receipt.amount)} />,
              }}
            />
          </div>
        ) : (
          o && (
            <FormattedMessage
              id="marketplace.withdraw.text"
              defaultMessage="You do not buy {shares, plural, one {this share} other {these # shares}} after all and get back {amount}. You can do so until {day}, without a reason."
              values={{
                shares: o.shares,
                amount: <Money cents={cents(o.amount)} />,
                day: formatDay(o.withdraw_until ?? o.transfer_date),
              }}
            />
          )
        )}
      </Stack>
    </Dialog>
  );
}
