import { Money } from '@wattle/ui';
import { api } from './api';
import { byDueDate } from './invoice.rules';
import { cents } from './money';

/** The amount of the newest invoice, in the title row of the latest invoices. */
export default function LatestSummary() {
  const [newest] = byDueDate(api.useGet('/latestInvoices').data ?? []);
  return newest ? <Money cents={cents(newest.amount)} credit /> : null;
}
