import { useToday } from '@wattle/sdk';
import { Badge, Big, CivilDate, ErrorState, formatDay, formatMoney, LinkButton, Money, Skeleton, Small, Stack } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import { DownloadButton, FileProblem, useFile } from './download';
import { type Invoice, isOverdue } from './invoice.rules';
import { Description, List } from './latest-invoices';
import { cents } from './money';
import { isCollected } from './term-amount.rules';
import { Overdue, useKind } from './texts';

/** Invoices shown in the tile; a link leads to the others. */
const maxShown = 3;

/** What has to be paid over all agreements, what of it is overdue, and how to pay (9-dashboard-open). */
export default function OpenTile({ hide }: { hide(): void }) {
  const today = useToday();
  const open = api.useGet('/openInvoices', {}, { empty: [404] });
  const periodicals = api.useGet('/periodicalPayments');
  const unknown = open.isSuccess && !open.data; // a plugin of an earlier release has no such operation
  useEffect(() => {
    if (unknown) hide();
  }, [unknown, hide]);
  if (open.isError) return <ErrorState compact onRetry={() => void open.refetch()} retrying={open.isFetching} />;
  if (!open.data || periodicals.isPending) return <Skeleton shape="number" />;
  const { invoices, amount, overdue_amount: overdue } = open.data;
  const paid = invoices.length === 0;
  const debited = new Set((periodicals.data ?? []).filter(isCollected).map((p) => p.agreement_identifier_with_sequence));
  const collected = invoices.filter((i) => debited.has(i.agreement_identifier_with_sequence) && !isOverdue(i, today));
  const how = collected.length === invoices.length ? 'collected' : collected.length > 0 ? 'both' : 'invoice';
  return (
    <Stack gap={12}>
      <Big
        caption={
          paid ? (
            <Badge tone="positive">
              <FormattedMessage id="billing.open.none" defaultMessage="Everything is paid" />
            </Badge>
          ) : (
            <FormattedMessage
              id="billing.open.caption"
              defaultMessage="to pay{late, select, none {} all {, all of it overdue} other {, of which {overdue} is overdue}}"
              values={{
                late: overdue === 0 ? 'none' : overdue === amount ? 'all' : 'part',
                overdue: <strong key="overdue">{formatMoney(cents(overdue))}</strong>,
              }}
            />
          )
        }
      >
        {formatMoney(cents(amount))}
      </Big>
      {!paid && (
        <List>
          {invoices.slice(0, maxShown).map((i) => (
            <OpenInvoice key={i.invoice_id} invoice={i} overdue={isOverdue(i, today)} />
          ))}
        </List>
      )}
      {!paid && (
        <p>
          <FormattedMessage
            id="billing.open.how"
            defaultMessage="{how, select, collected {We collect this from your account. There is nothing you have to do.} both {What is not overdue we collect from your account. How to pay the rest is on the invoice.} other {How to pay is on the invoice.}}"
            values={{ how }}
          />
        </p>
      )}
      {(paid || invoices.length > maxShown) && (
        <div>
          <LinkButton href="/invoices" small icon="invoice">
            <FormattedMessage id="billing.latest.all" defaultMessage="All invoices" />
          </LinkButton>
        </div>
      )}
    </Stack>
  );
}

/** One invoice with what is left to pay, until when, and its file, which has the payment details. */
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
            defaultMessage="by {day}"
            values={{ day: <CivilDate day={invoice.due_date} /> }}
          />
        </Small>
        <FileProblem file={file} />
      </Description>
      {overdue && <Overdue />}
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
    </li>
  );
}
