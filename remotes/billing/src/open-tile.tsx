import { useToday } from '@wattle/sdk';
import { Badge, Big, CivilDate, ErrorState, formatDay, formatMoney, LinkButton, Money, Skeleton, Small, Stack } from '@wattle/ui';
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

/** The amount to pay over all agreements, the overdue part of it, and how to pay (9-dashboard-open). */
export default function OpenTile({ hide }: { hide(): void }) {
  const today = useToday();
  const kind = useKind();
  const { open, periodicals, known } = useOpen();
  const latest = api.useGet('/latestInvoices'); // fetched with the rest, so that nothing moves when it arrives
  const unknown = open.isSuccess && !open.data; // an earlier release of the plugin does not have this operation
  useEffect(() => {
    if (unknown) hide();
  }, [unknown, hide]);
  if (open.isError) return <ErrorState compact onRetry={() => void open.refetch()} retrying={open.isFetching} />;
  if (!known) return <Skeleton shape="number" />;
  const { invoices, amount } = known;
  const paid = invoices.length === 0;
  if (paid && latest.isPending) return <Skeleton shape="number" />;
  const last = latest.data?.find((i) => shownAs(i.payment_status) === 'paid');
  return (
    <Stack gap={12}>
      <Big
        caption={
          paid ? (
            <Badge tone="positive">
              <NoneOpen />
            </Badge>
          ) : (
            known.overdue_amount > 0 && <ToPay open={known} named />
          )
        }
      >
        {formatMoney(cents(amount))}
      </Big>
      {paid && last && (
        <List>
          <li>
            <Description>
              <FormattedMessage id="billing.open.last" defaultMessage="Paid last" />
              <Small as="span">
                {kind(last)}, <CivilDate day={last.due_date} />
              </Small>
            </Description>
            <Money cents={cents(last.amount)} />
          </li>
        </List>
      )}
      {!paid && (
        <List>
          {invoices.slice(0, maxShown).map((i) => (
            <OpenInvoice key={i.invoice_id} invoice={i} overdue={isOverdue(i, today)} />
          ))}
        </List>
      )}
      {!paid && (
        <p>
          <HowToPay open={known} periodicals={periodicals} />
        </p>
      )}
      {invoices.length > maxShown && (
        <div>
          <LinkButton href="/invoices" small icon="invoice">
            <FormattedMessage
              id="billing.open.more"
              defaultMessage="{count, plural, one {# more invoice} other {# more invoices}}"
              values={{ count: invoices.length - maxShown }}
            />
          </LinkButton>
        </div>
      )}
    </Stack>
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
        <span>{kind(invoice)}</span>
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
      {overdue && <Overdue />}
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

const Together = styled.span`display: flex; align-items: center; gap: 12px;`;
