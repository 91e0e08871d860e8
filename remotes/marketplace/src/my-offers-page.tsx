import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function MyOffersPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.my_offers.title" defaultMessage="My offers" />} />;
}
