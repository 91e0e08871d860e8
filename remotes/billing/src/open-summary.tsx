import { Money } from '@wattle/ui';
import { api } from './api';
import { cents } from './money';

/** The amount to pay, in the title row of its tile. */
export default function OpenSummary() {
  const open = api.useGet('/openInvoices', {}, { empty: [404] }).data;
  return open && open.amount > 0 ? <Money cents={cents(open.amount)} /> : null;
}
