import { Button, Disclosure, EmptyState, Section, Skeleton, Small } from '@wattle/ui';
import { type ReactNode, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, titleOf } from './agreement.rules';
import { api } from './api';
import { Billed } from './billed';
import { type Invoice, isPayable, newestRuns, perPage } from './invoice.rules';
import { InvoiceTable } from './invoice-table';
import { AgreementAddress, AgreementStatus } from './texts';

interface Shown {
  agreement: Agreement;
}

/**
 * The invoices of an agreement. An ended agreement is closed and shows its status, unless something must still be paid
 * (9-invoices-ended).
 */
export function AgreementInvoices({ agreement, unpaid }: Shown & { unpaid: boolean }) {
  const { name, status } = agreement;
  const [isQuiet] = useState((status === 'TERMINATED' || status === 'CANCELLED') && !agreement.invoices.some(isPayable));
  const [open, setOpen] = useState(false);
  const address = <AgreementAddress agreement={agreement} />;
  const content = <Invoices agreement={agreement} />;
  if (!isQuiet || unpaid)
    return (
      <Section title={titleOf(name)} sentence={address} actions={status !== 'ACTIVE' && <AgreementStatus status={status} />}>
        {content}
      </Section>
    );
  const title = (
    <>
      {titleOf(name)}
      <Where as="small">{address}</Where>
    </>
  );
  return (
    <Disclosure level={2} title={title} summary={<AgreementStatus status={status} />} open={open} onToggle={setOpen}>
      {open && <Parts>{content}</Parts>}
    </Disclosure>
  );
}

/** Number of invoices per request: enough that a run that begins among the newest ten also ends among them. */
const perRequest = 100;

/** Ten invoices grouped by year, a button for ten more, and a chart of the amounts per month. */
function Invoices({ agreement }: Shown) {
  const id = agreement.agreement_identifier_with_sequence;
  const [shown, setShown] = useState(perPage);
  const [page, setPage] = useState(1);
  const [before, setBefore] = useState<readonly Invoice[]>([]);
  const years = api.useGet('/agreements/{id}/invoices/years', { path: { id } });
  const query = api.useGet('/agreements/{id}/invoices', { path: { id }, query: { page, per_page: perRequest } });
  // The agreement contains its newest invoices: they are shown until the first page has loaded, so that the layout does not shift.
  const rows = [...before, ...(query.data ?? (page === 1 ? agreement.invoices : []))];
  const total = years.data?.reduce((sum, y) => sum + y.count, 0) ?? 0;
  const runs = newestRuns(rows, shown);
  const left = total - runs.flat().length;
  if (rows.length === 0 && query.isPending) return <Skeleton />;
  if (rows.length === 0 && !query.isError)
    return (
      <p>
        <FormattedMessage
          id="billing.invoices.none_here"
          defaultMessage="{status, select, CANCELLED {This contract was cancelled, so there are no invoices.} TERMINATED {There are no invoices for this contract.} FUTURE {Your first invoice appears here once this contract has started.} other {We have not sent an invoice for this contract yet.}}"
          values={{ status: agreement.status }}
        />
      </p>
    );
  return (
    <>
      {(!query.isError || before.length > 0) && (
        <InvoiceTable agreement={id} name={agreement.name} runs={runs} years={years.data ?? []} loading={query.isFetching} />
      )}
      {query.isError ? (
        <NoData query={query} />
      ) : (
        <More>
          {left > 0 && (
            <Button
              small
              icon="down"
              loading={query.isFetching}
              onClick={() => {
                setShown(shown + perPage);
                if (rows.length < Math.min(total, shown + perRequest)) {
                  setBefore(rows);
                  setPage(page + 1);
                }
              }}
            >
              <FormattedMessage
                id="billing.invoices.more"
                defaultMessage="{count, plural, one {Show one more invoice} other {Show # more invoices}}"
                values={{ count: Math.min(left, perPage) }}
              />
            </Button>
          )}
        </More>
      )}
      <Billed agreement={id} />
    </>
  );
}

/** 8-invoices-failed: the list is empty, with a message. */
function NoData({ query }: { query: { isFetching: boolean; refetch(): unknown } }): ReactNode {
  return (
    <EmptyState
      title={<FormattedMessage id="billing.invoices.no_data" defaultMessage="No invoices to show" />}
      action={
        <Button small icon="retry" loading={query.isFetching} onClick={() => void query.refetch()}>
          <FormattedMessage id="billing.retry" defaultMessage="Try again" />
        </Button>
      }
    >
      <FormattedMessage id="billing.invoices.failed" defaultMessage="We cannot reach your invoices right now. Nothing is lost." />
    </EmptyState>
  );
}

const Where = styled(Small)`display: block; margin-top: 4px;`;
const More = styled.div`min-height: 44px;`;
const Parts = styled.div`display: flex; flex-direction: column; gap: 16px;`;
