import { type Problem, useMay, useToday } from '@wattle/sdk';
import { Button, Stack } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { api, may, type Order } from './api';
import { canCancel, canPay, canWithdraw } from './order.rules';
import { Failed } from './own';

/** What is asked about an order. */
export interface Wish {
  what: 'cancel' | 'withdraw';
  order: Order;
}

/** What can be done with an order in its status: pay, cancel, withdraw; nothing once it has expired (4-order-expired). */
export function OrderActions({ order: o, ask }: { order: Order; ask(wish: Wish): void }) {
  const today = useToday();
  const cancel = useMay(may.cancelOrder);
  const withdraw = useMay(may.withdrawOrder);
  return (
    <Stack gap={8}>
      {canPay(o.status) && <Pay order={o} />}
      {canWithdraw(o, today) && (
        <Button small wide why={withdraw.ok ? undefined : withdraw.why} onClick={() => ask({ what: 'withdraw', order: o })}>
          <FormattedMessage id="marketplace.withdraw" defaultMessage="Withdraw from this purchase" />
        </Button>
      )}
      {canCancel(o.status) && (
        <Button
          small
          wide
          variant="quiet"
          why={cancel.ok ? undefined : cancel.why}
          onClick={() => ask({ what: 'cancel', order: o })}
        >
          <FormattedMessage id="marketplace.order.cancel" defaultMessage="Cancel order" />
        </Button>
      )}
    </Stack>
  );
}

/** 4-order-pay-link: the link is fetched when it is asked for, and opens in a tab of its own. */
export function Pay({ order: o }: { order: Order }) {
  const link = api.useGet(
    '/sustainable/orders/{id}/paylink',
    { path: { id: o.deal_identifier } },
    { enabled: false, retry: false },
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const pay = async () => {
    setProblem(null);
    // at the press itself: a window opened after the answer is a pop-up to the browser
    const tab = window.open('', '_blank');
    const { data, error } = await link.refetch();
    if (!data) {
      tab?.close();
      return setProblem(error);
    }
    if (!tab) return window.location.assign(data.url);
    tab.opener = null;
    tab.location.replace(data.url);
  };
  return (
    <>
      <Button small wide variant="primary" iconEnd="external" loading={link.isFetching} onClick={() => void pay()}>
        <FormattedMessage id="marketplace.order.pay" defaultMessage="Pay (new tab)" />
      </Button>
      <Failed problem={problem} title="wrong" retry={() => void pay()} busy={link.isFetching} />
    </>
  );
}
