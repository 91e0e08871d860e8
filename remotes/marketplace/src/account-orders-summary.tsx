import { FormattedMessage } from 'react-intl';
import { canPay } from './order.rules';
import { useOrders } from './use-orders';

/**
 * States that there is nothing to pay, in the closed section of the account page; unpaid orders are above the sections
 * (9-account-to-pay).
 */
export default function AccountOrdersSummary() {
  const orders = useOrders().data;
  return orders && !orders.some((o) => canPay(o.status)) ? (
    <FormattedMessage id="marketplace.to_pay.nothing" defaultMessage="No orders to pay" />
  ) : null;
}
