import { useToday } from '@wattle/sdk';
import { ErrorState, LinkButton, Money, Skeleton, Small, Stack } from '@wattle/ui';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { hasDebit } from './agreement.rules';
import { api } from './api';
import { isAwaited, isPayable, isStatement, latestRuns } from './invoice.rules';
import { cents } from './money';
import { Status, StillOpen, useKind, useMonths, useRun, useSubject, WhenDue } from './texts';

/** Maximum number of lines; a link leads to all invoices. */
const maxShown = 5;

/**
 * The newest invoices of all agreements, with equal paid term amounts on one line (9-invoices-latest), and a link to all invoices.
 */
export default function LatestInvoices() {
  const kind = useKind();
  const run = useRun();
  const months = useMonths();
  const subject = useSubject();
  const today = useToday();
  const agreements = api.useGet('/agreements');
  if (agreements.isError)
    return <ErrorState compact onRetry={() => void agreements.refetch()} retrying={agreements.isFetching} />;
  if (!agreements.data) return <Skeleton shape="row" count={4} />;
  const runs = latestRuns(agreements.data.map((a) => a.invoices)).slice(0, maxShown);
  return (
    <Stack gap={12}>
      {runs.length === 0 ? (
        <p>
          <FormattedMessage
            id="billing.invoices.none_text"
            defaultMessage="Your first invoice appears here once your contract has started."
          />
        </p>
      ) : (
        <Lines>
          {runs.map(([newest, ...others]) => {
            const oldest = others.at(-1);
            const { name, of } = subject(newest);
            const { agreement_identifier_with_sequence: id } = newest;
            const calm = agreements.data.some(
              (a) => a.agreement_identifier_with_sequence === id && isAwaited(newest, hasDebit(a), today),
            );
            return (
              <li key={newest.invoice_id}>
                <Description>
                  <span data-strong={isStatement(newest) || (isPayable(newest) && !calm) || undefined}>
                    {oldest || of ? kind(newest) : name}
                    {oldest && `, ${run(newest, others.length + 1)}`}
                  </span>
                  <StillOpen invoice={newest} />
                  <Small as="span">{oldest ? months(newest, oldest) : of || <WhenDue invoice={newest} calm={calm} />}</Small>
                </Description>
                <Status invoice={newest} calm={calm} />
                <Amount>
                  <Money cents={cents(newest.amount) * (others.length + 1)} credit />
                </Amount>
              </li>
            );
          })}
        </Lines>
      )}
      {runs.length > 0 && (
        <div>
          <LinkButton href="/invoices" small icon="invoice">
            <FormattedMessage id="billing.latest.all" defaultMessage="All invoices" />
          </LinkButton>
        </div>
      )}
    </Stack>
  );
}

export const List = styled.ul`
  list-style: none; container-type: inline-size;
  > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 4px 12px; min-height: 56px; padding: 4px 0; } > li + li { border-top: 1px solid var(--w-line); }
`;
export const Description = styled.span`flex: 1 1 112px; min-width: 0; display: flex; flex-direction: column; line-height: 1.4; [data-strong] { font-weight: 600; }`;
/** In a narrow tile the amount is next to the kind, and the status next to the period (9-invoices-two-lines). */
const Lines = styled(List)`
  @container (max-width: 399px) { > li { display: grid; grid-template-columns: minmax(0, 1fr) auto; justify-items: end; > :first-child { grid-row: span 2; justify-self: start; } > :last-child { grid-area: 1 / 2; } } }
`;
const Amount = styled.span`min-width: 92px; text-align: right;`;
