import { Button, Disclosure, EmptyState, Section, Skeleton, Small } from '@wattle/ui';
import { type ReactNode, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, titleOf } from './agreement.rules';
import { api } from './api';
import { Billed } from './billed';
import { byDueDate, type Invoice, isPayable, pageOfYear, type YearTotal, yearOf } from './invoice.rules';
import { InvoiceTable, Year } from './invoice-table';
import { AgreementAddress, AgreementStatus } from './texts';

const list = '/agreements/{id}/invoices';

interface Shown {
  agreement: Agreement;
}

/** The invoices of one agreement; an ended one is closed, with its status, unless something of it is to be paid. */
export function AgreementInvoices({ agreement }: Shown) {
  const { name, status } = agreement;
  const [open, setOpen] = useState((status !== 'TERMINATED' && status !== 'CANCELLED') || agreement.invoices.some(isPayable));
  const [isQuiet] = useState(!open);
  const address = <AgreementAddress agreement={agreement} />;
  const content = <Invoices agreement={agreement} />;
  if (!isQuiet)
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

/** The newest year, a button for the year before it, and a chart of the amounts per month. */
function Invoices({ agreement }: Shown) {
  const id = agreement.agreement_identifier_with_sequence;
  const [shown, setShown] = useState(1);
  const years = api.useGet('/agreements/{id}/invoices/years', { path: { id } });
  const count = years.data?.[0]?.count ?? 0;
  const first = api.useGet(
    list,
    { path: { id }, query: { page: 1, per_page: Math.min(count, 100) || 1 } },
    { enabled: count > 0 },
  );
  const failed = years.isError ? years : first;
  if (failed.isError) return <NoData query={failed} />;
  // The agreement contains its newest invoices: they are shown until the list has loaded, so that the layout does not shift.
  const known = byDueDate(first.data ?? (count || years.isPending ? agreement.invoices : []));
  const newest = known[0] && yearOf(known[0]);
  if (!newest && (years.isPending || (count > 0 && first.isPending))) return <Skeleton />;
  if (!newest)
    return (
      <p>
        <FormattedMessage
          id="billing.invoices.none_here"
          defaultMessage="{status, select, CANCELLED {This contract was cancelled, so there are no invoices.} TERMINATED {There are no invoices for this contract.} FUTURE {Your first invoice appears here once this contract has started.} other {We have not sent an invoice for this contract yet.}}"
          values={{ status: agreement.status }}
        />
      </p>
    );
  const next = years.data?.[shown];
  const before = (n: number) => years.data?.slice(0, n).reduce((sum, y) => sum + y.count, 0) ?? 0;
  return (
    <>
      <InvoiceTable name={agreement.name} loading={first.isFetching}>
        <Year
          agreement={id}
          year={newest}
          total={years.data?.[0]?.amount}
          invoices={known.filter((i: Invoice) => yearOf(i) === newest)}
        />
        {years.data?.slice(1, shown).map((y, i) => (
          <OlderYear key={y.year} agreement={id} year={y} before={before(i + 1)} />
        ))}
      </InvoiceTable>
      <More>
        {next && (
          <Button small icon="down" onClick={() => setShown(shown + 1)}>
            <FormattedMessage id="billing.invoices.year" defaultMessage="Show {year}" values={{ year: String(next.year) }} />
          </Button>
        )}
      </More>
      <Billed agreement={id} />
    </>
  );
}

function OlderYear({ agreement, year, before }: { agreement: string; year: YearTotal; before: number }) {
  const query = api.useGet(list, { path: { id: agreement }, query: pageOfYear(before, year.count) });
  return (
    <Year
      agreement={agreement}
      year={String(year.year)}
      total={year.amount}
      invoices={query.data?.filter((i) => yearOf(i) === String(year.year))}
      instead={query.isError ? <NoData query={query} /> : <Skeleton />}
    />
  );
}

/** 8-invoices-failed: the list is empty, with a text. */
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

const Where = styled(Small)`display: block;`;
const More = styled.div`min-height: 44px;`;
const Parts = styled.div`display: flex; flex-direction: column; gap: 16px;`;
