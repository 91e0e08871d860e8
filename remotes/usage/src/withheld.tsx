import { useProblemText } from '@wattle/sdk';
import { Alert, Button, Notice } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import type { Connection } from './api';
import { ConsentText, useChangeConsent, useMayChangeConsent } from './consent';
import { commodityName } from './texts';

/** Explains why these connections show months only, and offers the consent that shows their days (9-usage-chart-months). */
export function Withheld({ connections }: { connections: readonly Connection[] }) {
  const intl = useIntl();
  const may = useMayChangeConsent();
  const text = useProblemText();
  const { decide, busy, problem } = useChangeConsent();
  const kinds = [...new Set(connections.map((c) => commodityName(intl, c.commodity).toLowerCase()))];
  return (
    <Notice
      title={
        <FormattedMessage
          id="usage.withheld.title"
          defaultMessage="You see your {what} by the month"
          values={{ what: intl.formatList(kinds) }}
        />
      }
      actions={
        <Button
          small
          loading={busy}
          why={may.ok ? undefined : may.why}
          onClick={() => {
            for (const c of connections) decide(true, c.ean_code);
          }}
        >
          <FormattedMessage id="usage.consent.give" defaultMessage="Give consent" />
        </Button>
      }
    >
      <FormattedMessage id="usage.withheld.why" defaultMessage="You gave no consent to show days and hours." /> <ConsentText />
      {problem && <Alert>{text(problem)}</Alert>}
    </Notice>
  );
}
