import { usePortal } from '@wattle/sdk';
import { Card, Facts, PhoneLink, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

/** Contact details of the provider (2.4-pending-page). */
export function ContactDetails() {
  const { label } = usePortal();
  return (
    <Card
      tone="tint"
      title={<FormattedMessage id="onboarding.reach" defaultMessage="Any questions? Ask {name}" values={{ name: label.name }} />}
    >
      <Facts
        items={[
          {
            label: <FormattedMessage id="onboarding.reach.phone" defaultMessage="Phone" />,
            value: <PhoneLink number={label.phone} />,
          },
          {
            label: <FormattedMessage id="onboarding.reach.email" defaultMessage="Email" />,
            value: <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>,
          },
        ]}
      />
    </Card>
  );
}
