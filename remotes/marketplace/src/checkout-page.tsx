import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function CheckoutPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.checkout.title" defaultMessage="Checkout" />} />;
}
