import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function OffersPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.offers.title" defaultMessage="Offers" />} />;
}
