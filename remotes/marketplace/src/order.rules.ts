// Actions on an order and on an offer, by status. Unknown statuses allow none (4-order-status-other).

/** Statuses in which an order can be cancelled (4-order-cancel-statuses). */
const cancelable = new Set(['CREATED', 'AWAITING_PAYMENT', 'BOUGHT']);
/**
 * Statuses in which the member's own offer can be retracted: not when it has ended, is reserved or transferred (4-offer-retract-hidden).
 */
const retractable = new Set(['CREATED', 'APPROVED', 'ACTIVE', 'AVAILABLE']);

export const canCancel = (status: string): boolean => cancelable.has(status);
/** 4-order-pay-link, 4-orders-to-expire */
export const canPay = (status: string): boolean => status === 'AWAITING_PAYMENT';
/** Returns whether an order is paid and within the withdrawal period (9-withdrawal-function). */
export const canWithdraw = (o: { status: string; withdraw_until?: string | undefined }, today: string): boolean =>
  o.status === 'BOUGHT' && o.withdraw_until !== undefined && o.withdraw_until >= today;
export const canRetract = (status: string): boolean => retractable.has(status);
/** Returns whether an order in this status can expire: it is not paid, or the status is unknown. */
export const canExpire = (status: string): boolean => !['BOUGHT', 'COMPLETED', 'CANCELLED'].includes(status);

/** 2.1-orders-columns */
export const newestFirst = <O extends { placed: string }>(orders: readonly O[]): O[] =>
  [...orders].sort((a, b) => b.placed.localeCompare(a.placed));

/** Returns the names of the projects in an order. */
export const projectsOf = (o: { offers: readonly { project_name: string }[] }): string =>
  [...new Set(o.offers.map((offer) => offer.project_name))].join(', ');
