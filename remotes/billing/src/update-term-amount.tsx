import { type OverlayProps, type Problem, useLocation, useMay, useNotify, useProblemText } from '@wattle/sdk';
import {
  Alert,
  Button,
  CivilDate,
  ErrorState,
  formatMoney,
  Money,
  Notice,
  SheetFooter,
  Skeleton,
  Small,
  useSheetClose,
  VisuallyHidden,
} from '@wattle/ui';
import { Form, SaveButton, SliderField, useFields } from '@wattle/ui/forms';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api, changes, type Periodical } from './api';
import { cents, euros } from './money';
import { hasForecast, Outcome, outcomeOf } from './outcome';
import { OutcomeSum } from './outcome-sum';
import { checkTermAmount, isCollected } from './term-amount.rules';
import { Requested } from './texts';

/** 2.3-overlay-update-periodical: the form, if the term amount can be changed. */
export default function UpdateTermAmount({ params, ...props }: OverlayProps) {
  const periodicals = api.useGet('/periodicalPayments');
  const text = useProblemText();
  const found = periodicals.data?.find((p) => p.agreement_identifier_with_sequence === params.agreementId);
  // A pending change created by the form itself does not unmount it.
  const [first, setFirst] = useState<Periodical>();
  if (found && !first) setFirst(found);
  if (periodicals.isError) return <ErrorState onRetry={() => void periodicals.refetch()} retrying={periodicals.isFetching} />;
  if (periodicals.isPending) return <Skeleton shape="field" count={3} />;
  const reason = first?.requested_new_amount === undefined ? first?.reason : 'billing.term_amount_pending';
  if (first && !reason) return <TermAmountForm {...props} periodical={first} />;
  return (
    <Notice
      title={
        !first ? (
          <FormattedMessage id="billing.periodical.none" defaultMessage="You have no monthly amount" />
        ) : first.requested_new_amount === undefined ? (
          <FormattedMessage id="billing.update.closed" defaultMessage="This amount cannot be changed" />
        ) : (
          <Requested amount={first.requested_new_amount} />
        )
      }
    >
      {reason && text({ code: reason })}
    </Notice>
  );
}

function TermAmountForm({ periodical: p, close, setDirty }: Omit<OverlayProps, 'params'> & { periodical: Periodical }) {
  const intl = useIntl();
  const text = useProblemText();
  const notify = useNotify();
  const cancel = useSheetClose();
  const may = useMay('billing.changePeriodical');
  const save = api.useWrite('put', '/periodicalPayments/{id}', { changes: changes.termAmount });
  const bounds = { current: cents(p.current_amount), min: cents(p.min_amount), max: cents(p.max_amount) };
  const proposed = cents(p.proposed_amount);
  const range = intl.formatMessage(
    { id: 'billing.update.range', defaultMessage: 'Choose an amount from {min} to {max}.' },
    { min: formatMoney(bounds.min), max: formatMoney(bounds.max) },
  );
  const fields = useFields<{ amount: number | null }>({
    initial: { amount: bounds.current },
    check: ({ amount }) => {
      const [code] = checkTermAmount(amount === null ? '' : euros(amount).toFixed(2), bounds);
      return { amount: code && text({ code }) };
    },
  });
  // the page's button with the advised amount fills in the form
  const { search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (search === '?advice' && may.ok) fields.set('amount', proposed);
  }, []);
  useEffect(() => setDirty(fields.dirty), [fields.dirty, setDirty]);
  const amount = fields.values.amount ?? bounds.current;
  const submit = () =>
    save.mutate(
      {
        path: { id: p.agreement_identifier_with_sequence },
        body: { request_periodical_payment_amount: euros(amount) },
      },
      {
        onSuccess: () => {
          notify({
            kind: 'notice',
            tone: 'good',
            text: intl.formatMessage(
              {
                id: 'billing.update.saved',
                defaultMessage:
                  'We are changing your monthly amount to {amount}. This usually takes no more than 2 working days.',
              },
              { amount: formatMoney(amount) },
            ),
          });
          close();
        },
        onError: (problem) => {
          const wrong = problem.errors?.find((e) => e.field === 'request_periodical_payment_amount');
          if (wrong) fields.refuse({ amount: text(wrong) });
        },
      },
    );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <SaveFailed problem={save.error} />
      <p>
        <FormattedMessage
          id="billing.update.current"
          defaultMessage="You pay {amount} per month now."
          values={{ amount: <strong key="amount">{formatMoney(bounds.current)}</strong> }}
        />
      </p>
      <SliderField
        {...fields.field('amount')}
        money
        stepper
        label={intl.formatMessage({ id: 'billing.update.new', defaultMessage: 'New monthly amount' })}
        hint={range}
        min={bounds.min}
        max={bounds.max}
        marker={{
          value: proposed,
          text: intl.formatMessage(
            { id: 'billing.advice', defaultMessage: 'We advise {amount}' },
            { amount: formatMoney(proposed) },
          ),
        }}
        {...(may.ok ? {} : { disabledReason: may.reason })}
      />
      {hasForecast(p) && (
        <>
          {amount < bounds.min || amount > bounds.max ? (
            <VisuallyHidden role="status">{range}</VisuallyHidden>
          ) : (
            <Outcome amount={amount} forecast={p} live>
              <OutcomeSum amount={amount} forecast={p} />
            </Outcome>
          )}
          {outcomeOf(bounds.max, p) < 0 && (
            <Small>
              <FormattedMessage
                id="billing.update.not_enough"
                defaultMessage="Even with the highest amount you pay {amount} extra at the annual statement: too little time is left to spread it."
                values={{ amount: <Money cents={-outcomeOf(bounds.max, p)} /> }}
              />
            </Small>
          )}
        </>
      )}
      <Small>
        <FormattedMessage
          id="billing.update.next"
          defaultMessage="We usually process it within 2 working days. {collected, select, yes {We then collect} other {You then pay}} the new amount for the first time {known, select, yes {on {day}} other {next month}}."
          values={{
            collected: isCollected(p) ? 'yes' : 'no',
            known: p.counts_from ? 'yes' : 'no',
            day: <CivilDate key="day" day={p.counts_from ?? ''} />,
          }}
        />
      </Small>
      <SheetFooter>
        <SaveButton busy={save.isPending} disabledReason={may.ok ? fields.disabledReason : may.reason} />
        <Button variant="quiet" onClick={cancel}>
          <FormattedMessage id="billing.cancel" defaultMessage="Cancel" />
        </Button>
      </SheetFooter>
    </Form>
  );
}

/** 8-term-amount-failed */
function SaveFailed({ problem }: { problem: Problem | null }) {
  const text = useProblemText();
  if (!problem) return null;
  return (
    <Alert title={<FormattedMessage id="billing.update.failed" defaultMessage="Error with updating of periodical payment!" />}>
      {(problem.errors?.length ? problem.errors : [problem]).map((e) => (
        <div key={e.code}>{text(e)}</div>
      ))}
    </Alert>
  );
}
