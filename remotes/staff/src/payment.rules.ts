/** Returns the variant of the text that advises staff about a refunded or charged-back payment (9-money-back-screen). */
export function advice(note: string | undefined, order: string): string {
  const completed = order === 'COMPLETED';
  switch (note) {
    case 'CHARGED_BACK':
      return order === 'CANCELLED' ? 'cancelled' : 'other';
    case 'CHARGED_BACK_AFTER_TRANSFER':
      return 'transferred';
    case 'REFUNDED_OUTSIDE':
      return completed ? 'transferred' : order === 'CANCELLED' ? 'cancelled' : 'other';
    case 'REFUNDED_PART':
      return completed ? 'part_done' : 'part';
    case 'REFUND_FAILED':
      return 'failed';
    case 'MONEY_RESTORED':
      return completed || order === 'BOUGHT' ? 'stands' : 'restored';
    case 'RETURNED_TWICE':
      return 'twice';
    default:
      return 'other';
  }
}
