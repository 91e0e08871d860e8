import { Page, Section } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { Sessions } from './sessions';

/** The sessions page for staff, who have no account page (2.1-sessions-section). */
export default function SessionsPage() {
  return (
    <Page title={<FormattedMessage id="account.signed_in.title" defaultMessage="Your devices" />}>
      <Section title={<FormattedMessage id="account.signed_in" defaultMessage="Where you are signed in" />}>
        <Sessions />
      </Section>
    </Page>
  );
}
