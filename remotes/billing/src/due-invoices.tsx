import { useToday } from '@wattle/sdk';
import { formatDay, formatMoney, Icon, LinkButton, Skeleton } from '@wattle/ui';
import { useLayoutEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { isOverdue } from './invoice.rules';
import { cents } from './money';
import { debitedInvoices, HowToPay, useOpenAmount } from './open';

/** Invoices to pay, as one line of the card of what must be paid; nothing if all of them are collected (9-account-due). */
export default function DueInvoices({ hold }: { hold?: () => () => void }) {
  const today = useToday();
  const { open, periodicals, known } = useOpenAmount();
  const waits = !known && [open, periodicals].some((q) => q.isPending && q.failureCount === 0);
  useLayoutEffect(() => (waits ? hold?.() : undefined), [waits, hold]);
  if (!known) return waits ? <Skeleton /> : null;
  const { invoices, amount, overdue_amount: overdue } = known;
  const debited = debitedInvoices(invoices, periodicals.data, today).length;
  if (debited === invoices.length) return null;
  const [next] = invoices.flatMap((i) => (isOverdue(i, today) ? [] : i.due_date)).sort();
  return (
    <li>
      <div>
        <strong>
          {overdue > 0 && <Icon name="alert" size={20} />} {formatMoney(cents(amount))}
        </strong>
        <p>
          <FormattedMessage
            id="billing.open.due"
            defaultMessage="{n, plural, one {# invoice} other {# invoices}}{late, select, none {, by {day}} all {, overdue} other {, {overdue} of it overdue and the rest by {day}}}"
            values={{
              n: invoices.length,
              late: overdue === 0 ? 'none' : next ? 'part' : 'all',
              overdue: formatMoney(cents(overdue)),
              day: next && formatDay(next),
            }}
          />
        </p>
        <small>
          <HowToPay debited={debited} count={invoices.length} />
        </small>
      </div>
      <div>
        <LinkButton href="/invoices" small>
          <FormattedMessage id="billing.open.see" defaultMessage="See the invoices" />
        </LinkButton>
      </div>
    </li>
  );
}
