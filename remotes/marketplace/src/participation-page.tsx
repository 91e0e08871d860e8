import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

export default function ParticipationPage() {
  return (
    <Page width="wide" title={<FormattedMessage id="marketplace.participation.title" defaultMessage="Your participation" />} />
  );
}
