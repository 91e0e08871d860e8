import { useMay, useNotify } from '@wattle/sdk';
import { Button, formatNumber, Sheet } from '@wattle/ui';
import { Form, NumberStepper } from '@wattle/ui/forms';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type MarketOffer, may } from './api';
import { clampShares } from './offer.rules';
import { canRetract } from './order.rules';
import { blockReason, FailedAction, Footer } from './own';

/** Buttons that retract the whole offer or a part of it. */
export function OfferActions({ offer: o }: { offer: MarketOffer }) {
  const intl = useIntl();
  const allowed = useMay(may.retractOffer);
  const [open, setOpen] = useState(false);
  if (!canRetract(o.status)) return null;
  return (
    <>
      <Button small icon="undo" disabledReason={blockReason(allowed)} onClick={() => setOpen(true)}>
        <FormattedMessage id="marketplace.retract" defaultMessage="Retract" />
      </Button>
      <Sheet
        isOpen={open}
        onClose={() => setOpen(false)}
        title={intl.formatMessage({ id: 'marketplace.retract.title', defaultMessage: 'Retract offer' })}
      >
        <Retract offer={o} close={() => setOpen(false)} />
      </Sheet>
    </>
  );
}

function Retract({ offer: o, close }: { offer: MarketOffer; close(): void }) {
  const intl = useIntl();
  const notify = useNotify();
  const retract = api.useWrite('post', '/sustainable/offers/retract', { changes: changes.offer });
  const [shares, setShares] = useState<number | null>(o.shares);
  const all = shares === o.shares;
  const submit = () =>
    retract.mutate(
      { body: { reference: o.reference, ...(all || shares === null ? {} : { shares }) } },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              {
                id: 'marketplace.retract.done',
                defaultMessage: 'Shares retracted: {shares}.',
              },
              { shares: formatNumber(shares ?? 0) },
            ),
          });
          close();
        },
      },
    );
  return (
    <Form busy={retract.isPending} onSubmit={submit}>
      <FailedAction of={retract} retry={submit} />
      <NumberStepper
        name="shares"
        required
        min={1}
        max={o.shares}
        value={shares}
        // 5.7-shares-clamp
        onChange={(n) => setShares(n === null ? null : clampShares(n, o.shares))}
        label={intl.formatMessage({ id: 'marketplace.retract.how_many', defaultMessage: 'How many shares?' })}
      />
      <p role="status">
        <FormattedMessage
          id="marketplace.retract.left"
          defaultMessage="{left, plural, =0 {The offer of {project} is closed.} other {Still on offer of {project}: #.}}"
          values={{ left: o.shares - (shares ?? 0), project: o.project_name }}
        />
      </p>
      <Footer
        busy={retract.isPending}
        fields={['shares']}
        disabledReason={
          shares === null && intl.formatMessage({ id: 'marketplace.retract.missing', defaultMessage: 'Fill in how many shares.' })
        }
      >
        <FormattedMessage id="marketplace.retract" defaultMessage="Retract" />
      </Footer>
    </Form>
  );
}
