import { maskIban } from '@wattle/ui';
import { useBankAccount } from './api';

/** The end of the IBAN, shown in the closed section of the account page. */
export default function PaymentSummary() {
  const { number } = useBankAccount();
  return number && maskIban(number);
}
