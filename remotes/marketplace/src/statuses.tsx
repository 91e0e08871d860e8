// Texts of statuses. An unknown status is shown as being processed (4-order-status-other).
import { clockAt, usePortal, useProblemText } from '@wattle/sdk';
import { Badge, type BadgeProps, CivilDate } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import type { MarketOffer, Order } from './api';
import { Code } from './offer-code';
import { canRetract } from './order.rules';
import { Quiet } from './texts';

const tones: Record<string, BadgeProps['tone']> = {
  CREATED: 'warning',
  ORDER_CREATED: 'warning',
  AWAITING_PAYMENT: 'warning',
  RESERVED: 'warning',
  APPROVED: 'positive',
  ACTIVE: 'positive',
  AVAILABLE: 'positive',
  BOUGHT: 'positive',
  SOLD: 'positive',
  COMPLETED: 'positive',
  ORDER_COMPLETED: 'positive',
  REJECTED: 'negative',
  EXPIRED: 'negative',
};

function Status({ status }: { status: string }) {
  return (
    <Badge tone={tones[status]}>
      <FormattedMessage
        id="marketplace.statuses"
        defaultMessage="{status, select, CREATED {Waits for approval} APPROVED {Approved} ACTIVE {For sale} AVAILABLE {For sale} RESERVED {Reserved} ORDER_CREATED {Being prepared} AWAITING_PAYMENT {To be paid} BOUGHT {Paid} SOLD {Sold} COMPLETED {Sold} ORDER_COMPLETED {Transferred} TRANSFERRED {Transferred} REJECTED {Rejected} REVOKED {Retracted} CLOSED {Closed} CANCELLED {Cancelled} EXPIRED {Expired} other {Being processed}}"
        values={{ status }}
      />
    </Badge>
  );
}

/** The status of an offer, the reason if it was rejected, and the code of a personal offer. */
export function OfferStatus({ offer: o }: { offer: MarketOffer }) {
  const text = useProblemText();
  return (
    <>
      <Status status={o.rejection_reason ? 'REJECTED' : o.status} />
      {o.rejection_reason && <Quiet as="div">{text({ code: `marketplace.${o.rejection_reason.toLowerCase()}` })}</Quiet>}
      {o.direct_offer_code && canRetract(o.status) && <Code code={o.direct_offer_code} />}
    </>
  );
}

/** The status of an order; two statuses have the same name as an offer status but another meaning. */
export function OrderStatus({ order: { status, expiration_date } }: { order: Order }) {
  const { timeZone } = usePortal();
  return (
    <>
      <Status status={status === 'CREATED' || status === 'COMPLETED' ? `ORDER_${status}` : status} />
      {status === 'EXPIRED' && (
        <Quiet as="div">
          <FormattedMessage
            id="marketplace.order_expired"
            defaultMessage="Not paid by {day}: nothing has been bought."
            values={{ day: <CivilDate day={clockAt(expiration_date, timeZone).day} /> }}
          />
        </Quiet>
      )}
    </>
  );
}
