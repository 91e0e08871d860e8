import { ProblemError } from '@wattle/sdk/host';
import { Button, Form, type FormError, LinkLook, Notice, PasswordField, SaveButton, TextField } from '@wattle/ui/start';
import { type ReactElement, type ReactNode, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { useShell } from '../context';
import { problemOf } from '../problem-text';
import type { Challenge } from '../session';
import type { View } from './view';

export interface FirstFilled {
  username: string;
}
export interface Navigation {
  go(v: View): void;
  back(): void;
}
type SharedInput = { filled: FirstFilled; setFilled(f: FirstFilled): void };

/** The field for an error code of identity; other codes concern the whole form. */
const fieldOf: Record<string, string> = {
  empty_username: 'username',
  empty_password: 'password',
  empty_code: 'code',
  code_invalid: 'code',
  password_policy: 'password',
  password_common: 'password',
  password_from_name: 'password',
  password_from_username: 'password',
  password_from_email: 'password',
  password_from_label: 'password',
};
export interface FormErrorCode {
  field?: string;
  code: string;
}

/**
 * Sends a form: validates it first, then shows the server's errors. It keeps the input. `texts` override the texts of error codes
 * for this form.
 */
export function useSending(check: () => FormErrorCode[], send: () => Promise<void>, texts: Record<string, string> = {}) {
  const intl = useIntl();
  const [wrong, setWrong] = useState<FormErrorCode[]>([]);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const now = check();
    setWrong(now);
    if (now.length > 0) return;
    setBusy(true);
    try {
      await send();
    } catch (cause) {
      if (!(cause instanceof ProblemError)) throw cause;
      const field = fieldOf[cause.code];
      setWrong([
        { code: cause.code, ...(field ? { field } : {}) },
        ...(cause.errors ?? [])
          .filter((e) => e.code !== cause.code)
          .map((e) => ({ field: e.field.replace(/^.*\./, ''), code: e.code })),
      ]);
    } finally {
      setBusy(false);
    }
  };
  const text = (w: FormErrorCode) => texts[w.code] ?? problemOf(intl, w);
  return {
    busy,
    submit: () => void submit(),
    errors: wrong.map((w): FormError => ({ text: text(w), ...(w.field ? { field: w.field } : {}) })),
    error: (field: string): string | undefined => {
      const found = wrong.find((w) => w.field === field);
      return found && text(found);
    },
    forget: () => setWrong([]),
  };
}

const control = /\p{Cc}/u;
/** 8-id-empty-fields, 8-id-invalid-chars: the validation that does not need the server. */
export function checkField(field: 'username' | 'password' | 'code', value: string): FormErrorCode[] {
  if ((field === 'password' ? value : value.trim()) === '') return [{ field, code: `empty_${field}` }];
  if (control.test(value) || [...value].length > 128) return [{ field, code: 'invalid_characters' }];
  return [];
}
/** 8-id-password-policy */
export const meetsPasswordPolicy = (password: string): boolean =>
  [...password].length >= 8 && /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password) && /\d/.test(password);

/** Returns the view for a challenge. */
export const viewOf = (challenge: Challenge): View => ({
  name: challenge.challenge === 'NEW_PASSWORD_REQUIRED' ? 'new-password' : 'sign-in-code',
  challenge,
});

export function SignInForm({ filled, setFilled, go }: SharedInput & Pick<Navigation, 'go'>): ReactElement {
  const intl = useIntl();
  const { session } = useShell();
  const [password, setPassword] = useState('');
  const form = useSending(
    () => [...checkField('username', filled.username), ...checkField('password', password)],
    async () => {
      const challenge = await session.signIn(filled.username, password);
      if (challenge) go(viewOf(challenge));
    },
  );
  return (
    <Form onSubmit={form.submit} errors={form.errors} busy={form.busy}>
      <TextField
        name="username"
        label={intl.formatMessage({ id: 'shell.username', defaultMessage: 'Username' })}
        value={filled.username}
        onChange={(username) => setFilled({ username })}
        error={form.error('username')}
        autoComplete="username"
        spellCheck={false}
        required
      />
      <div>
        <PasswordField
          name="password"
          label={intl.formatMessage({ id: 'shell.password', defaultMessage: 'Password' })}
          value={password}
          onChange={setPassword}
          error={form.error('password')}
          autoComplete="current-password"
          required
        />
        <Under>
          <LinkLook onClick={() => go({ name: 'forgot' })}>
            <FormattedMessage id="shell.forgot" defaultMessage="Forgotten your password?" />
          </LinkLook>
        </Under>
      </div>
      <Button type="submit" variant="primary" wide loading={form.busy}>
        <FormattedMessage id="shell.sign_in" defaultMessage="Sign in" />
      </Button>
    </Form>
  );
}

/** 2.4-forgot-password, first step: request a code. */
export function Forgot({ filled, setFilled, go, back }: SharedInput & Navigation): ReactElement {
  const intl = useIntl();
  const { session } = useShell();
  const form = useSending(
    () => checkField('username', filled.username),
    async () => {
      await session.forgotPassword(filled.username);
      go({ name: 'code', username: filled.username });
    },
  );
  return (
    <Form onSubmit={form.submit} errors={form.errors} busy={form.busy}>
      <p>
        <FormattedMessage
          id="shell.forgot.text"
          defaultMessage="Fill in your username. We send a code to the email address that we know of you."
        />
      </p>
      <TextField
        name="username"
        label={intl.formatMessage({ id: 'shell.username', defaultMessage: 'Username' })}
        value={filled.username}
        onChange={(username) => setFilled({ username })}
        error={form.error('username')}
        autoComplete="username"
        spellCheck={false}
        required
      />
      <Button type="submit" variant="primary" wide loading={form.busy}>
        <FormattedMessage id="shell.forgot.send" defaultMessage="Send code" />
      </Button>
      <Back back={back} />
    </Form>
  );
}

interface Pair {
  password: string;
  again: string;
}

/** Two fields for a new password; different values show an error and block the button (5.5-new-password-mismatch). */
function useNewPasswordFields() {
  const intl = useIntl();
  const [pair, setPair] = useState<Pair>({ password: '', again: '' });
  const unequal = pair.again !== '' && pair.password !== pair.again;
  const mismatch = intl.formatMessage({ id: 'shell.password.mismatch', defaultMessage: 'The passwords are not the same.' });
  const disabledReason = unequal
    ? mismatch
    : pair.password === '' || pair.again === ''
      ? intl.formatMessage({ id: 'shell.password.both', defaultMessage: 'Fill in the new password twice.' })
      : undefined;
  const empty = (['password', 'again'] as const).filter((name) => pair[name] === '');
  const toCorrect = unequal ? ['again'] : empty;
  const check = (): FormErrorCode[] => {
    const first = checkField('password', pair.password);
    return first.length > 0 ? first : meetsPasswordPolicy(pair.password) ? [] : [{ field: 'password', code: 'password_policy' }];
  };
  const fields = (error: string | undefined): ReactNode => (
    <>
      <PasswordField
        name="password"
        label={intl.formatMessage({ id: 'shell.password.new', defaultMessage: 'New password' })}
        hint={intl.formatMessage({
          id: 'shell.password.policy',
          defaultMessage: 'At least 8 characters, with lowercase, uppercase and digits.',
        })}
        value={pair.password}
        onChange={(password) => setPair({ ...pair, password })}
        error={error}
        autoComplete="new-password"
        required
      />
      <PasswordField
        name="again"
        label={intl.formatMessage({ id: 'shell.password.again', defaultMessage: 'Repeat the new password' })}
        value={pair.again}
        onChange={(again) => setPair({ ...pair, again })}
        error={unequal ? mismatch : undefined}
        autoComplete="new-password"
        required
      />
    </>
  );
  return { pair, save: { disabledReason, fields: toCorrect }, check, fields };
}

/** 2.4-forgot-password, second step: enter the code and a new password. */
export function SetPassword({ username, go, back }: Navigation & { username: string }): ReactElement {
  const intl = useIntl();
  const { session } = useShell();
  const [code, setCode] = useState('');
  const [sentAgain, setSentAgain] = useState(false);
  const { pair, save, check, fields } = useNewPasswordFields();
  const form = useSending(
    () => [...checkField('code', code), ...check()],
    async () => {
      await session.confirmForgotPassword(username, code, pair.password);
      go({
        name: 'sign-in',
        notice: (
          <Notice tone="positive" live>
            <FormattedMessage id="shell.code.done" defaultMessage="Your password has been changed. Sign in with the new one." />
          </Notice>
        ),
      });
    },
  );
  const again = useSending(
    () => [],
    async () => {
      await session.forgotPassword(username);
      setSentAgain(true);
    },
  );
  return (
    <Form onSubmit={form.submit} errors={[...form.errors, ...again.errors]} busy={form.busy}>
      <p>
        <FormattedMessage
          id="shell.code.text"
          defaultMessage="If we know this username, there is now an email with a code on its way. It can take a few minutes."
        />
      </p>
      <TextField
        name="code"
        label={intl.formatMessage({ id: 'shell.code', defaultMessage: 'Code from the email' })}
        value={code}
        onChange={setCode}
        error={form.error('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        width={200}
        required
      />
      {fields(form.error('password'))}
      <SaveButton busy={form.busy} {...save} wide>
        <FormattedMessage id="shell.code.save" defaultMessage="Change password" />
      </SaveButton>
      <Links>
        <LinkLook onClick={again.submit}>
          <FormattedMessage id="shell.code.again" defaultMessage="Send a new code" />
        </LinkLook>
        <span role="status">
          {sentAgain && intl.formatMessage({ id: 'shell.code.sent_again', defaultMessage: 'A new code is on its way.' })}
        </span>
      </Links>
      <Back back={back} />
    </Form>
  );
}

/** 2.4-require-new-password: replaces a temporary password before the session starts. */
export function NewPassword({ challenge, go, back }: Navigation & { challenge: Challenge }): ReactElement {
  const { session } = useShell();
  const { pair, save, check, fields } = useNewPasswordFields();
  const form = useSending(check, async () => {
    try {
      const next = await session.newPassword(challenge.session, pair.password);
      if (next) go(viewOf(next));
    } catch (cause) {
      if (!(cause instanceof ProblemError) || cause.code !== 'session_expired') throw cause;
      go({ name: 'sign-in', notice: <Expired /> }); // the challenge has expired: the customer must sign in again
    }
  });
  return (
    <Form onSubmit={form.submit} errors={form.errors} busy={form.busy}>
      <p>
        <FormattedMessage
          id="shell.new_password.text"
          defaultMessage="You signed in with a temporary password. Choose your own; from then on you sign in with that."
        />
      </p>
      {fields(form.error('password'))}
      <SaveButton busy={form.busy} {...save} wide>
        <FormattedMessage id="shell.new_password.save" defaultMessage="Save and sign in" />
      </SaveButton>
      <Back back={back} />
    </Form>
  );
}

export function Expired(): ReactElement {
  return (
    <Notice tone="warning" live>
      {problemOf(useIntl(), { code: 'session_expired' })}
    </Notice>
  );
}

export function Back({ back }: Pick<Navigation, 'back'>): ReactElement {
  return (
    <div>
      <LinkLook onClick={back}>
        <FormattedMessage id="shell.back_to_sign_in" defaultMessage="Back to sign in" />
      </LinkLook>
    </div>
  );
}

const Under = styled.div`margin-top: 8px;`;
const Links = styled.div`display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--w-text-quiet);`;
