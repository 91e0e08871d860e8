import { usePortal } from '@wattle/sdk';
import { Badge, formatPhone, LinkButton, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { useHoursToday } from './hours';
import { Mail } from './mail';

/** Customer service on the dashboard: the number to call, until when today, and whether now (2.1-dashboard-service-tile). */
export default function ServiceTile() {
  const { label } = usePortal();
  const hours = useHoursToday(label.hours);
  return (
    <Stack gap={12}>
      <Stack gap={8}>
        <Large>
          <TextLink href={`tel:${label.phone.replace(/[^+\d]/g, '')}`}>{formatPhone(label.phone)}</TextLink>
        </Large>
        {hours && (
          <Today>
            {hours.open ? (
              <Badge tone="positive">
                <FormattedMessage id="account.service.now_open" defaultMessage="Open" />
              </Badge>
            ) : (
              <Badge icon="clock">
                {hours.today.length > 0 ? (
                  <FormattedMessage id="account.service.now_closed" defaultMessage="Closed" />
                ) : (
                  <FormattedMessage id="account.service.closed" defaultMessage="Closed today" />
                )}
              </Badge>
            )}
            {hours.today.map(({ from, to }) => (
              <span key={from}>
                <FormattedMessage id="account.service.open" defaultMessage="Today {from} to {to}" values={{ from, to }} />
              </span>
            ))}
          </Today>
        )}
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
    </Stack>
  );
}

const Large = styled.div`font-size: 28px; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums;`;
const Today = styled.div`
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;
`;
