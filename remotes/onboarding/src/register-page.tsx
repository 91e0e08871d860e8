import { usePortal, useSettings } from '@wattle/sdk';
import { EmptyState, LinkButton, Page } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { OnboardingSettings } from './api';
import { ContactDetails } from './contact-details';
import { RegisterForm } from './register-form';

/** 2.4-register-fields, in labels that accept registrations; in other labels a text (1-register-label). */
export default function RegisterPage() {
  const { registration } = useSettings<OnboardingSettings>();
  const { label } = usePortal();
  if (!registration) return <Closed />;
  return (
    <Page
      width="form"
      title={<FormattedMessage id="onboarding.register.title" defaultMessage="Request an account" />}
      sentence={
        <FormattedMessage
          id="onboarding.register.intro"
          defaultMessage="Fill in who you are. {name} looks at your request and then sends you your login details by email, usually within 2 working days."
          values={{ name: label.name }}
        />
      }
    >
      <RegisterForm />
    </Page>
  );
}

function Closed() {
  const { label } = usePortal();
  return (
    <Page title={<FormattedMessage id="onboarding.closed.title" defaultMessage="Requesting an account is not available here" />}>
      <EmptyState
        illustration="house"
        title={
          <FormattedMessage
            id="onboarding.closed.lead"
            defaultMessage="{name} makes your account for you"
            values={{ name: label.name }}
          />
        }
        action={
          <LinkButton href="/" variant="primary">
            <FormattedMessage id="onboarding.to_sign_in" defaultMessage="To sign in" />
          </LinkButton>
        }
      >
        <FormattedMessage
          id="onboarding.closed.text"
          defaultMessage="As a customer you receive your login details from us. Did you not get them, or are you not a customer yet? Ask customer service."
        />
      </EmptyState>
      <ContactDetails />
    </Page>
  );
}
