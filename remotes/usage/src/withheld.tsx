import { useProblemText } from '@wattle/sdk';
import { Alert, Button, Notice } from '@wattle/ui';
import { useId, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import type { Connection } from './api';
import { ConsentText, useChangeConsent, useMayChangeConsent } from './consent';
import { commodityName } from './texts';

/**
 * Explains in one sentence why these connections show only months, and offers consent, with its full text behind a button
 * (9-usage-chart-months).
 */
export function Withheld({ connections }: { connections: readonly Connection[] }) {
  const intl = useIntl();
  const may = useMayChangeConsent();
  const text = useProblemText();
  const { decide, busy, problem } = useChangeConsent();
  const id = useId();
  const [reads, setReads] = useState(false);
  const kinds = [...new Set(connections.map((c) => commodityName(intl, c.commodity).toLowerCase()))];
  return (
    <Notice
      actions={
        <>
          <Button
            small
            loading={busy}
            disabledReason={may.ok ? undefined : may.reason}
            onClick={() => {
              for (const c of connections) decide(true, c.ean_code);
            }}
          >
            <FormattedMessage id="usage.consent.give" defaultMessage="Give consent" />
          </Button>
          <Button small variant="quiet" aria-expanded={reads} aria-controls={id} onClick={() => setReads(!reads)}>
            <FormattedMessage id="usage.withheld.more" defaultMessage="Read more" />
          </Button>
        </>
      }
    >
      <FormattedMessage
        id="usage.withheld"
        defaultMessage="You see your {what} by the month; with your consent by the day and hour too."
        values={{ what: intl.formatList(kinds) }}
      />
      <p id={id} hidden={!reads}>
        <ConsentText />
      </p>
      {problem && <Alert>{text(problem)}</Alert>}
    </Notice>
  );
}
