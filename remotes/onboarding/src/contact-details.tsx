import { usePortal } from '@wattle/sdk';
import { Card, Facts, formatPhone, TextLink } from '@wattle/ui';
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
            value: <TextLink href={`tel:${label.phone.replace(/[^+\d]/g, '')}`}>{formatPhone(label.phone)}</TextLink>,
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
