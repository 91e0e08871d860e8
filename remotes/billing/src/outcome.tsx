import { CivilDate, Icon, Money, Small } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import type { Periodical } from './api';
import { cents } from './money';
import { yearEnd } from './term-amount.rules';

/** A term amount with the figures for its year. */
export type Forecast = Pick<Periodical, 'current_amount'> & { year_end: NonNullable<Periodical['year_end']> };

export const hasForecast = (p: Periodical): p is Periodical & Forecast => p.year_end !== undefined;

/** Returns the expected result of the annual statement in cents: positive is a refund, negative an extra payment. */
export const outcomeOf = (amount: number, { current_amount, year_end: y }: Forecast): number =>
  yearEnd(amount, {
    expected: cents(y.expected_cost),
    paid: cents(y.paid),
    current: cents(current_amount),
    left: y.months_left,
    unchanged: y.months_unchanged,
  });

/**
 * Returns whether a term amount fits: the difference at the end of the year is less than € 25 or 2% of the year's cost
 * (9-term-amount-fits).
 */
export const fits = (amount: number, f: Forecast): boolean =>
  Math.abs(outcomeOf(amount, f)) < Math.max(2500, 2 * f.year_end.expected_cost);

/**
 * The expected refund or extra payment at the annual statement with this term amount, above the children. Screen readers announce
 * changes.
 */
export function Outcome({
  amount,
  forecast,
  live,
  children,
}: {
  amount: number;
  forecast: Forecast;
  live?: boolean;
  children?: ReactNode;
}) {
  const { year_end: y } = forecast;
  const outcome = outcomeOf(amount, forecast);
  const even = fits(amount, forecast);
  const which = outcome > 0 ? 'back' : 'pay';
  return (
    <Box
      $tone={even || which === 'back' ? 'positive' : 'warning'}
      role={live ? 'status' : undefined}
      data-outcome={even ? 'even' : which}
    >
      <Icon name={even ? 'check' : which === 'back' ? 'savings' : 'invoice'} size={24} />
      <div>
        <strong>
          <FormattedMessage
            id="billing.outcome"
            defaultMessage="{which, select, zero {You come out exactly even} evenback {You come out about even: {amount} back} evenpay {You come out about even: {amount} to pay} back {You will probably get back {amount}} other {You will probably pay {amount} extra}}"
            values={{
              which: outcome === 0 ? 'zero' : even ? `even${which}` : which,
              amount: <Money cents={Math.abs(outcome)} />,
            }}
          />
        </strong>
        <Small>
          <FormattedMessage
            id="billing.outcome_when"
            defaultMessage="annual statement on {day}"
            values={{ day: <CivilDate day={y.settles_on} /> }}
          />
        </Small>
      </div>
      {children}
    </Box>
  );
}

const Box = styled.div<{ $tone: 'positive' | 'warning' }>`
  display: flex; flex-wrap: wrap; gap: 12px; padding: 16px; height: fit-content; border-radius: var(--w-radius-control); background: var(--w-${(p) => p.$tone}-tint);
  > svg { flex: none; color: var(--w-${(p) => p.$tone}); } > div { flex: 1; min-width: 0; } strong { text-wrap: balance; }
`;
