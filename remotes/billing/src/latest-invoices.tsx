import { CivilDate, ErrorState, LinkButton, Money, Skeleton, Small, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { api } from './api';
import { byDueDate, isStatement } from './invoice.rules';
import { cents } from './money';
import { Status, useKind } from './texts';

/** The newest five invoices of all agreements, with a link to all invoices. */
export default function LatestInvoices() {
  const kind = useKind();
  const latest = api.useGet('/latestInvoices');
  if (latest.isError) return <ErrorState compact onRetry={() => void latest.refetch()} retrying={latest.isFetching} />;
  if (!latest.data) return <Skeleton shape="row" count={5} />;
  return (
    <Stack gap={12}>
      {latest.data.length === 0 ? (
        <Small>
          <FormattedMessage id="billing.latest.none" defaultMessage="There are no invoices yet. Your first one appears here." />
        </Small>
      ) : (
        <List>
          {byDueDate(latest.data).map((i) => (
            <li key={i.invoice_id}>
              <Description>
                <span data-strong={isStatement(i) || undefined}>{kind(i)}</span>
                <Small as="span">
                  <CivilDate day={i.due_date} />
                </Small>
              </Description>
              <Status invoice={i} />
              <Amount>
                <Money cents={cents(i.amount)} credit />
              </Amount>
            </li>
          ))}
        </List>
      )}
      <div>
        <LinkButton href="/invoices" small icon="invoice">
          <FormattedMessage id="billing.latest.all" defaultMessage="All invoices" />
        </LinkButton>
      </div>
    </Stack>
  );
}

export const List = styled.ul`
  list-style: none; container-type: inline-size;
  > li { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 4px 0; } > li + li { border-top: 1px solid var(--w-line); }
`;
export const Description = styled.span`flex: 1; min-width: 0; display: flex; flex-direction: column; line-height: 1.4; [data-strong] { font-weight: 600; }`;
const Amount = styled.span`min-width: 92px; text-align: right;`;
