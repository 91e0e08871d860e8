import { usePortal } from '@wattle/sdk';
import { LinkButton, PhoneLink, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { OpenNow } from './hours';
import { Mail } from './mail';

/**
 * Customer service on the dashboard: phone number, whether it is open, and when it opens next
 * (2.1-dashboard-service-tile).
 */
export default function ServiceTile() {
  const { label } = usePortal();
  return (
    <Width>
      <Wide>
        <Stack gap={8}>
          <Large>
            <PhoneLink number={label.phone} />
          </Large>
          <OpenNow hours={label.hours} />
        </Stack>
        <div>
          <TextLink href={`mailto:${label.email}`}>
            <Mail address={label.email} />
          </TextLink>
        </div>
        <div>
          <LinkButton href="/contact" small icon="message">
            <FormattedMessage id="account.service.write" defaultMessage="Send a message" />
          </LinkButton>
        </div>
      </Wide>
    </Width>
  );
}

const Width = styled.div`container-type: inline-size;`;
/** Side by side in a wide tile. */
const Wide = styled.div`
  display: flex; flex-direction: column; gap: 12px;
  @container (min-width: 600px) { flex-direction: row; align-items: center; justify-content: space-between; gap: 32px; }
`;
const Large = styled.div`font-size: 28px; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums;`;
