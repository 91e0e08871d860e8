import { EmptyState, Page, PhoneLink, TextLink } from '@wattle/ui';
import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';
import { useShell } from '../context';
import { LaterTexts } from '../later-texts';

/** 2.4-under-construction */
export default function UnderConstruction(): ReactElement {
  const { label } = useShell().portal;
  return (
    <Page title={<FormattedMessage id="shell.construction.title" defaultMessage="We will be back soon" />}>
      <LaterTexts>
        <EmptyState
          illustration="house"
          title={<FormattedMessage id="shell.construction.lead" defaultMessage="We are working on the portal" />}
        >
          <FormattedMessage
            id="shell.construction.text"
            defaultMessage="Maintenance is going on, so you cannot do everything here for a while. Need help now? Call {phone} or write to {email}."
            values={{
              phone: <PhoneLink number={label.phone} />,
              email: <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>,
            }}
          />
        </EmptyState>
      </LaterTexts>
    </Page>
  );
}
