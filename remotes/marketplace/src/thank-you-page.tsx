import { useNavigate, useSearchParams } from '@wattle/sdk';
import { Facts, Illustration, LinkButton, Money, Page, Timeline } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { readOrder } from './paid.rules';

/** The page that the payment provider redirects to (2.4-thank-you). It never says that the order is paid: only the provider knows. */
export default function ThankYouPage() {
  return <After />;
}

export function After({ cancelled = false }: { cancelled?: boolean }) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const order = readOrder(search.get('n'));
  const missing = !order && !cancelled;
  useEffect(() => {
    if (missing) navigate('/account', { replace: true });
  }, [missing, navigate]);
  if (missing) return null;
  return (
    <Page
      width="form"
      title={
        cancelled ? (
          <FormattedMessage id="marketplace.cancelled.title" defaultMessage="Payment cancelled" />
        ) : (
          <FormattedMessage id="marketplace.thanks.title" defaultMessage="Order received" />
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
            id="marketplace.thanks.text"
            defaultMessage="We send you an email as soon as your payment has been confirmed."
          />
        )
      }
    >
      <Illustration name={cancelled ? 'error' : 'sent'} size={120} />
      {order && (
        <Facts
          items={[
            { label: <FormattedMessage id="marketplace.thanks.number" defaultMessage="Order number" />, value: order.reference },
            {
              label: <FormattedMessage id="marketplace.amount" defaultMessage="Amount" />,
              value: <Money cents={order.amount} />,
            },
          ]}
        />
      )}
      {!cancelled && (
        <Timeline
          items={[
            { title: <FormattedMessage id="marketplace.thanks.ordered" defaultMessage="Ordered" />, state: 'done' },
            { title: <FormattedMessage id="marketplace.thanks.paid" defaultMessage="Payment being confirmed" />, state: 'now' },
            {
              title: <FormattedMessage id="marketplace.thanks.transferred" defaultMessage="Shares transferred" />,
              state: 'next',
            },
          ]}
        />
      )}
      <div>
        {cancelled ? (
          <LinkButton href="/my-orders" variant="primary">
            <FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />
          </LinkButton>
        ) : (
          <LinkButton href="/account" variant="primary">
            <FormattedMessage id="marketplace.thanks.account" defaultMessage="To your account" />
          </LinkButton>
        )}
      </div>
    </Page>
  );
}
