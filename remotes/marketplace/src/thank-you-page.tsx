import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function ThankYouPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.thanks.title" defaultMessage="Thank you" />} />;
}
