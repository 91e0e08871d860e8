import { useToday } from '@wattle/sdk';
import { CivilDate, Icon, Money, Small, VisuallyHidden } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled, { css } from 'styled-components';
import { FileButton, FileProblem, useFile } from './download';
import { type Invoice, type Run as Invoices, isAwaited, isPayable, isStatement, notShown, type YearGroup } from './invoice.rules';
import { cents } from './money';
import { PdfButton } from './open';
import { Status, StillOpen, useKind, useMonths, useRun, useSubject, WhenDue } from './texts';

export interface YearTotal {
  year: number;
  count: number;
  amount: number;
}

interface InvoiceTableProps {
  agreement: string;
  name: string;
  groups: readonly YearGroup[];
  years: readonly YearTotal[];
  loading: boolean;
  /** What is to be paid is collected by direct debit until its due date. */
  collected: boolean;
}

/** Rows grouped by year, with sticky headings; cards on a phone. For screen readers it is a table at every width. */
export function InvoiceTable({ agreement, name, groups, years, loading, collected }: InvoiceTableProps) {
  const intl = useIntl();
  const label = intl.formatMessage({ id: 'billing.invoices.of', defaultMessage: 'Invoices of {name}' }, { name });
  return (
    // The roles are explicit because `display: block` on a phone removes the implicit ones.
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    // biome-ignore-start lint/a11y/useSemanticElements: see above
    <Table role="table" aria-label={label} aria-busy={loading || undefined}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">
            <FormattedMessage id="billing.due" defaultMessage="Due date" />
          </th>
          <th role="columnheader">
            <FormattedMessage id="billing.invoice" defaultMessage="Invoice" />
          </th>
          <th role="columnheader">
            <FormattedMessage id="billing.state" defaultMessage="Status" />
          </th>
          <th role="columnheader" data-end>
            <FormattedMessage id="billing.amount" defaultMessage="Amount" />
          </th>
          <th role="columnheader">
            <VisuallyHidden>
              <FormattedMessage id="billing.download" defaultMessage="Download" />
            </VisuallyHidden>
          </th>
        </tr>
      </thead>
      {groups.map((group) => {
        const total = years.find((y) => String(y.year) === group.year);
        return (
          <tbody key={group.year} role="rowgroup" data-year={group.year}>
            <YearRow agreement={agreement} group={group} total={total?.amount} />
            {group.runs.map((run) => (
              <Run key={run[0].invoice_id} invoices={run} collected={collected} />
            ))}
            {total && <NotShown year={group.year} {...notShown(group, total)} />}
          </tbody>
        );
      })}
    </Table>
    // biome-ignore-end lint/a11y/useSemanticElements: see above
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

/** A year with its total over all pages, and a button that downloads all its files. */
function YearRow({ agreement, group, total }: { agreement: string; group: YearGroup; total: number | undefined }) {
  const intl = useIntl();
  const { year } = group;
  const file = useFile('/agreements/{id}/invoices/archive', { path: { id: agreement }, query: { year }, ticket: true });
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see InvoiceTable
    // biome-ignore-start lint/a11y/useSemanticElements: see InvoiceTable
    <Year role="row">
      <th colSpan={5} role="rowheader" scope="rowgroup">
        <div>
          <h3 tabIndex={-1}>{year}</h3>
          <FileButton
            file={file}
            label={intl.formatMessage({ id: 'billing.zip_of', defaultMessage: 'All as zip: invoices of {year}' }, { year })}
          >
            <FormattedMessage id="billing.zip" defaultMessage="All as zip" />
          </FileButton>
          {total !== undefined && (
            <Total>
              <span>
                <FormattedMessage id="billing.year_total" defaultMessage="Total" />
              </span>{' '}
              <Money cents={cents(total)} credit />
            </Total>
          )}
        </div>
        <FileProblem file={file} />
      </th>
    </Year>
    // biome-ignore-end lint/a11y/useSemanticElements: see InvoiceTable
    // biome-ignore-end lint/a11y/noRedundantRoles: see InvoiceTable
  );
}

/** The invoices of a year that are not shown, so that the rows add up to its total (9-invoices-add-up). */
function NotShown({ year, count, amount }: { year: string; count: number; amount: number }) {
  if (count <= 0) return null;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see InvoiceTable
    // biome-ignore-start lint/a11y/useSemanticElements: see InvoiceTable
    <Line role="row" data-rest>
      <td role="cell" data-date />
      <td role="cell" data-kind colSpan={2}>
        <Small>
          <FormattedMessage
            id="billing.invoices.rest"
            defaultMessage="{count, plural, one {One earlier invoice} other {# earlier invoices}} of {year}"
            values={{ count, year }}
          />
        </Small>
      </td>
      <td role="cell" data-amount data-end>
        <Money cents={amount} credit />
      </td>
      <td role="cell" />
    </Line>
    // biome-ignore-end lint/a11y/useSemanticElements: see InvoiceTable
    // biome-ignore-end lint/a11y/noRedundantRoles: see InvoiceTable
  );
}

/** Equal paid term amounts as one row, which opens to a row for each. A single invoice is a plain row (9-invoices-runs). */
function Run({ invoices, collected }: { invoices: Invoices; collected: boolean }) {
  const intl = useIntl();
  const [open, setOpen] = useState(false);
  const run = useRun();
  const months = useMonths();
  const kind = useKind();
  const [newest] = invoices;
  const oldest = invoices.at(-1);
  if (!oldest || newest === oldest) return <InvoiceRow invoice={newest} collected={collected} />;
  const amount = cents(newest.amount);
  const period = months(newest, oldest);
  const toggle = intl.formatMessage(
    {
      id: 'billing.run.toggle',
      defaultMessage: '{open, select, true {Hide} other {Show}} {count} monthly amounts',
    },
    { open, count: invoices.length },
  );
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see InvoiceTable */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see InvoiceTable */}
      <Line role="row" data-run={invoices.length}>
        <td role="cell" data-date>
          <CivilDate day={newest.due_date} />
        </td>
        <td role="cell" data-kind>
          <div>
            {kind(newest)}, {run(newest, invoices.length)}
          </div>
          <Small data-under>
            <span>{period}</span>
            <Toggle type="button" aria-expanded={open} aria-label={`${toggle} ${period}`} onClick={() => setOpen(!open)}>
              {toggle} <Icon name="down" size={16} />
            </Toggle>
          </Small>
        </td>
        <td role="cell" data-status>
          <Status invoice={newest} />
        </td>
        <td role="cell" data-amount data-end>
          <Money cents={amount * invoices.length} credit />
        </td>
        <td role="cell" data-download />
      </Line>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see InvoiceTable */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see InvoiceTable */}
      {open && invoices.map((invoice) => <InvoiceRow key={invoice.invoice_id} invoice={invoice} collected={collected} inRun />)}
    </>
  );
}

/** Only what the customer must pay has a color; what will be collected is as calm as what is paid (9-invoices-calm). */
function InvoiceRow({ invoice, collected, inRun }: { invoice: Invoice; collected: boolean; inRun?: boolean }) {
  const today = useToday();
  const calm = isAwaited(invoice, collected, today);
  const file = useFile(invoice.invoice_link);
  const { name, days } = useSubject()(invoice);
  const { amount, settlement } = invoice;
  const settledWith = others(invoice);
  // The remaining amount is shown if it is only part of the invoice.
  const rest = settlement && settlement.rest_amount !== 0 && Math.abs(settlement.rest_amount) !== Math.abs(amount);
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see InvoiceTable
    // biome-ignore-start lint/a11y/useSemanticElements: see InvoiceTable
    <Line
      role="row"
      data-strong={isStatement(invoice) || undefined}
      data-open={(isPayable(invoice) && !calm) || undefined}
      data-when={isPayable(invoice) || undefined}
      data-in-run={inRun}
      data-file={invoice.invoice_link ? '' : undefined}
    >
      <td role="cell" data-date>
        <WhenDue invoice={invoice} calm={calm} />
      </td>
      <td role="cell" data-kind>
        <div>{name}</div>
        {days && <Small data-period>{days}</Small>}
        <StillOpen invoice={invoice} />
        {settlement && (settledWith || rest) && (
          <Small>
            <FormattedMessage
              id="billing.settled_with"
              defaultMessage="Settled{known, select, yes { with {others}} other {}}{rest, select, none {} other {, {amount} left}}"
              values={{
                known: settledWith ? 'yes' : 'no',
                others: settledWith,
                rest: rest ? 'some' : 'none',
                amount: <Money cents={cents(settlement.rest_amount)} />,
              }}
            />
          </Small>
        )}
        <FileProblem file={file} />
      </td>
      <td role="cell" data-status>
        <Status invoice={invoice} calm={calm} />
      </td>
      <td role="cell" data-amount data-end>
        <Money cents={cents(amount)} credit />
      </td>
      <td role="cell" data-download>
        {invoice.invoice_link && <PdfButton file={file} of={name} />}
      </td>
    </Line>
    // biome-ignore-end lint/a11y/useSemanticElements: see InvoiceTable
    // biome-ignore-end lint/a11y/noRedundantRoles: see InvoiceTable
  );
}

/** Returns the ids of the invoices with which this one was settled. */
function others({ invoice_id, settlement }: Invoice): string {
  const all = settlement ? [settlement.receivable, ...settlement.payables] : [];
  const rest = all.map((s) => s.invoice_reference).filter((r) => r && r !== invoice_id);
  return [...new Set(rest)].join(', ');
}

const hidden = css`position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;`;
const Table = styled.table`
  width: 100%; border-collapse: separate; border-spacing: 0; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface);
  font-variant-numeric: tabular-nums; transition: opacity 160ms;
  &[aria-busy='true'] { opacity: .6; }
  > tbody { scroll-margin-top: 64px; }
  > thead th { padding: 12px 16px; font-size: 14px; font-weight: 600; color: var(--w-text-quiet); text-align: left; white-space: nowrap; }
  th:first-child, td:first-child { padding-left: var(--w-pad); } th:last-child, td:last-child { padding-right: calc(var(--w-pad) - 8px); }
  [data-end][data-end] { text-align: right; }
  > thead th:nth-child(1) { width: calc(140px + var(--w-pad)); } > thead th:nth-child(3) { width: 176px; } > thead th:nth-child(4) { width: 128px; } > thead th:nth-child(5) { width: calc(80px + var(--w-pad)); }
  [data-period] { white-space: nowrap; } [data-under] { display: flex; flex-wrap: wrap; gap: 0 16px; } @media (min-width: 768px) { [data-word] { display: none; } }
  @media (max-width: 1099px) { > thead th:nth-child(1) { width: calc(112px + var(--w-pad)); } }
  @media (max-width: 767px) {
    display: block; border: 0; background: none;
    > thead { ${hidden} }
    > tbody { display: flex; flex-direction: column; gap: 8px; } > tbody + tbody { margin-top: 16px; }
  }
`;
const Year = styled.tr`
  && > th {
    position: sticky; top: 64px; z-index: 1; padding: 0 var(--w-pad); background: var(--w-page); border-block: 1px solid var(--w-line); text-align: left; font-weight: 400;
    > div { display: flex; flex-wrap: wrap; align-items: center; gap: 0 16px; min-height: 48px; padding-right: 96px; }
  }
  h3 { font-size: 16px; font-weight: 600; }
  @media (max-width: 767px) {
    display: block; position: sticky; top: 56px; z-index: 1;
    && > th { display: block; position: static; padding: 0; border-width: 0 0 1px; > div { padding-right: var(--w-pad); } }
  }
`;
const Total = styled.span`margin-left: auto; font-weight: 600; > span:first-child { font-weight: 400; font-size: 14px; color: var(--w-text-quiet); margin-right: 8px; }`;
/** Covers its whole row. */
const Toggle = styled.button`
  display: inline-flex; align-items: center; gap: 4px; min-height: 24px; font-weight: 600; color: var(--w-primary-ink); border-radius: 4px;
  > svg { transition: transform 160ms; } &[aria-expanded='true'] > svg { transform: rotate(180deg); }
  &::after { content: ''; position: absolute; inset: 0; }
`;
const alone = css`grid-column: 1 / 3; grid-row: 3; padding-bottom: 8px;`;
/** What the customer must pay is the most prominent (9-invoices-open); a statement is bold, with an edge (2.1-invoices-highlight). */
const Line = styled.tr`
  position: relative; background: var(--w-surface); --edge: inset 0 0;
  &[data-in-run] { --edge: inset 3px 0 0 var(--w-tint-strong); } &[data-strong] { --edge: inset 3px 0 0 var(--w-primary); } &[data-open] { --edge: inset 3px 0 0 var(--w-warning); }
  td[data-status] > span { padding-left: 0; background: none; }
  &&[data-open] { background: color-mix(in oklch, var(--w-warning) 14%, var(--w-surface)); td[data-status] > span { margin-left: -8px; padding-left: 8px; background: var(--w-surface); } button { color: inherit; } }
  td { height: var(--w-row); padding: 6px 16px; vertical-align: middle; border-top: 1px solid var(--w-line); }
  &:nth-child(2) td { border-top: 0; }
  td[data-amount] { white-space: nowrap; } td:first-child { box-shadow: var(--edge); }
  &[data-strong], &[data-open] { td[data-amount], td[data-kind] > :first-child { font-weight: 600; } }
  td[data-download] { padding-block: 4px; text-align: right; } &[data-open] td[data-download] button { border: 1px solid var(--w-control-line); background: var(--w-surface); }
  &[data-run]:hover { background: var(--w-tint); } &[data-when] td[data-date] { font-size: 14px; }
  tbody:last-child &:last-child td { &:first-child { border-bottom-left-radius: calc(var(--w-radius) - 1px); } &:last-child { border-bottom-right-radius: calc(var(--w-radius) - 1px); } }
  @media (max-width: 767px) {
    && { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 4px 12px; align-items: center; padding: 12px calc(var(--w-pad) - 12px) 4px var(--w-pad); border: 1px solid var(--w-line); border-radius: var(--w-radius);
      overflow: hidden; box-shadow: var(--edge); &:not([data-open]) { background: var(--w-surface); } }
    && > td { display: block; height: auto; padding: 0; border: 0; border-radius: 0; box-shadow: none; }
    && > td[data-kind] { order: -2; grid-column: 1 / 3; font-weight: 600; align-self: start; } && > td[data-amount] { order: -1; font-weight: 600; padding-right: 12px; align-self: start; }
    && > td[data-date] { grid-column: 1; font-size: 14px; } && > td[data-status] { grid-column: 2; display: flex; } && > td[data-download] { grid-column: 3; justify-self: end; min-height: 44px; padding-right: 4px; }
    &&[data-when] > td[data-status] { ${alone} }
    &&[data-run] { grid-template-columns: minmax(0, 1fr) auto; padding-bottom: 12px; > [data-date], > [data-download] { display: none; } > [data-kind] { grid-area: 1 / 1 / 3; } > [data-status] { padding-right: 2px; align-self: end; justify-self: end; } }
    &[data-file]:active { border-color: var(--w-primary-ink); }
    td[data-download] button::after { content: ''; position: absolute; inset: 0; }
  }
  @media (max-width: 374px) { &&:not([data-run]) > td[data-status] { ${alone} } }
`;
