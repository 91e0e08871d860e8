import { useLocation } from '@wattle/sdk';
import { LinkButton, Result } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { Column } from './column';
import { ContactDetails } from './contact-details';

/** 2.4-pending-page: shown after a registration, and after a reactivation that required the address. */
export default function PendingPage() {
  const { asked } = (useLocation().state ?? {}) as { asked?: 'account' | 'reactivation' };
  return (
    <Column>
      <Result
        title={<FormattedMessage id="onboarding.pending.title" defaultMessage="We have received your request" />}
        actions={
          asked === 'reactivation' && (
            <LinkButton href="/" variant="primary">
              <FormattedMessage id="onboarding.to_sign_in" defaultMessage="To sign in" />
            </LinkButton>
          )
        }
      >
        {asked === 'reactivation' ? (
          <FormattedMessage
            id="onboarding.pending.reactivation"
            defaultMessage="There is an email on its way to you with a temporary password. Sign in with it; then you choose a password of your own."
          />
        ) : (
          <FormattedMessage
            id="onboarding.pending.text"
            defaultMessage="There is an email on its way to you with a link: follow it to confirm your address. Then we look at your request, usually within 2 working days, and email you your login details."
          />
        )}
      </Result>
      <ContactDetails />
    </Column>
  );
}
