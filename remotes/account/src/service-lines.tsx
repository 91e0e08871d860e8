import { usePortal } from '@wattle/sdk';
import { PhoneLink, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { OpenNow } from './hours';
import { Mail } from './mail';

/** Customer service on the home page, in a few lines (2.1-home-content). */
export default function ServiceLines() {
  const { label } = usePortal();
  return (
    <>
      <OpenNow hours={label.hours} />
      <div>
        <PhoneLink number={label.phone} />
      </div>
      <div>
        <TextLink href={`mailto:${label.email}`}>
          <Mail address={label.email} />
        </TextLink>
      </div>
      <TextLink href="/contact">
        <FormattedMessage id="account.service.write" defaultMessage="Send a message" />
      </TextLink>
    </>
  );
}
