import { useToday } from '@wattle/sdk';
import {
  Badge,
  type BadgeProps,
  CivilDate,
  formatDay,
  formatEuros,
  formatMoney,
  formatMonth,
  type IconName,
  Money,
  Small,
} from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { type Agreement, placesOf, streetLine, townLine } from './agreement.rules';
import { type Invoice, isOverdue, isPayable, isStatement, monthOf, type ShownStatus, shownAs, yearsOf } from './invoice.rules';
import { cents } from './money';

const tones: Record<ShownStatus | 'overdue', BadgeProps['tone']> = {
  overdue: 'negative',
  open: 'warning',
  paid: 'positive',
  refund: 'neutral',
  settled: 'neutral',
  progress: 'neutral',
};

const icons: Partial<Record<ShownStatus | 'overdue', IconName>> = { refund: 'undo', settled: 'check', progress: 'clock' };

/**
 * The balance status of an invoice as a chip, which also shows whether it is overdue (9-invoice-overdue). Unknown statuses are not
 * shown. `calm`: it is open, but nothing must be done, because it is collected (9-invoices-calm).
 */
export function Status({ invoice, calm }: { invoice: Invoice; calm?: boolean }) {
  const today = useToday();
  const shown = isOverdue(invoice, today) ? 'overdue' : shownAs(invoice.payment_status);
  if (!shown) return null;
  return (
    <Badge tone={tones[calm ? 'progress' : shown]} icon={icons[calm ? 'progress' : shown]}>
      <FormattedMessage
        id="billing.status"
        defaultMessage="{shown, select, open {Open} overdue {Open, overdue} paid {Paid} refund {Refund} settled {Settled} other {Payment in progress}}"
        values={{ shown }}
      />
    </Badge>
  );
}

/**
 * The due date of an invoice with the words for what happens on it (9-invoices-dates): `will be collected on 29-11-2026`, `pay by
 * 29-11-2026`; of an invoice that is not to be paid `Due date 29-11-2026`, where no heading has these words.
 */
export function WhenDue({ invoice, calm }: { invoice: Invoice; calm: boolean }) {
  const day = <CivilDate day={invoice.due_date} />;
  if (isPayable(invoice))
    return (
      <FormattedMessage
        id="billing.when"
        defaultMessage="{calm, select, true {will be collected on {day}} other {pay by {day}}}"
        values={{ calm, day }}
      />
    );
  return (
    <>
      <span data-word>
        <FormattedMessage id="billing.due" defaultMessage="Due date" />{' '}
      </span>
      {day}
    </>
  );
}

/** The remaining amount of a partly paid invoice, whose `amount` is the total. */
export function StillOpen({ invoice }: { invoice: Invoice }) {
  const { amount, balance } = invoice;
  if (!isPayable(invoice) || balance >= amount) return null;
  return (
    <Small as="span">
      <FormattedMessage
        id="billing.still_open"
        defaultMessage="{amount} still to pay"
        values={{ amount: <Money cents={cents(balance)} /> }}
      />
    </Small>
  );
}

/** The chip for an overdue invoice. */
export const Overdue = () => (
  <Badge tone="negative">
    <FormattedMessage id="billing.overdue" defaultMessage="Overdue" />
  </Badge>
);

/** Returns a function that names the kind of an invoice. */
export function useKind(): (i: Pick<Invoice, 'invoice_type'>) => string {
  const intl = useIntl();
  return ({ invoice_type }) =>
    intl.formatMessage(
      {
        id: 'billing.kind',
        defaultMessage:
          '{kind, select, PERIODICAL {Monthly amount} ANNUAL {Annual statement} FINAL {Final statement} DISCOUNT {Discount} other {Invoice}}',
      },
      { kind: invoice_type },
    );
}

/** Returns a function that formats a number of invoices with the same amount: `7 × € 194`. */
export function useRun(): (invoice: Invoice, count: number) => string {
  const intl = useIntl();
  return (invoice, count) => {
    const amount = cents(invoice.amount);
    return intl.formatMessage(
      { id: 'billing.run', defaultMessage: '{count} × {amount}' },
      { count, amount: amount % 100 === 0 ? formatEuros(amount / 100) : formatMoney(amount) },
    );
  };
}

/** Returns a function that formats from the period of one invoice to that of another: `May to November 2026`, `May 2026`, or days. */
function usePeriod(): (first: Invoice, last: Invoice) => string {
  const intl = useIntl();
  return (first, last) => {
    const [a, b] = [first, last].map((i) => monthOf(i.period_start_date, i.period_end_date));
    const [from, to] =
      a && b
        ? [formatMonth(a, intl.locale), formatMonth(b, intl.locale)]
        : [formatDay(first.period_start_date), formatDay(last.period_end_date)];
    if (from === to) return from;
    const sameYear = a && b && from.slice(-5) === to.slice(-5);
    return intl.formatMessage(
      { id: 'billing.from_to', defaultMessage: '{from} to {to}' },
      { from: sameYear ? from.slice(0, -5) : from, to },
    );
  };
}

/** Returns a function that puts the word for a period before it, which tells it from a due date: `for 2025/26` (9-invoices-dates). */
function useOver(): (period: string) => string {
  const intl = useIntl();
  return (period) => period && intl.formatMessage({ id: 'billing.over', defaultMessage: 'for {period}' }, { period });
}

/**
 * Returns a function that says what an invoice is for (9-invoice-for). `name`: `Monthly amount November 2026`, `Annual statement
 * 2025/26`, `Invoice of 08-11-2026`; `of`: `for` and the month or the years in it; `days`: `for` and first and last day, unless they
 * are a month.
 */
export function useSubject(): (invoice: Invoice) => { name: string; of: string; days: string } {
  const intl = useIntl();
  const kind = useKind();
  const period = usePeriod();
  const over = useOver();
  return (invoice) => {
    const { period_start_date: from, period_end_date: to } = invoice;
    const name = kind(invoice);
    if (!from || !to)
      return {
        name: intl.formatMessage(
          { id: 'billing.of_day', defaultMessage: '{kind} of {day}' },
          { kind: name, day: formatDay(invoice.issue_date) },
        ),
        of: '',
        days: '',
      };
    const text = period(invoice, invoice);
    const isMonth = monthOf(from, to);
    const of = isMonth ? text : isStatement(invoice) ? yearsOf(from, to) : '';
    return { name: of ? `${name} ${of}` : name, of: over(of), days: isMonth ? '' : over(text) };
  };
}

/**
 * Returns a function that formats the months of successive invoices, newest first: `for May to November 2026`; otherwise first and
 * last day of their periods; empty without periods.
 */
export function useMonths(): (newest: Invoice, oldest: Invoice) => string {
  const period = usePeriod();
  const over = useOver();
  return (newest, oldest) => over(period(oldest, newest));
}

const agreementTones = { ACTIVE: 'positive', FUTURE: 'tint', CANCELLED: 'neutral', TERMINATED: 'neutral' } as const;

export function AgreementStatus({ status }: { status: Agreement['status'] }) {
  return (
    <Badge tone={agreementTones[status]} icon={status === 'FUTURE' ? 'calendar' : status === 'CANCELLED' ? 'close' : undefined}>
      <FormattedMessage
        id="billing.agreement_status"
        defaultMessage="{status, select, ACTIVE {Active} FUTURE {Starts later} CANCELLED {Cancelled} other {Ended}}"
        values={{ status }}
      />
    </Badge>
  );
}

/** The amount that a customer requested, as a title. */
export const Requested = ({ amount }: { amount: number }) => (
  <FormattedMessage
    id="billing.periodical.requested"
    defaultMessage="Being changed to {amount}"
    values={{ amount: <Money cents={cents(amount)} /> }}
  />
);

/** `per month · next collection 28-11-2026`; without direct debit it mentions a payment instead (9-next-collection). */
export function PerMonth({ count = 1, day, collected }: { count?: number; day: string | undefined; collected: boolean }) {
  return (
    <FormattedMessage
      id="billing.tile.caption"
      defaultMessage="per month{count, plural, one {} other { for # contracts}}{next, select, collection { · next collection {day}} payment { · next payment {day}} other {}}"
      values={{ count, next: day ? (collected ? 'collection' : 'payment') : 'no', day: day && <CivilDate key="day" day={day} /> }}
    />
  );
}

export function PaymentMethod({ method }: { method: string }) {
  return (
    <FormattedMessage
      id="billing.payment_method"
      defaultMessage="{method, select, DIRECT_DEBIT_BUSINESS {Business direct debit} DIRECT_DEBIT_CONSUMER {Direct debit} IDEAL {iDEAL} INVOICE {You transfer the amount yourself} other {As agreed}}"
      values={{ method }}
    />
  );
}

/** Address and number of an agreement, in small text below its name. */
export function AgreementAddress({ agreement }: { agreement: Agreement }) {
  const places = placesOf(agreement).map((a) => `${streetLine(a)}, ${townLine(a)}`);
  return (
    <FormattedMessage
      id="billing.where"
      defaultMessage="{place}contract {id}"
      values={{ place: places.map((p) => `${p}\u00a0· `).join(''), id: agreement.agreement_identifier_with_sequence }}
    />
  );
}
