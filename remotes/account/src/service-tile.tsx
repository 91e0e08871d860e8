import { usePortal, useToday } from '@wattle/sdk';
import { formatPhone, LinkButton, Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';

/** ISO weekday (1 is Monday) of a civil day: 1970-01-01 was a Thursday. */
const weekday = (day: string): number => ((Date.parse(day) / 86_400_000 + 3) % 7) + 1;

/** Customer service on the dashboard: the number to call, and until when today (2.1-dashboard-service-tile). */
export default function ServiceTile() {
  const { label } = usePortal();
  const today = weekday(useToday());
  const hours = label.hours.find((h) => h.days?.includes(today));
  return (
    <Stack gap={12}>
      <div>
        <Large>
          <TextLink href={`tel:${label.phone.replace(/[^+\d]/g, '')}`}>{formatPhone(label.phone)}</TextLink>
        </Large>
        <Quiet>
          {hours?.from && hours.to ? (
            <FormattedMessage
              id="account.service.open"
              defaultMessage="Today {from} to {to}"
              values={{ from: hours.from, to: hours.to }}
            />
          ) : (
            <FormattedMessage id="account.service.closed" defaultMessage="Closed today" />
          )}
        </Quiet>
      </div>
      <div>
        <TextLink href={`mailto:${label.email}`}>{label.email}</TextLink>
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
const Quiet = styled.div`color: var(--w-text-quiet);`;
