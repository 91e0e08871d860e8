import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function PersonalOffersPage() {
  return <Page width="wide" title={<FormattedMessage id="marketplace.personal.title" defaultMessage="Personal offers" />} />;
}
