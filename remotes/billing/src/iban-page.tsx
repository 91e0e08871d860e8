import { type Problem, useMay, useProblemText, useToday, useUnsaved } from '@wattle/sdk';
import {
  Alert,
  Button,
  Card,
  ErrorState,
  Facts,
  formatDay,
  formatIban,
  maskIban,
  Notice,
  Page,
  Skeleton,
  Small,
  VisuallyHidden,
} from '@wattle/ui';
import { DateField } from '@wattle/ui/dates';
import { Form, FormActions, SaveButton, TextField, useFields, type Wrong } from '@wattle/ui/forms';
import { IbanField, readIban } from '@wattle/ui/iban';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, changes, useBankAccount } from './api';
import type { components } from './api.gen';
import { checkAccountName, checkFromDate, checkIban, dayAfter } from './iban.rules';

type Pending = components['schemas']['BankAccount'];
type Values = { ibanNumber: string; bankAccountName: string; fromDate: string | null };

/** 2.1-iban-route. The form is enabled only after the status call has confirmed that no change is pending (4-iban-editable). */
export default function IbanPage() {
  const account = useBankAccount();
  const status = api.useGet('/relations/bankAccountNumber');
  const [saved, setSaved] = useState(false);
  const failed = [account, status].filter((q) => q.isError);
  return (
    <Page
      title={<FormattedMessage id="billing.iban.title" defaultMessage="Change bank account" />}
      sentence={
        <FormattedMessage
          id="billing.iban.intro"
          defaultMessage="We collect your monthly amount and invoices from this account, and pay back into it."
        />
      }
    >
      {failed.length > 0 ? (
        <ErrorState onRetry={() => failed.map((q) => q.refetch())} retrying={failed.some((q) => q.isFetching)} />
      ) : account.isPending || status.isPending ? (
        <Skeleton shape="field" count={4} />
      ) : (
        <>
          {saved && (
            <Notice
              tone="positive"
              live
              title={<FormattedMessage id="billing.requestIsBeingProcessed" defaultMessage="Your request is being processed" />}
            >
              <FormattedMessage
                id="billing.iban.saved"
                defaultMessage="We have received your new account number and usually process it within 2 working days. Here you see when it has been done."
              />
            </Notice>
          )}
          {account.number && (
            <Card title={<FormattedMessage id="billing.iban.now" defaultMessage="What we use now" />}>
              <Facts
                items={[
                  {
                    label: <FormattedMessage id="billing.payment.holder" defaultMessage="Account holder" />,
                    value: account.name,
                  },
                  {
                    label: <FormattedMessage id="billing.payment.iban" defaultMessage="Account number (IBAN)" />,
                    value: <Digits>{maskIban(account.number)}</Digits>,
                  },
                ]}
              />
            </Card>
          )}
          <Card title={<FormattedMessage id="billing.iban.new" defaultMessage="New account" />}>
            {status.data ? (
              <PendingForm pending={status.data} />
            ) : (
              <IbanForm current={account.number} onSaved={() => setSaved(true)} />
            )}
          </Card>
        </>
      )}
    </Page>
  );
}

/** 4-iban-pending: the same form, read-only, with the pending values and their date. */
function PendingForm({ pending }: { pending: Pending }) {
  const intl = useIntl();
  const today = useToday();
  const reason = intl.formatMessage({
    id: 'billing.iban.pending_why',
    defaultMessage: 'You can change this again once your request has been processed.',
  });
  // the notice shows the reason once, but a screen reader reads one field at a time
  const disabledReason = <VisuallyHidden>{reason}</VisuallyHidden>;
  const nothing = () => undefined;
  return (
    <Fields>
      <Notice
        title={
          <FormattedMessage
            id="billing.iban.pending"
            defaultMessage="From {day} we use {iban}"
            values={{
              day: formatDay(pending.from_date),
              iban: <Digits>{formatIban(pending.change_bank_account_number)}</Digits>,
            }}
          />
        }
      >
        <FormattedMessage
          id="billing.iban.pending_text"
          defaultMessage="Your change is being processed. Until then we use your present account."
        />{' '}
        {reason}
      </Notice>
      <IbanField
        label={<FormattedMessage id="billing.iban.field" defaultMessage="New account number (IBAN)" />}
        value={pending.change_bank_account_number}
        onChange={nothing}
        disabledReason={disabledReason}
      />
      <TextField
        label={<FormattedMessage id="billing.iban.name" defaultMessage="Name on the account" />}
        value={pending.change_bank_account_name}
        width={480}
        onChange={nothing}
        disabledReason={disabledReason}
      />
      <DateField
        label={<FormattedMessage id="billing.iban.start" defaultMessage="From when" />}
        value={pending.from_date}
        today={today}
        onChange={nothing}
        disabledReason={disabledReason}
      />
    </Fields>
  );
}

/** API field by form field (5.1-field-mapping). */
const apiFields = {
  ibanNumber: 'change_bank_account_number',
  bankAccountName: 'change_bank_account_name',
  fromDate: 'from_date',
} as const;

function IbanForm({ current, onSaved }: { current: string; onSaved(): void }) {
  const intl = useIntl();
  const text = useProblemText();
  const today = useToday();
  const tomorrow = dayAfter(today);
  const may = useMay('billing.changeIBAN');
  const save = api.useWrite('put', '/relations/bankAccountNumber', { changes: changes.iban });
  const fields = useFields<Values>({
    changes: false, // the form starts empty
    initial: { ibanNumber: '', bankAccountName: '', fromDate: null },
    check: (v) => {
      const say = ([code]: string[]) => code && text({ code });
      return {
        ibanNumber: say(checkIban(v.ibanNumber, current)),
        bankAccountName: say(checkAccountName(v.bankAccountName)),
        fromDate: say(checkFromDate(v.fromDate, today)),
      };
    },
  });
  useUnsaved(fields.dirty);
  const submit = (v: Values) =>
    save.mutate(
      {
        body: {
          change_bank_account_number: readIban(v.ibanNumber),
          change_bank_account_name: v.bankAccountName.trim(),
          from_date: v.fromDate ?? '',
        },
      },
      { onSuccess: onSaved, onError: (problem) => fields.refuse(errorsOf(problem, text)) },
    );
  return (
    <Form busy={save.isPending} {...fields.form(submit)}>
      <SaveFailed problem={save.error} busy={save.isPending} retry={() => submit(fields.values)} />
      <IbanField
        {...fields.field('ibanNumber')}
        required
        label={<FormattedMessage id="billing.iban.field" defaultMessage="New account number (IBAN)" />}
      />
      <TextField
        {...fields.field('bankAccountName')}
        required
        autoComplete="name"
        width={480}
        label={<FormattedMessage id="billing.iban.name" defaultMessage="Name on the account" />}
        hint={<FormattedMessage id="billing.iban.name_hint" defaultMessage="As it stands on your bank card." />}
      />
      <DateField
        {...fields.field('fromDate')}
        required
        today={today}
        min={tomorrow}
        chips={[
          {
            text: intl.formatMessage(
              { id: 'billing.iban.soonest', defaultMessage: 'as soon as possible: {day}' },
              { day: formatDay(tomorrow) },
            ),
            day: tomorrow,
          },
        ]}
        label={<FormattedMessage id="billing.iban.start" defaultMessage="From when" />}
      />
      <Small>
        <FormattedMessage
          id="billing.iban.next"
          defaultMessage="We check the account and then change it, usually within 2 working days. By saving you allow us to collect from the new account."
        />
      </Small>
      <FormActions>
        <SaveButton busy={save.isPending} disabledReason={may.ok ? fields.disabledReason : may.reason} />
      </FormActions>
    </Form>
  );
}

/** Returns the server's errors, by field of this form. */
function errorsOf(problem: Problem, text: (p: { code: string }) => string): Wrong<Values> {
  const wrong: Wrong<Values> = {};
  for (const name of Object.keys(apiFields) as (keyof Values)[]) {
    const error = problem.errors?.find((e) => e.field === apiFields[name]);
    if (error) wrong[name] = text(error);
  }
  return wrong;
}

/** 8-iban-save: a rejected save shows the text of its code, a failed save offers a retry. */
function SaveFailed({ problem, busy, retry }: { problem: Problem | null; busy: boolean; retry(): void }) {
  const text = useProblemText();
  if (!problem) return null;
  if (problem.status >= 400 && problem.status < 500) {
    const title = text({ code: 'billing.ibanNotValid' });
    const reasons = new Set((problem.errors?.length ? problem.errors : [problem]).map(text));
    reasons.delete(title);
    return (
      <Alert title={title}>
        {[...reasons].map((reason) => (
          <div key={reason}>{reason}</div>
        ))}
        <FormattedMessage id="billing.iban.refused" defaultMessage="Nothing has been changed." />
      </Alert>
    );
  }
  return (
    <Alert
      title={<FormattedMessage id="billing.iban.failed" defaultMessage="Saving did not work; nothing has been changed" />}
      actions={
        <Button small icon="retry" loading={busy} onClick={retry}>
          <FormattedMessage id="billing.retry" defaultMessage="Try again" />
        </Button>
      }
    >
      <FormattedMessage id="billing.iban.failed_text" defaultMessage="What you filled in is still here. Try again." />
    </Alert>
  );
}

const Digits = styled.span`font-variant-numeric: tabular-nums; white-space: nowrap;`;
const Fields = styled.div`display: flex; flex-direction: column; gap: 24px;`;
