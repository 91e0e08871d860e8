import { clockAt, usePortal } from '@wattle/sdk';
import { CivilDate, Money, Skeleton } from '@wattle/ui';
import { useLayoutEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { canPay, projectsOf } from './order.rules';
import { Pay } from './order-actions';
import { cents } from './order-dialogs';
import { useOrders } from './use-orders';

/** Orders to pay, which will expire, as lines of the card of what must be paid (4-orders-to-expire, 9-account-to-pay). */
export default function DueOrders({ hold }: { hold?: () => () => void }) {
  const { timeZone } = usePortal();
  const orders = useOrders();
  const waits = orders.isPending && orders.failureCount === 0;
  useLayoutEffect(() => (waits ? hold?.() : undefined), [waits, hold]);
  if (waits) return <Skeleton />;
  return orders.data
    ?.filter((o) => canPay(o.status))
    .map((o) => (
      <li key={o.deal_identifier}>
        <div>
          <strong>
            <Money cents={cents(o.amount_due)} />
          </strong>
          <p>
            <FormattedMessage
              id="marketplace.to_pay.for"
              defaultMessage="{n, plural, one {# share} other {# shares}} in {project}, pay before {day}"
              values={{
                n: o.shares,
                project: projectsOf(o),
                day: <CivilDate day={clockAt(o.expiration_date, timeZone).day} />,
              }}
            />
          </p>
          <small>{o.deal_reference}</small>
        </div>
        <div>
          <Pay order={o} />
        </div>
      </li>
    ));
}
