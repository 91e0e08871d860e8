import { Money } from '@wattle/ui';
import { api } from './api';
import { cents } from './money';

/** What has to be paid, in the title row of its tile. */
export default function OpenSummary() {
  const open = api.useGet('/openInvoices', {}, { empty: [404] }).data;
  return open && open.amount > 0 ? <Money cents={cents(open.amount)} /> : null;
}
