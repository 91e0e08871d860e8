import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { Sessions } from './sessions';

/** The list of sessions for staff, who have no account page (2.1-sessions-section). */
export default function SessionsPage() {
  return (
    <Page title={<FormattedMessage id="account.signed_in.title" defaultMessage="Your devices" />}>
      <Sessions />
    </Page>
  );
}
