import { CivilDate, Icon, Money, Small } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { Periodical } from './api';
import { cents } from './money';
import { yearEnd } from './term-amount.rules';

type Figures = NonNullable<Periodical['year_end']>;

/** Returns the expected result of the annual statement in cents: positive is a refund, negative an extra payment. */
export const outcomeOf = (amount: number, y: Figures): number =>
  yearEnd(amount, { expected: cents(y.expected_cost), paid: cents(y.paid), left: y.months_left });

/** Returns whether a term amount fits: the difference at the end of the year is below € 25, or 2% of its cost (9-term-amount-fits). */
export const fits = (amount: number, y: Figures): boolean => Math.abs(outcomeOf(amount, y)) < Math.max(2500, 2 * y.expected_cost);

/**
 * The expected refund or extra payment of the annual statement with this term amount. Screen readers announce a change. With children also
 * what it follows from (9-term-amount-even).
 */
export function Outcome({
  amount,
  yearEnd: y,
  live,
  children,
}: {
  amount: number;
  yearEnd: Figures;
  live?: boolean;
  children?: ReactNode;
}) {
  const outcome = outcomeOf(amount, y);
  // the form follows each euro
  const which = (live ? outcome === 0 : fits(amount, y)) ? 'even' : outcome > 0 ? 'back' : 'pay';
  return (
    <Box $tone={which === 'pay' ? 'warning' : 'positive'} role={live ? 'status' : undefined} data-outcome={which}>
      <Icon name={which === 'back' ? 'savings' : which === 'pay' ? 'invoice' : 'check'} size={24} />
      <div>
        <strong>
          <FormattedMessage
            id="billing.outcome"
            defaultMessage="{which, select, back {You will probably get back {amount}} pay {You will probably pay {amount} extra} other {Your amount fits what you use}}"
            values={{ which, amount: <Money cents={Math.abs(outcome)} /> }}
          />
        </strong>
        <Small>
          <FormattedMessage
            id="billing.outcome_when"
            defaultMessage="at the settlement on {day}"
            values={{ day: <CivilDate day={y.settles_on} /> }}
          />
        </Small>
        {children !== undefined && (
          <p>
            <FormattedMessage
              id="billing.outcome_why"
              defaultMessage="We expect costs of {cost} for the whole year. You have paid {paid}, and {left, plural, one {one payment} other {# payments}} of {term} {left, plural, one {is} other {are}} still to come."
              values={{
                cost: <Money cents={cents(y.expected_cost)} />,
                paid: <Money cents={cents(y.paid)} />,
                term: <Money cents={amount} />,
                left: y.months_left,
              }}
            />
          </p>
        )}
        {children}
      </div>
    </Box>
  );
}

const Box = styled.div<{ $tone: 'positive' | 'warning' }>`
  display: flex; gap: 12px; padding: 16px; border-radius: var(--w-radius-control); background: var(--w-${(p) => p.$tone}-tint);
  > svg { flex: none; color: var(--w-${(p) => p.$tone}); } div { text-wrap: balance; } p { margin: 12px 0; }
`;
