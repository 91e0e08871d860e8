// Actions on an order and on an offer, by status. Unknown statuses allow no actions (4-order-status-other).

/** Statuses in which an order can be cancelled (4-order-cancel-statuses). */
const cancelable = new Set(['CREATED', 'AWAITING_PAYMENT', 'BOUGHT']);
/**
 * Statuses in which the member's own offer can be retracted: not when it has ended, is reserved or has been transferred
 * (4-offer-retract-hidden).
 */
const retractable = new Set(['CREATED', 'APPROVED', 'ACTIVE', 'AVAILABLE']);

export const canCancel = (status: string): boolean => cancelable.has(status);
/** 4-order-pay-link, 4-orders-to-expire */
export const canPay = (status: string): boolean => status === 'AWAITING_PAYMENT';
/** Returns whether an order is paid and within the withdrawal period (9-withdrawal-function). */
export const canWithdraw = (o: { status: string; withdraw_until?: string | undefined }, today: string): boolean =>
  o.status === 'BOUGHT' && o.withdraw_until !== undefined && o.withdraw_until >= today;
export const canRetract = (status: string): boolean => retractable.has(status);
/** Returns whether an order in this status can expire: either it is unpaid and has not ended, or the status is unknown. */
export const canExpire = (status: string): boolean => !['BOUGHT', 'COMPLETED', 'CANCELLED', 'EXPIRED'].includes(status);
/**
 * Returns whether the shares of an order have been or may still be transferred, which is not so if it was canceled or has expired.
 */
export const isTransferred = (status: string): boolean => status !== 'CANCELLED' && status !== 'EXPIRED';

/**
 * Returns the one way out of an order (9-order-way-out): withdrawing within the withdrawal period, otherwise canceling. A paid
 * order whose period is over still has the button (4-order-cancel-statuses), which states that: the server would reject it
 * (9-withdrawal-reconcile).
 */
export function wayOut(
  o: { status: string; withdraw_until?: string | undefined },
  today: string,
): 'withdraw' | 'cancel' | 'over' | undefined {
  if (canWithdraw(o, today)) return 'withdraw';
  if (!canCancel(o.status)) return undefined;
  return o.status === 'BOUGHT' ? 'over' : 'cancel';
}

/** 2.1-orders-columns */
export const newestFirst = <O extends { placed: string }>(orders: readonly O[]): O[] =>
  [...orders].sort((a, b) => b.placed.localeCompare(a.placed));

/** Returns the names of the projects in an order. */
export const projectsOf = (o: { offers: readonly { project_name: string }[] }): string =>
  [...new Set(o.offers.map((offer) => offer.project_name))].join(', ');
