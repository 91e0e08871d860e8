import { useToday } from '@wattle/sdk';
import { Big, CivilDate, ErrorState, formatDay, formatMoney, Icon, LinkButton, Money, Skeleton, Small } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { DownloadButton, FileProblem, useFile } from './download';
import { type Invoice, isOverdue, shownAs } from './invoice.rules';
import { Description, List } from './latest-invoices';
import { cents } from './money';
import { HowToPay, NoneOpen, ToPay, useOpen } from './open';
import { Overdue, useKind } from './texts';

/** Maximum number of invoices in the tile; a link shows how many more there are. */
const maxShown = 3;

/**
 * The amount to pay over all agreements, the overdue part of it, and how to pay; one line if nothing is open (9-dashboard-open). The
 * tile has no title of its own, because it is not known before the invoices are (9-dashboard-two-open).
 */
export default function OpenTile({ hide }: { hide(): void }) {
  const today = useToday();
  const { open, periodicals, known } = useOpen();
  const latest = api.useGet('/latestInvoices'); // fetched with the rest, so that nothing moves when it arrives
  const unknown = open.isSuccess && !open.data; // an earlier release of the plugin does not have this operation
  useEffect(() => {
    if (unknown) hide();
  }, [unknown, hide]);
  if (open.isError) return <ErrorState compact onRetry={() => void open.refetch()} retrying={open.isFetching} />;
  const isPaid = known?.invoices.length === 0;
  if (!known || (isPaid && latest.isPending)) return <Skeleton shape="row" />;
  if (isPaid) return <NothingOpen latest={latest.data ?? []} />;
  const { invoices, amount, overdue_amount: overdue } = known;
  return (
    <Due>
      <div>
        <h2>
          <FormattedMessage id="billing.open.title" defaultMessage="To pay" />
        </h2>
        <Big caption={overdue > 0 && <ToPay open={known} named />}>{formatMoney(cents(amount))}</Big>
        <p>
          <HowToPay open={known} periodicals={periodicals} />
        </p>
      </div>
      <div>
        <List>
          {invoices.slice(0, maxShown).map((i) => (
            <OpenInvoice key={i.invoice_id} invoice={i} overdue={isOverdue(i, today)} />
          ))}
        </List>
        {invoices.length > maxShown && (
          <LinkButton href="/invoices" small icon="invoice">
            <FormattedMessage
              id="billing.open.more"
              defaultMessage="{count, plural, one {# more invoice} other {# more invoices}}"
              values={{ count: invoices.length - maxShown }}
            />
          </LinkButton>
        )}
      </div>
    </Due>
  );
}

/** That everything is paid, and the last payment; only that nothing is open while a payment is in progress. */
function NothingOpen({ latest }: { latest: readonly Invoice[] }) {
  const states = latest.map((i) => shownAs(i.payment_status));
  const last = latest[states.indexOf('paid')];
  return (
    <Line>
      <Icon name="success" size={24} />
      <p>
        <strong>
          {last && !states.includes('progress') && !states.includes('open') ? (
            <FormattedMessage id="billing.open.paid" defaultMessage="Everything is paid" />
          ) : (
            <NoneOpen />
          )}
        </strong>
        {last && (
          <>
            {' · '}
            <FormattedMessage
              id="billing.open.last"
              defaultMessage="last payment {amount} on {day}"
              values={{ amount: <Money cents={cents(last.amount)} />, day: <CivilDate day={last.due_date} /> }}
            />
          </>
        )}
      </p>
    </Line>
  );
}

/** An invoice with its open amount, its due date, and its file, which contains the payment details. */
function OpenInvoice({ invoice, overdue }: { invoice: Invoice; overdue: boolean }) {
  const intl = useIntl();
  const kind = useKind();
  const file = useFile(invoice.invoice_link);
  return (
    <li>
      <Description>
        <span>
          {kind(invoice)} {overdue && <Overdue />}
        </span>
        <Small as="span">
          <FormattedMessage
            id="billing.open.until"
            defaultMessage="{part, select, yes {of {amount}, } other {}}by {day}"
            values={{
              part: invoice.balance < invoice.amount ? 'yes' : 'no',
              amount: <Money cents={cents(invoice.amount)} />,
              day: <CivilDate day={invoice.due_date} />,
            }}
          />
        </Small>
        <FileProblem file={file} />
      </Description>
      <Together>
        <Money cents={cents(invoice.balance)} />
        {invoice.invoice_link && (
          <DownloadButton
            file={file}
            label={intl.formatMessage(
              { id: 'billing.download_what', defaultMessage: 'Download {kind} of {day}' },
              { kind: kind(invoice).toLowerCase(), day: formatDay(invoice.due_date) },
            )}
          />
        )}
      </Together>
    </li>
  );
}

const Due = styled.div`
  display: grid; gap: 12px 48px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); align-items: center;
  > div { display: flex; flex-direction: column; gap: 12px; align-items: flex-start; min-width: 0; } ul { width: 100%; }
  h2 { font-size: 20px; } 
  @media (max-width: 767px) {
    padding-block: 8px; h2 { font-size: 16px; }
    > :first-child { flex-direction: row; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 8px 16px; > div { text-align: end; } > p { flex-basis: 100%; } }
  }
`;
const Line = styled.div`display: flex; align-items: center; gap: 12px; min-height: 56px; > svg { flex: none; color: var(--w-positive); }`;
const Together = styled.span`display: flex; align-items: center; gap: 12px;`;
