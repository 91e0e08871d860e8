import { useMay, useToday } from '@wattle/sdk';
import { Button, Stack, VisuallyHidden } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import { api, may, type Order } from './api';
import { canCancel, canPay, canWithdraw } from './order.rules';
import { blockReason, FailedAction } from './own';

/** A requested action on an order. */
export interface OrderAction {
  what: 'cancel' | 'withdraw';
  order: Order;
}

/** The actions of an order in its status: pay, cancel, withdraw; none after it has expired (4-order-expired). */
export function OrderActions({ order: o, act }: { order: Order; act(action: OrderAction): void }) {
  const today = useToday();
  const allowed = { cancel: useMay(may.cancelOrder), withdraw: useMay(may.withdrawOrder) };
  const button = (what: OrderAction['what'], text: ReactNode) => (
    <Button
      small
      wide
      variant={what === 'cancel' ? 'quiet' : 'secondary'}
      why={blockReason(allowed[what])}
      onClick={() => act({ what, order: o })}
    >
      {text}
    </Button>
  );
  return (
    <Stack gap={8}>
      {canPay(o.status) && <Pay order={o} />}
      {canWithdraw(o, today) &&
        button('withdraw', <FormattedMessage id="marketplace.withdraw" defaultMessage="Withdraw from this purchase" />)}
      {canCancel(o.status) && button('cancel', <FormattedMessage id="marketplace.cancel" defaultMessage="Cancel" />)}
    </Stack>
  );
}

/** The link is fetched when the button is pressed, and opens in a new tab (4-order-pay-link); checkout opens it in its own tab. */
export function Pay({ order: o }: { order: Order }) {
  const permission = useMay(may.payOrder);
  const link = api.useWrite('post', '/sustainable/orders/{id}/paylink', { changes: [] });
  const pay = () => {
    // opened by the click itself: browsers block a window that is opened after the response
    const tab = window.open('', '_blank');
    link.mutate(
      { body: undefined, path: { id: o.deal_identifier } },
      {
        onError: () => tab?.close(),
        onSuccess: ({ url }) => {
          if (!tab) return window.location.assign(url);
          tab.opener = null;
          tab.location.replace(url);
        },
      },
    );
  };
  return (
    <>
      <Button
        small
        wide
        variant="primary"
        iconEnd="external"
        loading={link.isPending}
        why={blockReason(permission)}
        onClick={pay}
      >
        <FormattedMessage
          id="marketplace.order.pay"
          defaultMessage="Pay <hidden>(opens in a new tab)</hidden>"
          values={{ hidden: (words) => <VisuallyHidden>{words}</VisuallyHidden> }}
        />
      </Button>
      <FailedAction of={link} retry={pay} />
    </>
  );
}
