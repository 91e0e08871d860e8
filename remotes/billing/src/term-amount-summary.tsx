import { formatMoney } from '@wattle/ui';
import { api } from './api';
import { sumRunning } from './term-amount.rules';

/** The monthly amount, in the title row of its tile. */
export default function TermAmountSummary() {
  const { total } = sumRunning(api.useGet('/periodicalPayments').data ?? []);
  return total === undefined ? null : formatMoney(total);
}
