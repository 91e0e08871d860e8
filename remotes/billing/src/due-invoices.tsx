import { useToday } from '@wattle/sdk';
import { formatDay, formatMoney, Icon, LinkButton, Skeleton } from '@wattle/ui';
import { useLayoutEffect } from 'react';
import { FormattedMessage } from 'react-intl';
import { type Invoice, isOverdue } from './invoice.rules';
import { cents } from './money';
import { debitedInvoices, HowToPay, useOpenAmount } from './open';
import { useSubject } from './texts';

/** Number of overdue invoices with a line of their own; the others are counted. */
const maxNamed = 3;

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/**
 * Invoices to pay, together in the card of what must be paid, with what is overdue by name; nothing if all of them are collected
 * (9-account-due).
 */
export default function DueInvoices({ hold }: { hold?: () => () => void }) {
  const today = useToday();
  const subject = useSubject();
  const { open, periodicals, known } = useOpenAmount();
  const waits = !known && [open, periodicals].some((q) => q.isPending && q.failureCount === 0);
  useLayoutEffect(() => (waits ? hold?.() : undefined), [waits, hold]);
  if (!known) return waits ? <Skeleton /> : null;
  const { invoices, amount } = known;
  const debited = debitedInvoices(invoices, periodicals.data, today);
  if (debited.length === invoices.length) return null;
  const late = invoices.filter((i) => isOverdue(i, today)).sort((a, b) => a.due_date.localeCompare(b.due_date));
  const rest = invoices.filter((i) => !late.includes(i) && !debited.includes(i));
  const nameOf = (i: Invoice) => {
    const { name, of, days } = subject(i);
    return of || !days ? name : `${name} ${days}`;
  };
  const line = (some: readonly Invoice[], days: number) => (
    <FormattedMessage
      id="billing.open.due"
      defaultMessage="{n, plural, one {{name}} other {# invoices}}{part, select, yes {, {amount}} other {}}{days, plural, =0 {{how, select, collected {, will be collected on {day}} other {, by {day}}}} one {: # day overdue} other {: # days overdue}}"
      values={{
        n: some.length,
        name: some[0] && nameOf(some[0]),
        part: some.length < invoices.length ? 'yes' : 'no',
        amount: formatMoney(some.reduce((sum, i) => sum + cents(i.balance), 0)),
        days,
        how: some.every((i) => debited.includes(i)) ? 'collected' : 'invoice',
        day: formatDay(some.map((i) => i.due_date).sort()[0] ?? ''),
      }}
    />
  );
  return (
    <li>
      <div>
        <strong>
          {late.length > 0 && <Icon name="alert" size={20} />} {formatMoney(cents(amount))}
        </strong>
        {late.slice(0, maxNamed).map((i) => (
          <p key={i.invoice_id}>{line([i], daysBetween(i.due_date, today))}</p>
        ))}
        {late.length > maxNamed && (
          <p>
            <FormattedMessage
              id="billing.open.more"
              defaultMessage="{count, plural, one {# more invoice} other {# more invoices}}"
              values={{ count: late.length - maxNamed }}
            />
          </p>
        )}
        {[rest, debited].map((some) => some[0] && <p key={some[0].invoice_id}>{line(some, 0)}</p>)}
        <small>
          <HowToPay debited={debited.length} count={invoices.length} />
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
