import { type Problem, useNavigate, useNotify, useParams, usePortal, useProblemText } from '@wattle/sdk';
import { Alert, Button, LinkButton, Page, Result, Skeleton } from '@wattle/ui';
import { Form, FormActions, SaveButton, useFields, type Wrong } from '@wattle/ui/forms';
import { useCallback, useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { type LookupAddress, unknownAddressFields, useAddressCheck, useLookUp } from './address-check';
import { AddressFields } from './address-fields';
import { api } from './api';
import { Column } from './column';
import { type State, stateOf } from './reactivation.rules';
import { useFieldText } from './use-field-text';
import { checkZipCode, normalizeZipCode } from './zip-code.rules';

/**
 * 2.4-reactivation-page: sends the token in the path on load, without signing in. After a 404 it asks for the address
 * (2.4-reactivation-address-reconcile).
 */
export default function ReactivationPage() {
  const { token = '' } = useParams();
  const { mutateAsync: finish } = api.useWrite('post', '/reactivate/finish/{token}', { changes: [] }); // 7.5-reactivate-finish-reconcile
  const failed = useFailedToast();
  const [state, setState] = useState<State>('loading');
  const [problem, setProblem] = useState<Problem>();
  const begun = useRef<string>(undefined);
  const run = useCallback(() => {
    setState('loading');
    finish({ path: { token }, body: undefined }).then(
      () => setState('reactivated'),
      (cause: Problem) => {
        const next = stateOf(cause.status);
        setProblem(cause);
        setState(next);
        if (next !== 'already') failed();
      },
    );
  }, [finish, token, failed]);
  useEffect(() => {
    if (begun.current === token) return; // the link works only once
    begun.current = token;
    run();
  }, [run, token]);
  if (state === 'loading')
    return (
      <Page title={<FormattedMessage id="onboarding.reactivation.title" defaultMessage="Reactivate your account" />}>
        <p role="status">
          <FormattedMessage id="onboarding.reactivation.loading" defaultMessage="One moment, we are checking the link." />
        </p>
        <Skeleton shape="text" count={2} />
      </Page>
    );
  if (problem?.status === 404)
    return (
      <AddressPage
        token={token}
        onOver={(cause) => {
          setProblem(cause);
          setState(stateOf(cause.status));
        }}
      />
    );
  return <Outcome state={state} {...(problem && canRetry(problem) ? { again: run } : {})} />;
}

/** Returns whether the same link may work later: there was no response, or one that does not reject the link. */
const canRetry = ({ status }: Problem): boolean => status === 0 || status === 429 || status >= 500;

/** 8-reactivation-failed */
function useFailedToast(): () => void {
  const intl = useIntl();
  const notify = useNotify();
  return useCallback(
    () =>
      notify({
        kind: 'alert',
        tone: 'bad',
        at: 'top',
        text: intl.formatMessage({
          id: 'onboarding.reactivation.failed_toast',
          defaultMessage: 'Your account has not been reactivated.',
        }),
      }),
    [intl, notify],
  );
}

function Outcome({ state, again }: { state: Exclude<State, 'loading'>; again?: () => void }) {
  const signIn = (
    <LinkButton href="/" variant={again ? 'secondary' : 'primary'}>
      <FormattedMessage id="onboarding.to_sign_in" defaultMessage="To sign in" />
    </LinkButton>
  );
  return (
    <Column>
      {state === 'reactivated' && (
        <Result
          title={<FormattedMessage id="onboarding.reactivation.done" defaultMessage="Your account is active again" />}
          actions={signIn}
        >
          <FormattedMessage
            id="onboarding.reactivation.done_text"
            defaultMessage="We have emailed you a temporary password. Sign in with it; then you choose a password of your own."
          />
        </Result>
      )}
      {state === 'already' && (
        <Result
          title={<FormattedMessage id="onboarding.reactivation.already" defaultMessage="Your account was already active again" />}
          actions={signIn}
        >
          <FormattedMessage
            id="onboarding.reactivation.already_text"
            defaultMessage="You need not do anything more: the temporary password is in the email that we sent you then."
          />
        </Result>
      )}
      {state === 'failed' && (
        <Result
          tone="bad"
          title={<FormattedMessage id="onboarding.reactivation.failed" defaultMessage="We could not reactivate your account" />}
          actions={
            <>
              {again && (
                <Button icon="retry" variant="primary" onClick={again}>
                  <FormattedMessage id="onboarding.retry" defaultMessage="Try again" />
                </Button>
              )}
              {signIn}
            </>
          }
        >
          {again ? (
            <FormattedMessage
              id="onboarding.reactivation.down_text"
              defaultMessage="We cannot be reached right now. Your link stays good; try again in a few minutes."
            />
          ) : (
            <FormattedMessage
              id="onboarding.reactivation.failed_text"
              defaultMessage="The link is not right or too old. Have a new one sent: choose “Activate your account” where you sign in."
            />
          )}
        </Result>
      )}
    </Column>
  );
}

const nothing: LookupAddress = { zip_code: '', house_number: '', house_number_extension: '' };
const names: (keyof LookupAddress)[] = ['zip_code', 'house_number', 'house_number_extension'];

/** 2.4-reactivation-address: sends the address of the account with the token, then shows the pending page. */
function AddressPage({ token, onOver }: { token: string; onOver(problem: Problem): void }) {
  const intl = useIntl();
  const text = useProblemText();
  const navigate = useNavigate();
  const { label } = usePortal();
  const failed = useFailedToast();
  const begin = api.useWrite('post', '/reactivate/begin', { changes: [] });
  // The last rejected address; initially the empty one, because the first request had no address.
  const [refused, setRefused] = useState(nothing);
  const address = useAddressCheck();
  const textAt = useFieldText();
  // 8-reactivation-404
  const unknown = (values: LookupAddress): (keyof LookupAddress)[] => {
    if (names.every((name) => values[name] === refused[name])) return names;
    return address.of(values).state === 'unknown' ? unknownAddressFields(values) : [];
  };
  const fields = useFields<LookupAddress>({
    changes: false, // the form starts empty
    initial: nothing,
    check: (values) => {
      const zip = normalizeZipCode(values.zip_code);
      const [code] = zip === '' ? ['required'] : checkZipCode(zip);
      const wrong: Wrong<LookupAddress> = {
        zip_code: code && textAt('zip_code', code),
        house_number: values.house_number.trim() === '' ? textAt('house_number', 'required') : undefined,
      };
      for (const name of unknown(values)) wrong[name] ??= text({ code: 'onboarding.address_unknown' });
      return wrong;
    },
  });
  useLookUp(address, fields.values);
  const submit = (values: LookupAddress) =>
    begin.mutate(
      {
        body: {
          token,
          labelKey: label.key,
          zip_code: normalizeZipCode(values.zip_code),
          house_number: values.house_number.trim(),
          house_number_extension: values.house_number_extension.trim(),
        },
      },
      {
        onSuccess: () => navigate('/pending-page', { replace: true, state: { asked: 'reactivation' } }),
        onError: (problem) => {
          if (problem.status === 404) setRefused(values);
          // the link has been used or has expired, so another address would not help
          if (problem.status === 410 || problem.status === 412) onOver(problem);
          if (problem.status !== 412) failed();
        },
      },
    );
  return (
    <Page
      width="form"
      title={<FormattedMessage id="onboarding.reactivation.title" defaultMessage="Reactivate your account" />}
      sentence={
        <FormattedMessage
          id="onboarding.reactivation.address"
          defaultMessage="One thing more: fill in the address where we deliver to you, so that we know that it is you."
        />
      }
    >
      <Form busy={begin.isPending} {...fields.form(submit)}>
        {begin.error && begin.error.status !== 404 && (
          <Alert title={intl.formatMessage({ id: 'onboarding.reactivation.not_sent', defaultMessage: 'This could not be sent' })}>
            {text(begin.error)}
          </Alert>
        )}
        <AddressFields fields={fields} values={fields.values} check={address} unknown={unknown(fields.values)} />
        <FormActions>
          <SaveButton busy={begin.isPending} disabledReason={fields.disabledReason}>
            <FormattedMessage id="onboarding.reactivation.send" defaultMessage="Continue" />
          </SaveButton>
        </FormActions>
      </Form>
    </Page>
  );
}
