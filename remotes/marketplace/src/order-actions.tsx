import { useMay, useProblemText, useToday } from '@wattle/sdk';
import { Button, CivilDate, formatMoney, Small, Stack, VisuallyHidden } from '@wattle/ui';
import { useId } from 'react';
import { FormattedMessage } from 'react-intl';
import { api, may, type Order } from './api';
import { canPay, wayOut } from './order.rules';
import { cents } from './order-dialogs';
import { blockReason, FailedAction } from './own';

/** An action on an order, requested by the member. */
export interface OrderAction {
  what: 'cancel' | 'withdraw';
  order: Order;
}

/**
 * Paying an order, or else the one way out of it with its consequence (9-order-way-out); nothing after it has expired
 * (4-order-expired).
 */
export function OrderActions({ order: o, act }: { order: Order; act(action: OrderAction): void }) {
  const out = wayOut(o, useToday());
  const text = useProblemText();
  const consequence = useId();
  const allowed = { cancel: useMay(may.cancelOrder), withdraw: useMay(may.withdrawOrder) };
  const what = out === 'withdraw' ? out : 'cancel';
  const disabledReason =
    blockReason(allowed[what]) ?? (out === 'over' ? text({ code: 'marketplace.withdrawal_over' }) : undefined);
  return (
    <Stack gap={8}>
      {canPay(o.status) && <Pay order={o} />}
      {out && (
        <div>
          <Button
            small
            wide
            variant={canPay(o.status) ? 'quiet' : 'secondary'}
            disabledReason={disabledReason}
            aria-describedby={disabledReason ? undefined : consequence}
            onClick={() => act({ what, order: o })}
          >
            {out === 'withdraw' ? (
              <FormattedMessage id="marketplace.withdraw" defaultMessage="Withdraw from this purchase" />
            ) : (
              <FormattedMessage id="marketplace.cancel" defaultMessage="Cancel" />
            )}
          </Button>
          {!disabledReason && (
            <Small id={consequence}>
              <FormattedMessage
                id="marketplace.way_out"
                defaultMessage="{out, select, withdraw {Possible until {day}. You get back {amount}.} other {Then you pay nothing.}}"
                values={{ out, day: <CivilDate day={o.withdraw_until ?? ''} />, amount: formatMoney(cents(o.amount_due)) }}
              />
            </Small>
          )}
        </div>
      )}
    </Stack>
  );
}

/** The link is fetched when the button is pressed, and opens in a new tab (4-order-pay-link); checkout opens it in its own tab. */
export function Pay({ order: o }: { order: Order }) {
  const permission = useMay(may.payOrder);
  const link = api.useWrite('post', '/sustainable/orders/{id}/paylink', { changes: [] });
  const pay = () => {
    // opened by the click itself, because browsers block a window that is opened after the response
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
        disabledReason={blockReason(permission)}
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
