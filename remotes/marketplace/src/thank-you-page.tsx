import { useNavigate, usePortal, useSearchParams } from '@wattle/sdk';
import { Facts, formatDay, Illustration, LinkButton, Money, Page, Row, Timeline } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { cents } from './order-dialogs';
import { readOrder } from './paid.rules';
import { useOrder } from './use-orders';

/**
 * The page to which the payment provider redirects (2.4-thank-you). Its URL does not prove a payment, so it reports an order as
 * paid only if the server does: a signed-in buyer sees the actual order (9-checkout-result).
 */
export default function ThankYouPage() {
  return <After />;
}

/** What is known about the order, from the URL alone or from the server. */
type Outcome = 'received' | 'paid' | 'unpaid' | 'over';

export function After({ cancelled = false }: { cancelled?: boolean }) {
  const intl = useIntl();
  const navigate = useNavigate();
  const { session } = usePortal();
  const [search] = useSearchParams();
  const asked = readOrder(search.get('n'));
  const missing = !asked && !cancelled;
  const { order, waiting } = useOrder(asked?.reference, session?.role === 'customer' && asked !== undefined && !cancelled);
  useEffect(() => {
    if (missing) navigate('/account', { replace: true });
  }, [missing, navigate]);
  if (missing) return null;
  const outcome: Outcome =
    !order || waiting
      ? 'received'
      : order.status === 'BOUGHT' || order.status === 'COMPLETED'
        ? 'paid'
        : order.status === 'EXPIRED' || order.status === 'CANCELLED'
          ? 'over'
          : order.status === 'CREATED' || order.status === 'AWAITING_PAYMENT'
            ? 'unpaid'
            : 'received'; // a status from a newer version (4-order-status-other)
  return (
    <Page
      width="form"
      title={
        cancelled ? (
          <FormattedMessage id="marketplace.cancelled.title" defaultMessage="Payment cancelled" />
        ) : (
          <FormattedMessage
            id="marketplace.thanks.title_is"
            defaultMessage="{outcome, select, paid {Thank you, your payment is in} unpaid {Not paid yet} over {This order is no longer valid} other {Order received}}"
            values={{ outcome }}
          />
        )
      }
      sentence={
        cancelled ? (
          <FormattedMessage
            id="marketplace.cancelled.text"
            defaultMessage="You have not paid. Your order stays as it is: you can still pay for it under My orders."
          />
        ) : (
          <FormattedMessage
            id="marketplace.thanks.text_is"
            defaultMessage="{outcome, select, paid {On {day} the shares become yours.} unpaid {We have not received a payment. You can still pay for it under My orders.} over {If you have paid, you get your money back.} other {We send you an email as soon as your payment has been confirmed.}}"
            values={{ outcome, day: order ? formatDay(order.transfer_date) : '' }}
          />
        )
      }
    >
      <Illustration name={cancelled || outcome === 'over' ? 'error' : outcome === 'unpaid' ? 'empty' : 'sent'} size={120} />
      {asked && (
        <Facts
          items={[
            { label: <FormattedMessage id="marketplace.thanks.number" defaultMessage="Order number" />, value: asked.reference },
            {
              label: <FormattedMessage id="marketplace.amount" defaultMessage="Amount" />,
              value: <Money cents={order ? cents(order.amount_due) : asked.amount} />,
            },
          ]}
        />
      )}
      {!cancelled && outcome !== 'over' && (
        <div role="status">
          <Timeline
            items={[
              { title: <FormattedMessage id="marketplace.thanks.ordered" defaultMessage="Ordered" />, state: 'done' },
              {
                title: (
                  <FormattedMessage
                    id="marketplace.thanks.payment_is"
                    defaultMessage="{outcome, select, paid {Paid} unpaid {Not paid yet} other {Payment being confirmed}}"
                    values={{ outcome }}
                  />
                ),
                state: outcome === 'paid' ? 'done' : 'now',
              },
              {
                title: intl.formatMessage({ id: 'marketplace.thanks.transferred', defaultMessage: 'Shares transferred' }),
                state: order?.status === 'COMPLETED' ? 'done' : outcome === 'paid' ? 'now' : 'next',
              },
            ]}
          />
        </div>
      )}
      <Row>
        {(cancelled || outcome !== 'received') && (
          <LinkButton href="/my-orders" variant={cancelled || outcome === 'unpaid' ? 'primary' : 'secondary'}>
            <FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />
          </LinkButton>
        )}
        {!cancelled && (
          <LinkButton href="/account" variant={outcome === 'unpaid' ? 'secondary' : 'primary'}>
            <FormattedMessage id="marketplace.thanks.account" defaultMessage="To your account" />
          </LinkButton>
        )}
      </Row>
    </Page>
  );
}
