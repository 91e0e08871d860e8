import { EmptyState, ErrorState, formatMoney, Notice, Page, Skeleton } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { byStart } from './agreement.rules';
import { AgreementInvoices } from './agreement-invoices';
import { api } from './api';
import { cents } from './money';
import { HowToPay, NoneOpen, ToPay, useOpen } from './open';

/** Invoices by agreement and year (2.1-invoices-grouping). */
export default function InvoicesPage() {
  const agreements = api.useGet('/agreements');
  // an unpaid invoice may be older than those in its agreement
  const { open, periodicals } = useOpen();
  const unpaid = new Set(open.data?.invoices.map((i) => i.agreement_identifier_with_sequence));
  return (
    <Page width="wide" title={<FormattedMessage id="billing.invoices.title" defaultMessage="Invoices" />}>
      {agreements.isPending || open.isPending || periodicals.isPending ? (
        <Skeleton shape="row" count={8} />
      ) : agreements.isError ? (
        <ErrorState onRetry={() => void agreements.refetch()} retrying={agreements.isFetching} />
      ) : agreements.data?.length ? (
        <>
          <OpenLine />
          {byStart(agreements.data).map((a) => (
            <AgreementInvoices
              key={a.agreement_identifier_with_sequence}
              agreement={a}
              unpaid={unpaid.has(a.agreement_identifier_with_sequence)}
            />
          ))}
        </>
      ) : (
        <EmptyState title={<FormattedMessage id="billing.invoices.none" defaultMessage="There are no invoices yet" />}>
          <FormattedMessage
            id="billing.invoices.none_text"
            defaultMessage="Your first invoice appears here once your contract has started."
          />
        </EmptyState>
      )}
    </Page>
  );
}

/** Above the invoices: the amount to pay and how, or that no invoice is open (9-invoices-open). */
function OpenLine() {
  const { periodicals, known } = useOpen();
  if (!known) return null;
  return known.invoices.length === 0 ? (
    <Notice tone="positive" title={<NoneOpen />} />
  ) : (
    <Notice
      tone={known.overdue_amount > 0 ? 'negative' : 'info'}
      title={
        <>
          {formatMoney(cents(known.amount))} <ToPay open={known} />
        </>
      }
    >
      <HowToPay open={known} periodicals={periodicals} />
    </Notice>
  );
}
