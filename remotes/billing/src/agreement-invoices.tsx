import { Button, EmptyState, Section, Skeleton } from '@wattle/ui';
import { Pagination } from '@wattle/ui/table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, titleOf } from './agreement.rules';
import { api } from './api';
import { Billed } from './billed';
import { type Invoice, pageOfYear, perPage, type YearCount } from './invoice.rules';
import { InvoiceTable } from './invoice-table';
import { AgreementAddress } from './texts';

/** The invoices of one agreement: ten a page grouped by year, pagination, and a chart of the amounts per month. */
export function AgreementInvoices({ agreement }: { agreement: Agreement }) {
  const id = agreement.agreement_identifier_with_sequence;
  const [page, setPage] = useState(1);
  const intl = useIntl();
  const top = useRef<HTMLDivElement>(null);
  const years = api.useGet('/agreements/{id}/invoices/years', { path: { id } });
  const invoicesQuery = api.useGet('/agreements/{id}/invoices', { path: { id }, query: { page, per_page: perPage } });
  // The agreement contains its newest invoices: they are shown until the first page has loaded, so that the layout does not shift.
  const rows = usePreviousWhileLoading<Invoice[]>(
    invoicesQuery.data ?? (page === 1 && agreement.invoices.length > 0 ? agreement.invoices : undefined),
  );
  const total = Math.max(years.data?.reduce((sum, y) => sum + y.count, 0) ?? 0, (page - 1) * perPage + (rows?.length ?? 0));
  const turn = (to: number) => {
    setPage(to);
    const at = top.current?.getBoundingClientRect().top ?? 0;
    if (at < 0) top.current?.scrollIntoView({ block: 'start' });
  };
  const [wanted, setWanted] = useState<number>();
  useEffect(() => {
    if (wanted === undefined || !invoicesQuery.data) return;
    const year = top.current?.querySelector(`[data-year='${wanted}']`);
    // The first year of a page is visible already.
    if (year?.previousElementSibling?.matches('[data-year]')) year.scrollIntoView({ block: 'start' });
    setWanted(undefined);
  }, [wanted, invoicesQuery.data]);
  const toYear = (year: number, its: number) => {
    setWanted(year);
    turn(its);
  };
  const list = (): ReactNode => {
    if (invoicesQuery.isError)
      return (
        <NoData
          retry={
            <Button small icon="retry" loading={invoicesQuery.isFetching} onClick={() => void invoicesQuery.refetch()}>
              <FormattedMessage id="billing.retry" defaultMessage="Try again" />
            </Button>
          }
        />
      );
    if (!rows) return <Skeleton />;
    if (rows.length === 0)
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
        <InvoiceTable
          agreement={id}
          name={agreement.name}
          rows={rows}
          years={years.data ?? []}
          loading={invoicesQuery.isFetching}
        />
        <Pages>
          {years.data && (
            <Pagination
              page={page}
              pageSize={perPage}
              total={total}
              onPage={turn}
              label={intl.formatMessage(
                { id: 'billing.invoices.pages', defaultMessage: 'Pages with invoices of contract {id}' },
                { id },
              )}
            />
          )}
        </Pages>
      </>
    );
  };
  return (
    <Anchor ref={top}>
      <Section
        title={titleOf(agreement.name)}
        sentence={<AgreementAddress agreement={agreement} />}
        actions={years.data && total > 2 * perPage && <Years of={id} years={years.data} onYear={toYear} />}
      >
        {list()}
        {rows && rows.length > 0 && <Billed agreement={id} />}
      </Section>
    </Anchor>
  );
}

/** Buttons that jump to each year, for a list of many pages. */
function Years({ of, years, onYear }: { of: string; years: readonly YearCount[]; onYear(year: number, page: number): void }) {
  const intl = useIntl();
  return (
    <Nav
      aria-label={intl.formatMessage(
        { id: 'billing.invoices.to_year', defaultMessage: 'Go to a year of contract {id}' },
        { id: of },
      )}
    >
      {years.map(({ year }) => (
        <button key={year} type="button" onClick={() => onYear(year, pageOfYear(years, year))}>
          {year}
        </button>
      ))}
    </Nav>
  );
}

/** 8-invoices-failed: the list is empty, with a text. */
function NoData({ retry }: { retry: ReactNode }) {
  return (
    <EmptyState title={<FormattedMessage id="billing.invoices.no_data" defaultMessage="No invoices to show" />} action={retry}>
      <FormattedMessage id="billing.invoices.failed" defaultMessage="We cannot reach your invoices right now. Nothing is lost." />
    </EmptyState>
  );
}

/** Returns the data, or the previous data while new data is loading, so that the list keeps its height. */
function usePreviousWhileLoading<T>(data: T | undefined): T | undefined {
  const [kept, setKept] = useState(data);
  useEffect(() => {
    if (data) setKept(data);
  }, [data]);
  return data ?? kept;
}

const Pages = styled.div`min-height: 44px;`;
const Nav = styled.nav`
  display: flex; flex-wrap: wrap; margin: -8px;
  button { min-width: 44px; min-height: 44px; padding: 0 8px; border-radius: var(--w-radius-control); color: var(--w-primary-ink); font-variant-numeric: tabular-nums; }
  button:hover { background: var(--w-tint); } button:active { background: var(--w-tint-strong); }
`;
const Anchor = styled.div`scroll-margin-top: 80px; & + & { margin-top: 24px; }`;
