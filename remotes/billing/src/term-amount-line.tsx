import { formatMoney } from '@wattle/ui';
import { api } from './api';
import { sumRunning } from './term-amount.rules';

/** Returns the running term amounts, their total, and the request for them. */
export function useRunning() {
  const periodicals = api.useGet('/periodicalPayments');
  return { periodicals, ...sumRunning(periodicals.data ?? []) };
}

/** The total monthly amount, shown in the closed section of the account page. */
export default function TermAmountLine() {
  const { total } = useRunning();
  return total === undefined ? null : formatMoney(total);
}
