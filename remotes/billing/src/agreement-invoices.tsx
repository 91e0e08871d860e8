import { Button, EmptyState, Section, Skeleton } from '@wattle/ui';
import { Pagination } from '@wattle/ui/table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, titleOf } from './agreement.rules';
import { api } from './api';
import { Billed } from './billed';
import { type Invoice, perPage } from './invoice.rules';
import { InvoiceTable } from './invoice-table';
import { Where } from './words';

/** The invoices of one agreement: a page of ten under their years, the pages, and what was billed month by month. */
export function AgreementInvoices({ agreement }: { agreement: Agreement }) {
  const id = agreement.agreement_identifier_with_sequence;
  const [page, setPage] = useState(1);
  const top = useRef<HTMLDivElement>(null);
  const years = api.useGet('/agreements/{id}/invoices/years', { path: { id } });
  const asked = api.useGet('/agreements/{id}/invoices', { path: { id }, query: { page, per_page: perPage } });
  const rows = useKept<Invoice[]>(asked.data);
  const total = Math.max(years.data?.reduce((sum, y) => sum + y.count, 0) ?? 0, (page - 1) * perPage + (rows?.length ?? 0));
  const turn = (to: number) => {
    setPage(to);
    const at = top.current?.getBoundingClientRect().top ?? 0;
    if (at < 0) top.current?.scrollIntoView({ block: 'start' });
  };
  const list = (): ReactNode => {
    if (asked.isError)
      return (
        <NoData
          retry={
            <Button small icon="retry" loading={asked.isFetching} onClick={() => void asked.refetch()}>
              <FormattedMessage id="billing.retry" defaultMessage="Try again" />
            </Button>
          }
        />
      );
    if (!rows) return <Skeleton shape="row" count={Math.min(perPage, Math.max(3, total))} />;
    if (rows.length === 0)
      return (
        <p>
          <FormattedMessage id="billing.invoices.none_here" defaultMessage="We have not sent an invoice for this contract yet." />
        </p>
      );
    return (
      <>
        <InvoiceTable agreement={id} name={agreement.name} rows={rows} years={years.data ?? []} loading={asked.isFetching} />
        <Pagination page={page} pageSize={perPage} total={total} onPage={turn} />
      </>
    );
  };
  return (
    <Anchor ref={top}>
      <Section title={titleOf(agreement.name)} sentence={<Where agreement={agreement} />}>
        {list()}
        {rows && rows.length > 0 && <Billed agreement={id} />}
      </Section>
    </Anchor>
  );
}

/** 8-invoices-failed: nothing is listed, and it says that there is nothing. */
function NoData({ retry }: { retry: ReactNode }) {
  return (
    <EmptyState title={<FormattedMessage id="billing.invoices.no_data" defaultMessage="No invoices to show" />} action={retry}>
      <FormattedMessage id="billing.invoices.failed" defaultMessage="We cannot reach your invoices right now. Nothing is lost." />
    </EmptyState>
  );
}

/** What was there last, while what comes next is on its way: a list does not fall shut when its page is turned. */
function useKept<T>(data: T | undefined): T | undefined {
  const [kept, setKept] = useState(data);
  useEffect(() => {
    if (data) setKept(data);
  }, [data]);
  return data ?? kept;
}

const Anchor = styled.div`scroll-margin-top: 80px; & + & { margin-top: 24px; }`;
