// Statuses in words. One of later is shown as being processed (4-order-status-other).
import { Badge, type BadgeProps, type IconName } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';

import type { MarketOffer, Order } from './api';
import { Quiet } from './words';

type Look = readonly [BadgeProps['tone'], IconName?];
const looks: Record<string, Look> = {
  CREATED: ['warning'],
  AWAITING_PAYMENT: ['warning'],
  RESERVED: ['warning'],
  APPROVED: ['tint', 'calendar'],
  ACTIVE: ['positive', 'offer'],
  AVAILABLE: ['positive', 'offer'],
  BOUGHT: ['positive'],
  SOLD: ['positive'],
  COMPLETED: ['positive'],
  TRANSFERRED: ['neutral', 'check'],
  REJECTED: ['negative'],
  EXPIRED: ['negative', 'warning'],
};
const look = (status: string): { tone: BadgeProps['tone']; icon: IconName | undefined } => {
  const [tone, icon] = looks[status] ?? ['neutral'];
  return { tone, icon };
};

/** What has become of an offer: the item's status, and why when it was rejected. */
export function OfferStatus({ offer: o }: { offer: MarketOffer }) {
  const status = o.rejection_reason ? 'REJECTED' : o.status;
  return (
    <>
      <Badge {...look(status)}>
        <FormattedMessage
          id="marketplace.offer_status"
          defaultMessage="{status, select, CREATED {Waits for approval} APPROVED {Approved} ACTIVE {For sale} AVAILABLE {For sale} RESERVED {Reserved} AWAITING_PAYMENT {Being paid} BOUGHT {Paid} SOLD {Sold} COMPLETED {Sold} TRANSFERRED {Transferred} REJECTED {Rejected} REVOKED {Retracted} CLOSED {Closed} CANCELLED {Cancelled} EXPIRED {Expired} other {Being processed}}"
          values={{ status }}
        />
      </Badge>
      {o.rejection_reason && (
        <Quiet as="div">
          <FormattedMessage
            id="marketplace.rejection"
            defaultMessage="{reason, select, PARTICIPATION_UNKNOWN {We do not know this participation.} MULTIPLE_PARTICIPATIONS_PROJECT {You have several participations in this project.} INSUFFICIENT_SHARES {You do not have enough shares that are free.} SELLING_NOT_ALLOWED {Shares of this project cannot be sold now.} other {We cannot accept this offer. Call us if you want to know why.}}"
            values={{ reason: o.rejection_reason }}
          />
        </Quiet>
      )}
    </>
  );
}

/** Where an order stands. */
export function OrderStatus({ order: o }: { order: Order }) {
  return (
    <>
      <Badge {...look(o.status)}>
        <FormattedMessage
          id="marketplace.order_status"
          defaultMessage="{status, select, CREATED {Being prepared} AWAITING_PAYMENT {To be paid} BOUGHT {Paid} COMPLETED {Transferred} EXPIRED {Expired} CANCELLED {Cancelled} other {Being processed}}"
          values={{ status: o.status }}
        />
      </Badge>
      {o.status === 'EXPIRED' && (
        <Quiet as="div">
          <FormattedMessage
            id="marketplace.order_expired"
            defaultMessage="This order was not paid in time and has expired. Nothing has been bought."
          />
        </Quiet>
      )}
    </>
  );
}
