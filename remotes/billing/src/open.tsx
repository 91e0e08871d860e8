import { useToday } from '@wattle/sdk';
import { CivilDate, formatMoney } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { api } from './api';
import { type Invoice, isOverdue } from './invoice.rules';
import { cents } from './money';
import { isCollected } from './term-amount.rules';

/** Reads the amount to pay over all agreements, and the term amounts, which contain the payment method. */
export function useOpen() {
  const open = api.useGet('/openInvoices', {}, { empty: [404] });
  const periodicals = api.useGet('/periodicalPayments');
  return { open, periodicals, known: periodicals.isPending ? undefined : open.data };
}
type Open = ReturnType<typeof useOpen>;

/** The overdue part of the amount to pay, as text after the amount. `named`: the amount is already named elsewhere. */
export function ToPay({
  open: { amount, overdue_amount: overdue },
  named,
}: {
  open: NonNullable<Open['known']>;
  named?: boolean;
}) {
  return (
    <FormattedMessage
      id="billing.open.caption"
      defaultMessage="{named, select, yes {} other {to pay{late, select, none {} other {, }}}}{late, select, none {} all {all of it overdue} other {of which {overdue} is overdue}}"
      values={{
        named: named ? 'yes' : 'no',
        late: overdue === 0 ? 'none' : overdue === amount ? 'all' : 'part',
        overdue: <strong key="overdue">{formatMoney(cents(overdue))}</strong>,
      }}
    />
  );
}

/** Returns the days on which invoices are collected by direct debit, in order; an overdue invoice is not. */
export function collectionDays(invoices: readonly Invoice[], periodicals: Open['periodicals'], today: string): string[] {
  const debited = new Set((periodicals.data ?? []).filter(isCollected).map((p) => p.agreement_identifier_with_sequence));
  return invoices
    .filter((i) => debited.has(i.agreement_identifier_with_sequence) && !isOverdue(i, today))
    .map((i) => i.due_date)
    .sort();
}

/**
 * How invoices are paid: by direct debit on or from a certain day, unless overdue; otherwise with the payment details on the
 * invoice.
 */
export function HowToPay({ open: { invoices }, periodicals }: { open: NonNullable<Open['known']> } & Pick<Open, 'periodicals'>) {
  const days = collectionDays(invoices, periodicals, useToday());
  const [first] = days;
  return (
    <FormattedMessage
      id="billing.open.how"
      defaultMessage="{how, select, collected {We collect this {on, select, one {on} other {from}} {day}. There is nothing you have to do.} both {What is not overdue we collect from your account. How to pay the rest is on the invoice.} other {How to pay is on the invoice.}}"
      values={{
        how: !first ? 'invoice' : days.length === invoices.length ? 'collected' : 'both',
        on: first === days.at(-1) ? 'one' : 'more',
        day: first && <CivilDate key="day" day={first} />,
      }}
    />
  );
}

export const NoneOpen = () => <FormattedMessage id="billing.open.none" defaultMessage="No open invoices" />;
