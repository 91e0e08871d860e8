import { useToday } from '@wattle/sdk';
import { Big, CivilDate, formatMoney, LinkButton, Money, Small } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, markOf } from './agreement.rules';
import { api, type Periodical } from './api';
import { FileButton, FileProblem, useFile } from './download';
import { type Invoice, isOverdue } from './invoice.rules';
import { Description, List } from './latest-invoices';
import { cents } from './money';
import { isCollected } from './term-amount.rules';
import { Overdue, useSubject } from './texts';

/** Reads the amount to pay over all agreements, and the term amounts, which contain the payment method. */
export function useOpenAmount() {
  const open = api.useGet('/openInvoices', {}, { empty: [404] });
  const periodicals = api.useGet('/periodicalPayments');
  return { open, periodicals, known: periodicals.isPending ? undefined : open.data };
}

/** Reads what `useOpenAmount` does, and the agreements only if there are several, to tell them apart. */
export function useOpen() {
  const { open, periodicals, known } = useOpenAmount();
  const all = [...(open.data?.invoices ?? []), ...(periodicals.data ?? [])];
  const ids = new Set(all.map((one) => one.agreement_identifier_with_sequence));
  const agreements = api.useGet('/agreements', {}, { enabled: ids.size > 1 && Boolean(open.data?.invoices.length) });
  return { open, periodicals, agreements, known: agreements.isLoading ? undefined : known };
}
type Open = NonNullable<ReturnType<typeof useOpenAmount>['known']>;

/** Returns the invoices that will be paid by direct debit: those of agreements with that payment method that are not overdue. */
export function debitedInvoices(
  invoices: readonly Invoice[],
  periodicals: readonly Periodical[] | undefined,
  today: string,
): Invoice[] {
  const collected = new Set(periodicals?.filter(isCollected).map((p) => p.agreement_identifier_with_sequence));
  return invoices.filter((i) => collected.has(i.agreement_identifier_with_sequence) && !isOverdue(i, today));
}

/** How `count` invoices are paid, of which `debited` by direct debit. */
export const HowToPay = ({ debited, count }: { debited: number; count: number }) => (
  <FormattedMessage
    id="billing.open.how"
    defaultMessage="{how, select, collected {We collect this from your account. There is nothing you have to do.} both {We collect part of this from your account. How to pay the rest is on the invoice.} other {How to pay is on the invoice.}}"
    values={{ how: debited === 0 ? 'invoice' : debited === count ? 'collected' : 'both' }}
  />
);

interface DueProps {
  open: Open;
  periodicals: readonly Periodical[] | undefined;
  agreements: readonly Agreement[] | undefined;
  /** Maximum number of invoices; a link shows how many more there are. */
  max?: number;
}

/** The amount to pay, the overdue part of it, how to pay, and the invoices (9-dashboard-open, 9-invoices-open). */
export function Due({ open: { invoices, amount, overdue_amount: overdue }, periodicals, agreements, max }: DueProps) {
  const today = useToday();
  const debited = debitedInvoices(invoices, periodicals, today);
  const shown = invoices.slice(0, max);
  const more = invoices.length - shown.length;
  return (
    <Columns>
      <div>
        <h2>
          <FormattedMessage id="billing.open.title" defaultMessage="To pay" />
        </h2>
        <Big
          caption={
            overdue > 0 && (
              <FormattedMessage
                id="billing.open.caption"
                defaultMessage="{late, select, all {all of it overdue} other {of which {overdue} is overdue}}"
                values={{
                  late: overdue === amount ? 'all' : 'part',
                  overdue: <strong key="overdue">{formatMoney(cents(overdue))}</strong>,
                }}
              />
            )
          }
        >
          {formatMoney(cents(amount))}
        </Big>
        <p>
          <HowToPay debited={debited.length} count={invoices.length} />
        </p>
      </div>
      <div>
        <List>
          {shown.map((i) => (
            <OpenInvoice
              key={i.invoice_id}
              invoice={i}
              overdue={isOverdue(i, today)}
              collected={debited.includes(i)}
              alone={invoices.length === 1}
              mark={markOf(i.agreement_identifier_with_sequence, agreements ?? [])}
            />
          ))}
        </List>
        {more > 0 && (
          <LinkButton href="/invoices" small icon="invoice">
            <FormattedMessage
              id="billing.open.more"
              defaultMessage="{count, plural, one {# more invoice} other {# more invoices}}"
              values={{ count: more }}
            />
          </LinkButton>
        )}
      </div>
    </Columns>
  );
}

interface OpenInvoiceProps {
  invoice: Invoice;
  overdue: boolean;
  /** It is paid by direct debit. */
  collected: boolean;
  /** No other invoice is open, so its amount is the one in the headline. */
  alone: boolean;
  /** Tells its agreement from the customer's others. */
  mark: string | undefined;
}

/** An invoice: what it is for, its open amount, when it is paid, and its file, which contains the payment details. */
function OpenInvoice({ invoice, overdue, collected, alone, mark }: OpenInvoiceProps) {
  const file = useFile(invoice.invoice_link);
  const { name } = useSubject()(invoice);
  return (
    <li>
      <What>
        <span>
          {name} {overdue && <Overdue />}
        </span>
        <Small as="span">
          <FormattedMessage
            id="billing.open.until"
            defaultMessage="{part, select, yes {of {amount}, } other {}}{how, select, collected {will be collected on {day}} other {by {day}}}"
            values={{
              part: invoice.balance < invoice.amount ? 'yes' : 'no',
              amount: <Money cents={cents(invoice.amount)} />,
              how: collected ? 'collected' : 'invoice',
              day: <CivilDate day={invoice.due_date} />,
            }}
          />
          {mark && `\u00a0· ${mark}`}
        </Small>
        <FileProblem file={file} />
      </What>
      <Together>
        {!alone && <Money cents={cents(invoice.balance)} />}
        {invoice.invoice_link && <PdfButton file={file} of={name} />}
      </Together>
    </li>
  );
}

/** Downloads the file of an invoice. */
export function PdfButton({ file, of }: { file: ReturnType<typeof useFile>; of: string }) {
  const intl = useIntl();
  return (
    <FileButton
      file={file}
      label={intl.formatMessage(
        { id: 'billing.download_what', defaultMessage: 'Download PDF of {what}' },
        { what: of.charAt(0).toLowerCase() + of.slice(1) },
      )}
    >
      PDF
    </FileButton>
  );
}

export const NoneOpen = () => <FormattedMessage id="billing.open.none" defaultMessage="No open invoices" />;

const Columns = styled.div`
  display: grid; gap: 12px 48px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); align-items: center;
  > div { display: flex; flex-direction: column; gap: 12px; align-items: flex-start; min-width: 0; } ul { width: 100%; }
  h2 { font-size: 20px; }
  @media (max-width: 767px) {
    padding-block: 8px; h2 { font-size: 16px; }
    > :first-child { flex-direction: row; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 8px 16px; > div { text-align: end; } > p { flex-basis: 100%; } }
  }
`;
/** In a narrow tile the amount and the file are below it. */
const What = styled(Description)`flex-basis: 200px;`;
const Together = styled.span`display: flex; align-items: center; gap: 12px;`;
