import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function PaymentCancelledPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.cancelled.title" defaultMessage="Payment cancelled" />} />;
}
