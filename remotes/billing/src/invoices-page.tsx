import { Card, EmptyState, ErrorState, Notice, Page, Skeleton } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import { byStart } from './agreement.rules';
import { AgreementInvoices } from './agreement-invoices';
import { api } from './api';
import { Due, NoneOpen, useOpen } from './open';

/** What is to be paid, or that no invoice is open (9-invoices-open); then invoices by agreement and year (2.1-invoices-grouping). */
export default function InvoicesPage() {
  const agreements = api.useGet('/agreements');
  // an unpaid invoice may be older than those in its agreement
  const { open, periodicals, known } = useOpen();
  const unpaid = new Set(open.data?.invoices.map((i) => i.agreement_identifier_with_sequence));
  return (
    <Page width="wide" title={<FormattedMessage id="billing.invoices.title" defaultMessage="Invoices" />}>
      {agreements.isPending || open.isPending || periodicals.isPending ? (
        <Skeleton shape="row" count={8} />
      ) : agreements.isError ? (
        <ErrorState onRetry={() => void agreements.refetch()} retrying={agreements.isFetching} />
      ) : agreements.data?.length ? (
        <>
          {known &&
            (known.invoices.length === 0 ? (
              <Notice tone="positive" title={<NoneOpen />} />
            ) : (
              <Card>
                <Due open={known} periodicals={periodicals.data} agreements={agreements.data} />
              </Card>
            ))}
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
