import { useMay, useProblemText } from '@wattle/sdk';
import {
  Big,
  Card,
  CivilDate,
  Disclosure,
  EmptyState,
  ErrorState,
  Facts,
  formatDay,
  formatMoney,
  Grid,
  Icon,
  LinkButton,
  Money,
  maskIban,
  Notice,
  Page,
  Row,
  Skeleton,
  Small,
  Stack,
  TextLink,
} from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, titleOf } from './agreement.rules';
import { api, type Periodical } from './api';
import { cents } from './money';
import { fits, hasForecast, Outcome } from './outcome';
import { OutcomeSum } from './outcome-sum';
import { isCollected } from './term-amount.rules';
import { AgreementAddress, PaymentMethod, PerMonth, Requested } from './texts';

export default function PeriodicalPage() {
  const periodicals = api.useGet('/periodicalPayments');
  const agreements = api.useGet('/agreements');
  return (
    <Page
      width="wide"
      title={<FormattedMessage id="billing.periodical.title" defaultMessage="Monthly amount" />}
      sentence={
        <>
          <FormattedMessage
            id="billing.periodical.intro"
            defaultMessage="What you pay each month in advance. Once a year we settle it with what you have used."
          />{' '}
          <TextLink href="/periodical-payments/monthly-amount-info">
            <FormattedMessage id="billing.info.title" defaultMessage="How your monthly amount works" />
          </TextLink>
        </>
      }
    >
      {periodicals.isPending || agreements.isPending ? (
        <Skeleton shape="card" count={2} />
      ) : periodicals.isError ? (
        <ErrorState onRetry={() => void periodicals.refetch()} retrying={periodicals.isFetching} />
      ) : periodicals.data?.length ? (
        periodicals.data.map((p) => (
          <PeriodicalCard
            key={p.agreement_identifier_with_sequence}
            periodical={p}
            agreement={agreements.data?.find(
              (a) => a.agreement_identifier_with_sequence === p.agreement_identifier_with_sequence,
            )}
          />
        ))
      ) : (
        <EmptyState title={<FormattedMessage id="billing.periodical.none" defaultMessage="You have no monthly amount" />}>
          <FormattedMessage
            id="billing.periodical.none_text"
            defaultMessage="It appears here once a contract with a monthly amount has started."
          />
        </EmptyState>
      )}
    </Page>
  );
}

function PeriodicalCard({ periodical: p, agreement }: { periodical: Periodical; agreement: Agreement | undefined }) {
  const items = agreement?.periodical_payment?.items ?? [];
  const iban = agreement?.periodical_payment?.bank_account_number;
  const may = useMay('billing.changePeriodical');
  const shown = cents(p.requested_new_amount ?? p.current_amount);
  const collected = isCollected(p);
  const advised =
    may.ok &&
    !p.reason &&
    p.proposed_amount !== p.current_amount &&
    hasForecast(p) &&
    !fits(cents(p.current_amount), p) &&
    fits(cents(p.proposed_amount), p);
  return (
    <Card title={titleOf(agreement?.name ?? p.agreement_identifier_with_sequence)}>
      <Stack gap={24}>
        {agreement && (
          <Place>
            <AgreementAddress agreement={agreement} />
          </Place>
        )}
        <Grid columns={p.year_end ? 2 : 1} min={300} gap={24}>
          <Stack gap={24}>
            <Big caption={<PerMonth day={p.next_collection} collected={collected} />}>{formatMoney(cents(p.current_amount))}</Big>
            <Facts
              items={[
                {
                  label: <FormattedMessage id="billing.agreement.method" defaultMessage="Payment method" />,
                  value: <PaymentMethod method={p.payment_method} />,
                },
                ...(iban || collected
                  ? [
                      {
                        label: <FormattedMessage id="billing.payment.iban" defaultMessage="Account number (IBAN)" />,
                        value: (
                          <Iban>
                            <span>{iban && maskIban(iban)}</span>
                            {collected && (
                              <TextLink href="/iban">
                                <FormattedMessage id="billing.payment.change" defaultMessage="Change bank account" />
                              </TextLink>
                            )}
                          </Iban>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          </Stack>
          <Stack gap={24}>
            {hasForecast(p) && (
              <Outcome amount={shown} forecast={p}>
                <OutcomeSum amount={shown} forecast={p} />
              </Outcome>
            )}
            <EditLink periodical={p} advised={advised} />
          </Stack>
        </Grid>
        {items.length > 0 && (
          <Disclosure title={<FormattedMessage id="billing.periodical.items" defaultMessage="What this amount is made of" />}>
            <Items>
              {items.map((i) => (
                <li key={`${i.category} ${i.description}`}>
                  <span>{i.description}</span>
                  <Money cents={cents(i.amount)} credit />
                </li>
              ))}
            </Items>
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
}

const formOf = (p: Periodical): string =>
  `/periodical-payments/update/${encodeURIComponent(p.agreement_identifier_with_sequence)}`;

/**
 * Below the sum that explains it (9-term-amount-choice): the button with the advised amount if there is one (9-term-amount-even), and
 * the link to the form, or instead of them the pending amount (4-pending-term-amount, 6-periodical-edit-requested), the reason during
 * impersonation (6-impersonator-periodical), or the reason why this term amount cannot be changed.
 */
function EditLink({ periodical: p, advised }: { periodical: Periodical; advised: boolean }): ReactNode {
  const may = useMay('billing.changePeriodical');
  const text = useProblemText();
  if (p.requested_new_amount !== undefined)
    return (
      <Notice title={<Requested amount={p.requested_new_amount} />}>
        <FormattedMessage
          id="billing.periodical.requested_text"
          defaultMessage="{asked, select, yes {You asked for this on {day}. } other {}}We usually process it within 2 working days. After that you can change your amount again."
          values={{ asked: p.requested_on ? 'yes' : 'no', day: p.requested_on && formatDay(p.requested_on) }}
        />
        {p.counts_from && (
          <>
            {' '}
            <FormattedMessage
              id="billing.periodical.requested_from"
              defaultMessage="The new amount usually counts from {day}."
              values={{ day: <CivilDate day={p.counts_from} /> }}
            />
          </>
        )}
      </Notice>
    );
  const disabledReason = may.ok ? p.reason && text({ code: p.reason }) : may.reason;
  if (disabledReason)
    return (
      <Why>
        <Icon name="info" />
        <span>{disabledReason}</span>
      </Why>
    );
  const proposed = formatMoney(cents(p.proposed_amount));
  return (
    <Stack gap={12}>
      {(advised || p.counts_from) && (
        <Small>
          <FormattedMessage
            id="billing.periodical.from"
            defaultMessage="{advised, select, yes {With {amount} per month{known, select, yes {, usually from {day}} other {}}, you come out around zero.} other {A new amount that you choose today usually counts from {day}.}}"
            values={{
              advised: advised ? 'yes' : 'no',
              amount: proposed,
              known: p.counts_from ? 'yes' : 'no',
              day: <CivilDate key="day" day={p.counts_from ?? ''} />,
            }}
          />
        </Small>
      )}
      <Row gap={8}>
        {advised && (
          <LinkButton href={`${formOf(p)}?advice`} variant="primary">
            <FormattedMessage id="billing.choose" defaultMessage="Choose {amount}" values={{ amount: proposed }} />
          </LinkButton>
        )}
        <LinkButton href={formOf(p)} icon="edit">
          <FormattedMessage id="billing.periodical.edit" defaultMessage="Change amount" />
        </LinkButton>
      </Row>
    </Stack>
  );
}

const Place = styled.p`color: var(--w-text-quiet); margin-top: -8px;`;
const Iban = styled.span`display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 16px;`;
const Why = styled.p`display: flex; gap: 8px; color: var(--w-text-quiet); svg { flex: none; margin-top: 2px; }`;
const Items = styled.ul`
  list-style: none;
  > li { display: flex; justify-content: space-between; gap: 16px; padding: 10px 0; } > li + li { border-top: 1px solid var(--w-line); }
`;
