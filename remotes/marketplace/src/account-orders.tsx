import { ErrorState, Skeleton, Stack, TextLink } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { canPay } from './order.rules';
import { useOrders } from './use-orders';

/** On the account page: that there are no orders to pay. If there are, they come first on the page instead (9-account-to-pay). */
export default function AccountOrders({ hide }: { hide(): void }) {
  const orders = useOrders();
  const elsewhere = orders.data?.some((o) => canPay(o.status));
  useEffect(() => {
    if (elsewhere) hide();
  }, [elsewhere, hide]);
  if (elsewhere) return null;
  if (orders.isError) return <ErrorState compact onRetry={() => void orders.refetch()} retrying={orders.isFetching} />;
  if (!orders.data) return <Skeleton shape="row" count={1} />;
  return (
    <Stack gap={12}>
      <p>
        <FormattedMessage id="marketplace.to_pay.none" defaultMessage="You have no orders to pay." />
      </p>
      <div>
        <TextLink href="/my-orders">
          <FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />
        </TextLink>
      </div>
    </Stack>
  );
}
