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

/** Returns whether an amount of whole euros leaves about nothing to pay or to get back: less than a euro of each term. */
export const isEven = (amount: number, y: Figures): boolean => Math.abs(outcomeOf(amount, y)) < 100 * y.months_left;

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
  const which = outcome > 0 ? 'back' : outcome < 0 ? 'pay' : 'even';
  return (
    <Box $which={which} role={live ? 'status' : undefined} data-outcome={which}>
      <Icon name={which === 'back' ? 'savings' : which === 'pay' ? 'invoice' : 'check'} size={24} />
      <div>
        <strong>
          <FormattedMessage
            id="billing.outcome"
            defaultMessage="{which, select, back {You will probably get back {amount}} pay {You will probably pay {amount} extra} other {You will probably come out even}}"
            values={{ which, amount: <Money cents={Math.abs(outcome)} /> }}
          />
        </strong>
        <Small>
          <FormattedMessage
            id="billing.outcome_when"
            defaultMessage="at the settlement on {day}, with {term} per month"
            values={{ day: <CivilDate day={y.settles_on} />, term: <Money cents={amount} /> }}
          />
        </Small>
        {children !== undefined && (
          <p>
            <FormattedMessage
              id="billing.outcome_why"
              defaultMessage="We expect costs of {cost} for the whole year. You have paid {paid}, and will pay {term} {left, plural, one {once} other {# times}} more."
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

const ink = { back: 'var(--w-positive)', pay: 'var(--w-warning)', even: 'var(--w-text)' };
const tint = { back: 'var(--w-positive-tint)', pay: 'var(--w-warning-tint)', even: 'var(--w-tint)' };
const Box = styled.div<{ $which: 'back' | 'pay' | 'even' }>`
  display: flex; gap: 12px; padding: 16px; border-radius: var(--w-radius-control); background: ${(p) => tint[p.$which]};
  > svg { flex: none; color: ${(p) => ink[p.$which]}; } div { text-wrap: balance; } p { margin: 12px 0; }
`;
