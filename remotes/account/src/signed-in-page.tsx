import { Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { SignedIn } from './signed-in';

/** Staff have no account page: where they are signed in is a page of its own (2.1-sessions-section). */
export default function SignedInPage() {
  return (
    <Page title={<FormattedMessage id="account.signed_in.title" defaultMessage="Your devices" />}>
      <SignedIn />
    </Page>
  );
}
