import { clockAt, type Problem, useNotify, usePortal } from '@wattle/sdk';
import { Button, Dialog, formatDay, formatMoney, Stack } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type Order } from './api';
import { FailedAction } from './own';

export const cents = (euros: number): number => Math.round(euros * 100);

interface DialogProps {
  order: Order;
  isOpen: boolean;
  close(): void;
}

interface ConfirmProps extends Omit<DialogProps, 'order'> {
  title: ReactNode;
  confirm: ReactNode;
  of: { error: Problem | null; isPending: boolean; reset(): void };
  /** The action has succeeded, so there is no confirm button. */
  done?: boolean;
  submit(): void;
  children: ReactNode;
}

/** A confirmation dialog. It stays open if the action fails. */
function Confirm({ title, confirm, of, isOpen, close, done, submit, children }: ConfirmProps) {
  const leave = () => {
    of.reset();
    close();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={leave}
      title={title}
      actions={
        <>
          {!done && (
            <Button variant="danger" loading={of.isPending} onClick={submit}>
              {confirm}
            </Button>
          )}
          <Button variant="quiet" disabled={of.isPending} onClick={leave}>
            <FormattedMessage
              id="marketplace.ask.leave"
              defaultMessage="{done, select, true {Close} other {Keep it}}"
              values={{ done }}
            />
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <FailedAction of={of} retry={submit} />
        <div role="status">{children}</div>
      </Stack>
    </Dialog>
  );
}

/** Cancels an order after confirmation (8-order-cancelled). */
export function CancelOrder({ order: o, ...ask }: DialogProps) {
  const intl = useIntl();
  const notify = useNotify();
  const cancel = api.useWrite('delete', '/sustainable/orders/{id}', { changes: changes.order });
  const reference = o.deal_reference;
  const submit = () =>
    cancel.mutate(
      { body: undefined, path: { id: o.deal_identifier } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              { id: 'marketplace.order.cancelled', defaultMessage: 'Order {reference} has been cancelled.' },
              { reference },
            ),
          });
          ask.close();
        },
      },
    );
  return (
    <Confirm
      {...ask}
      of={cancel}
      submit={submit}
      title={
        <FormattedMessage id="marketplace.order.cancel_title" defaultMessage="Cancel order {reference}?" values={{ reference }} />
      }
      confirm={<FormattedMessage id="marketplace.order.cancel" defaultMessage="Cancel order" />}
    >
      <FormattedMessage
        id="marketplace.order.cancel_text"
        defaultMessage="The shares go back to the seller. {paid, select, true {You get your money back.} other {You do not pay anything.}}"
        values={{ paid: o.status === 'BOUGHT' }}
      />
    </Confirm>
  );
}

/**
 * Withdraws from an order within the withdrawal period, in two steps, with the receipt that is also sent by email
 * (9-withdrawal-function).
 */
export function WithdrawOrder({ order: o, ...ask }: DialogProps) {
  const { timeZone } = usePortal();
  const withdraw = api.useWrite('post', '/sustainable/orders/{id}/withdrawal', { changes: changes.order });
  const receipt = withdraw.data;
  const { day, time } = clockAt(receipt?.at ?? o.placed, timeZone);
  return (
    <Confirm
      {...ask}
      of={withdraw}
      done={withdraw.isSuccess}
      submit={() => withdraw.mutate({ body: undefined, path: { id: o.deal_identifier } })}
      title={<FormattedMessage id="marketplace.withdraw" defaultMessage="Withdraw from this purchase" />}
      confirm={<FormattedMessage id="marketplace.withdraw.confirm" defaultMessage="Confirm withdrawal" />}
    >
      {receipt ? (
        <FormattedMessage
          id="marketplace.withdraw.receipt"
          defaultMessage="Received on {day} at {time}, reference {reference}. You get back {amount}. We have emailed you this receipt."
          values={{
            day: formatDay(day),
            time,
            reference: receipt.reference,
            amount: formatMoney(cents(receipt.amount)),
          }}
        />
      ) : (
        <FormattedMessage
          id="marketplace.withdraw.text"
          defaultMessage="You get back {amount}. You can do so until {day}, without giving a reason."
          values={{ amount: formatMoney(cents(o.amount_due)), day: formatDay(o.withdraw_until ?? o.transfer_date) }}
        />
      )}
    </Confirm>
  );
}
