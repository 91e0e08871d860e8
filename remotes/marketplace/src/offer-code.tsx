import { Button } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';

/** The code of a personal offer, which the seller passes to the buyer. */
export function Code({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div>
      <code>{code}</code>{' '}
      <Button
        small
        variant="quiet"
        icon={copied ? 'check' : undefined}
        onClick={() => void navigator.clipboard?.writeText(code).then(() => setCopied(true))}
      >
        <span aria-live="polite">
          <FormattedMessage
            id="marketplace.copy"
            defaultMessage="{copied, select, true {Copied} other {Copy code}}"
            values={{ copied }}
          />
        </span>
      </Button>
    </div>
  );
}
