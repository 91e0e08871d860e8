import { formatMoney, Money, Small } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { fits, outcomeOf } from './outcome';
import { sumRunning } from './term-amount.rules';

/** The monthly amount in the title row of its tile, and what is left at the settlement if it does not fit (9-dashboard-folded). */
export default function TermAmountSummary() {
  const { running, total } = sumRunning(api.useGet('/periodicalPayments').data ?? []);
  if (total === undefined) return null;
  const { year_end: year, requested_new_amount: requested } = running[0] ?? {};
  const outcome = running.length > 1 || !year || requested !== undefined || fits(total, year) ? 0 : outcomeOf(total, year);
  return (
    <>
      {formatMoney(total)}
      {outcome !== 0 && (
        <Small as="span" style={{ display: 'block', maxWidth: 152 }}>
          <FormattedMessage
            id="billing.outcome.short"
            defaultMessage="probably {amount} {which, select, back {back} other {extra}}"
            values={{ which: outcome > 0 ? 'back' : 'pay', amount: <Money cents={Math.abs(outcome)} /> }}
          />
        </Small>
      )}
    </>
  );
}
