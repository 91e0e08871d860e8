// What an order and an item of the market may do, by their status. Statuses of later are harmless (4-order-status-other).

/** Statuses in which an order can be cancelled (4-order-cancel-statuses). */
const cancels = new Set(['CREATED', 'AWAITING_PAYMENT', 'BOUGHT']);
/** Statuses in which an own offer can be retracted: not when it is over, held or handed over (4-offer-retract-hidden). */
const retracts = new Set(['CREATED', 'APPROVED', 'ACTIVE', 'AVAILABLE']);

export const canCancel = (status: string): boolean => cancels.has(status);
/** 4-order-pay-link, 4-orders-to-expire */
export const canPay = (status: string): boolean => status === 'AWAITING_PAYMENT';
/** Paid, and inside the withdrawal period (9-withdrawal-function). */
export const canWithdraw = (o: { status: string; withdraw_until?: string | undefined }, today: string): boolean =>
  o.status === 'BOUGHT' && o.withdraw_until !== undefined && o.withdraw_until >= today;
export const canRetract = (status: string): boolean => retracts.has(status);
/** Statuses in which the day of expiry means something: the order has not been paid, or is of a status of later. */
export const expires = (status: string): boolean => !['BOUGHT', 'COMPLETED', 'CANCELLED'].includes(status);

/** 2.1-orders-columns */
export const newestFirst = <O extends { placed: string }>(orders: readonly O[]): O[] =>
  [...orders].sort((a, b) => b.placed.localeCompare(a.placed));

/** The names of the projects that an order buys shares of. */
export const projectsOf = (o: { offers: readonly { project_name: string }[] }): string =>
  [...new Set(o.offers.map((offer) => offer.project_name))].join(', ');
