import { Stack, TextLink } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { Agreement, Connection } from './api';
import { ConnectionReadings } from './readings';

/** The newest readings of an agreement's meters, and a link to the readings of all meters (2.1-usage-route). */
export default function Meters({ agreement, connections }: { agreement: Agreement; connections: readonly Connection[] }) {
  return (
    <Stack gap={24}>
      {connections.map((c) => (
        <ConnectionReadings key={c.ean_code} level={4} few={3} connection={c} agreement={agreement} />
      ))}
      <p>
        <TextLink href="/metermeasuring">
          <FormattedMessage id="usage.meters.page" defaultMessage="The readings of all your meters" />
        </TextLink>
      </p>
    </Stack>
  );
}
