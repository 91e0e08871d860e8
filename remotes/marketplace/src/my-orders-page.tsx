import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function MyOrdersPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.my_orders.title" defaultMessage="My orders" />} />;
}
