import { Button, Disclosure, EmptyState, Icon, Money, Section, Skeleton, Small } from '@wattle/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, hasDebit, titleOf } from './agreement.rules';
import { api } from './api';
import { Billed } from './billed';
import { byYear, type Invoice, isPayable, newestRuns, notShown, otherYears, perPage } from './invoice.rules';
import { InvoiceTable } from './invoice-table';
import { cents } from './money';
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

/**
 * Ten invoices grouped by year, a button for ten more of the last year, a button for each other year (9-invoices-years), and a chart
 * of the amounts per month.
 */
function Invoices({ agreement }: Shown) {
  const id = agreement.agreement_identifier_with_sequence;
  const [shown, setShown] = useState(perPage);
  const [page, setPage] = useState(1);
  const [before, setBefore] = useState<readonly Invoice[]>([]);
  const place = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<number>();
  const years = api.useGet('/agreements/{id}/invoices/years', { path: { id } });
  const query = api.useGet('/agreements/{id}/invoices', { path: { id }, query: { page, per_page: perRequest } });
  // The agreement contains its newest invoices: they are shown until the first page has loaded, so that the layout does not shift.
  const rows = [...before, ...(query.data ?? (page === 1 ? agreement.invoices : []))];
  const total = years.data?.reduce((sum, y) => sum + y.count, 0) ?? 0;
  const runs = newestRuns(rows, shown);
  const groups = byYear(runs);
  const last = groups.at(-1);
  const ofLast = years.data?.find((y) => String(y.year) === last?.year);
  const isCut = last && ofLast && notShown(last, ofLast).count > 0;
  const left = total - runs.flat().length;
  const isFull = query.data?.length === perRequest;
  useEffect(() => {
    if (isFull && shown > perPage && rows.length < Math.min(total, shown - perPage + perRequest)) {
      setBefore(rows);
      setPage(page + 1);
    }
  });
  useEffect(() => {
    const heading = place.current?.querySelector<HTMLElement>(`[data-year="${wanted}"] h3`);
    if (!heading) return;
    heading.focus(); // the button of the year is gone
    setWanted(undefined);
  });
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
    <List ref={place}>
      {(!query.isError || before.length > 0) && (
        <InvoiceTable
          agreement={id}
          name={agreement.name}
          groups={groups}
          years={years.data ?? []}
          loading={query.isFetching}
          collected={hasDebit(agreement)}
        />
      )}
      {query.isError ? (
        <NoData query={query} />
      ) : (
        <More>
          {isCut && (
            <Button small icon="down" loading={query.isFetching} onClick={() => setShown(shown + perPage)}>
              <FormattedMessage
                id="billing.invoices.more"
                defaultMessage="{count, plural, one {Show one more invoice} other {Show # more invoices}}"
                values={{ count: Math.min(left, perPage) }}
              />
            </Button>
          )}
          <Years>
            {otherYears(groups, years.data ?? []).map(({ year, count, amount, shown }) => (
              <li key={year}>
                <YearButton
                  type="button"
                  onClick={() => {
                    setShown(shown);
                    setWanted(year);
                  }}
                >
                  <strong>{year}</strong>
                  <Small as="small">
                    <FormattedMessage
                      id="billing.invoices.year"
                      defaultMessage="{count, plural, one {Show one invoice} other {Show # invoices}}"
                      values={{ count }}
                    />
                  </Small>
                  <Total>
                    <Money cents={cents(amount)} credit />
                  </Total>
                  <Icon name="down" />
                </YearButton>
              </li>
            ))}
          </Years>
        </More>
      )}
      <Billed agreement={id} />
    </List>
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
const List = styled.div`display: contents;`;
const More = styled.div`min-height: 44px; display: flex; flex-direction: column; align-items: flex-start; gap: 16px;`;
const Years = styled.ul`
  list-style: none; width: 100%; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); overflow: clip; font-variant-numeric: tabular-nums;
  &:empty { display: none; } > li + li { border-top: 1px solid var(--w-line); } @media print { display: none; }
`;
/** Its amount is below those of the table. */
const YearButton = styled.button`
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto 80px; align-items: center; gap: 4px 16px; width: 100%; min-height: 56px; padding: 8px var(--w-pad); text-align: left;
  &:hover { background: var(--w-tint); } &:focus-visible { outline-offset: -3px; box-shadow: none; } > small { font-weight: 600; color: var(--w-primary-ink); } > svg { justify-self: end; margin-right: -5px; color: var(--w-text-quiet); }
  @media (max-width: 767px) { grid-template-columns: minmax(0, 1fr) auto; padding-block: 12px; > small { order: 1; } > svg { order: 2; } }
`;
const Total = styled.span`font-weight: 600;`;
const Parts = styled.div`display: flex; flex-direction: column; gap: 16px;`;
