import { formatMoney, Money, Small } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { cents } from './money';
import { type Forecast, outcomeOf } from './outcome';

/**
 * The sum that the expected result follows from (9-term-amount-even): expected costs, less what is paid and still to be paid, is what is
 * paid extra; or what is paid and still to be paid, less expected costs, is what comes back. A new amount counts only for the terms
 * after the unchanged ones.
 */
export function OutcomeSum({ amount, forecast }: { amount: number; forecast: Forecast }) {
  const { year_end: y } = forecast;
  const current = cents(forecast.current_amount);
  const unchanged = amount === current ? 0 : y.months_unchanged;
  const terms = [[unchanged, current] as const, [y.months_left - unchanged, amount] as const].filter(([count]) => count > 0);
  const outcome = outcomeOf(amount, forecast);
  const sign = outcome < 0 ? -1 : 1;
  const cost = (
    <Line of={-sign * cents(y.expected_cost)}>
      <FormattedMessage id="billing.sum.cost" defaultMessage="Expected costs of the year" />
    </Line>
  );
  return (
    <>
      <Sum>
        {outcome < 0 && cost}
        <Line of={sign * cents(y.paid)}>
          <FormattedMessage id="billing.sum.paid" defaultMessage="Already paid" />
        </Line>
        <Line of={sign * terms.reduce((sum, [count, of]) => sum + count * of, 0)}>
          <FormattedMessage
            id="billing.sum.left"
            defaultMessage="Still to pay{left, select, none {} other {: {terms}}}"
            values={{
              left: terms.length === 0 ? 'none' : 'some',
              terms: terms.map(([count, of]) => `${count}\u00a0×\u00a0${formatMoney(of)}`).join(' + '),
            }}
          />
        </Line>
        {outcome >= 0 && cost}
        <Line of={Math.abs(outcome)}>
          <FormattedMessage
            id="billing.sum.rest"
            defaultMessage="{which, select, back {You get back} pay {You pay extra} other {Difference}}"
            values={{ which: outcome > 0 ? 'back' : outcome < 0 ? 'pay' : 'even' }}
          />
        </Line>
      </Sum>
      {y.months_left === y.months_unchanged && (
        <Small>
          <FormattedMessage id="billing.sum.late" defaultMessage="A new amount counts only after the annual statement." />
        </Small>
      )}
    </>
  );
}

const Line = ({ of, children }: { of: number; children: ReactNode }) => (
  <div>
    <dt>{children}</dt>
    <dd>
      <Money cents={of || 0} />
    </dd>
  </div>
);

const Sum = styled.dl`
  flex: 1 0 100%; min-width: 0;
  > div { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; padding: 4px 0; }
  > div:last-child { border-top: 1px solid var(--w-control-line); margin-top: 4px; padding-top: 8px; font-weight: 600; }
  dd { flex: none; }
`;
