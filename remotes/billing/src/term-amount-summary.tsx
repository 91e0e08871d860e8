import { formatMoney, Money, Small } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { fits, hasForecast, outcomeOf } from './outcome';
import { sumRunning } from './term-amount.rules';

/** The monthly amount in the title row of its tile, and the expected result of the annual statement if the amount does not fit (9-dashboard-folded). */
export default function TermAmountSummary() {
  const { running, total } = sumRunning(api.useGet('/periodicalPayments').data ?? []);
  if (total === undefined) return null;
  const [only] = running;
  const known = running.length === 1 && only && hasForecast(only) && only.requested_new_amount === undefined;
  const outcome = known && !fits(total, only) ? outcomeOf(total, only) : 0;
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
