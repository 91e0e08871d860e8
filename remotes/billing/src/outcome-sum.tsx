import { formatMoney, Money, Small } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { cents } from './money';
import { type Forecast, outcomeOf } from './outcome';

/**
 * The sum that the expected result follows from (9-term-amount-even): paid, still to come, expected costs, and the difference. A
 * new amount counts only for the terms after the unchanged ones.
 */
export function OutcomeSum({ amount, forecast }: { amount: number; forecast: Forecast }) {
  const { year_end: y } = forecast;
  const current = cents(forecast.current_amount);
  const unchanged = amount === current ? 0 : y.months_unchanged;
  const terms = [[unchanged, current] as const, [y.months_left - unchanged, amount] as const].filter(([count]) => count > 0);
  const outcome = outcomeOf(amount, forecast);
  return (
    <>
      <Sum>
        <div>
          <dt>
            <FormattedMessage id="billing.sum.paid" defaultMessage="Already paid" />
          </dt>
          <dd>
            <Money cents={cents(y.paid)} />
          </dd>
        </div>
        <div>
          <dt>
            <FormattedMessage
              id="billing.sum.left"
              defaultMessage="Still to come{left, select, none {} other {: {terms}}}"
              values={{
                left: terms.length === 0 ? 'none' : 'some',
                terms: terms.map(([count, of]) => `${count}\u00a0×\u00a0${formatMoney(of)}`).join(' + '),
              }}
            />
          </dt>
          <dd>
            <Money cents={terms.reduce((sum, [count, of]) => sum + count * of, 0)} />
          </dd>
        </div>
        <div>
          <dt>
            <FormattedMessage id="billing.sum.cost" defaultMessage="Expected costs of the year" />
          </dt>
          <dd>
            <Money cents={-cents(y.expected_cost)} />
          </dd>
        </div>
        <div>
          <dt>
            <FormattedMessage
              id="billing.sum.rest"
              defaultMessage="{which, select, back {You get back} pay {You pay extra} other {Difference}}"
              values={{ which: outcome > 0 ? 'back' : outcome < 0 ? 'pay' : 'even' }}
            />
          </dt>
          <dd>
            <Money cents={Math.abs(outcome)} />
          </dd>
        </div>
      </Sum>
      {y.months_left === y.months_unchanged && (
        <Small>
          <FormattedMessage id="billing.sum.late" defaultMessage="A new amount counts only after the annual statement." />
        </Small>
      )}
    </>
  );
}

const Sum = styled.dl`
  flex: 1 0 100%; min-width: 0;
  > div { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; padding: 4px 0; }
  > div:last-child { border-top: 1px solid var(--w-control-line); margin-top: 4px; padding-top: 8px; font-weight: 600; }
  dd { flex: none; }
`;
