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
