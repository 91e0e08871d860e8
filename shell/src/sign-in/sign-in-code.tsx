import { ProblemError } from '@wattle/sdk/host';
import { Form, SaveButton, TextField } from '@wattle/ui/start';
import { type ReactElement, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { useShell } from '../context';
import type { Challenge } from '../session';
import { Back, checkField, Expired, type Navigation, useSending, viewOf } from './forms';

/** 4-sign-in-code: asks for the code from a text message or an authenticator app, after the password. */
export function SignInCode({ challenge, go, back }: Navigation & { challenge: Challenge }): ReactElement {
  const intl = useIntl();
  const { session } = useShell();
  const [code, setCode] = useState('');
  const sent = challenge.challenge === 'SMS_MFA';
  const form = useSending(
    () => checkField('code', code),
    async () => {
      try {
        const next = await session.signInCode(challenge.session, code);
        if (next) go(viewOf(next));
      } catch (cause) {
        if (!(cause instanceof ProblemError) || cause.code !== 'session_expired') throw cause;
        go({ name: 'sign-in', notice: <Expired /> }); // the challenge has expired: signing in again creates a new one
      }
    },
    {
      empty_code: intl.formatMessage({ id: 'shell.sign_in_code.empty', defaultMessage: 'Fill in the code.' }),
      code_invalid: sent
        ? intl.formatMessage({
            id: 'shell.sign_in_code.wrong_sms',
            defaultMessage: 'This code is not right. Check the newest text message and try again.',
          })
        : intl.formatMessage({
            id: 'shell.sign_in_code.wrong_app',
            defaultMessage: 'This code is not right. Fill in the code that the app shows now.',
          }),
    },
  );
  return (
    <Form onSubmit={form.submit} errors={form.errors} busy={form.busy}>
      <p>
        {!sent ? (
          <FormattedMessage
            id="shell.sign_in_code.app"
            defaultMessage="Open your authenticator app and fill in the code that it shows for this account."
          />
        ) : challenge.destination ? (
          <FormattedMessage
            id="shell.sign_in_code.sms_to"
            defaultMessage="We sent a text message with a code to {number}. It can take a minute to arrive."
            values={{ number: <span dir="ltr">{challenge.destination}</span> }}
          />
        ) : (
          <FormattedMessage
            id="shell.sign_in_code.sms"
            defaultMessage="We sent you a text message with a code. It can take a minute to arrive."
          />
        )}
      </p>
      <TextField
        name="code"
        label={intl.formatMessage({ id: 'shell.sign_in_code.code', defaultMessage: 'Code' })}
        value={code}
        onChange={setCode}
        error={form.error('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        width={200}
        required
      />
      <SaveButton busy={form.busy} wide>
        <FormattedMessage id="shell.sign_in" defaultMessage="Sign in" />
      </SaveButton>
      <Back back={back} />
    </Form>
  );
}
