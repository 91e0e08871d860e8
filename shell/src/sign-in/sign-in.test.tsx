import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Manifest, ProblemError } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import type { Label } from '../portal';
import type { Challenge } from '../session';
import { drawInShell, type ShellSpec, setWidth } from '../test-shell';
import { SignIn } from './sign-in';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const target = { url: 'https://mijn.elders.example', name: 'Elders' };
const show = (spec: ShellSpec = {}) => {
  setWidth(1280);
  return drawInShell(<SignIn />, { session: null, ...spec });
};
const heading = () => document.querySelector('h1')?.textContent;
const press = (name: string) =>
  act(async () => void fireEvent.click(screen.getByText(name, { selector: 'main button, main button *' })));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

row(['4-sign-in-views', '2.4-sign-in-form'], 'five views, each with its title, that lead to each other and back', async () => {
  let challenge: Challenge | undefined;
  const reactivate = { id: 'reactivate', order: 1, title: { id: 'm.reactivate', defaultMessage: 'Reactivate account' } };
  show({
    manifest: { slots: { 'sign-in': [reactivate] } } as unknown as Partial<Manifest>,
    remote: {
      slots: { 'sign-in': [{ ...reactivate, view: async () => ({ default: () => <p>a link by mail</p> }) }] },
    } as never,
    does: { signIn: async () => challenge },
  });
  expect(heading()).toBe('Sign in');
  expect(screen.getByLabelText('Username')).toBeVisible();
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  await press('Forgotten your password?');
  expect(heading()).toBe('Forgotten your password?');
  expect(screen.queryByLabelText('Password')).toBeNull();
  await press('Back to sign in');
  expect(heading()).toBe('Sign in');
  await press('Reactivate account');
  expect(heading()).toBe('Reactivate account');
  expect(await screen.findByText('a link by mail')).toBeVisible();
  expect(screen.queryByLabelText('Username')).toBeNull();
  cleanup();
  for (const [name, title, field] of [
    ['NEW_PASSWORD_REQUIRED', 'Choose your own password', 'New password'],
    ['SOFTWARE_TOKEN_MFA', 'Fill in your code', 'Code'],
    ['SMS_MFA', 'Fill in your code', 'Code'],
  ] as const) {
    challenge = { challenge: name, session: 'opaque' };
    show({ does: { signIn: async () => challenge } });
    type('Username', 'anna');
    type('Password', 'Secret-7');
    await press('Sign in');
    expect(heading(), name).toBe(title);
    expect(screen.getByLabelText(field), name).toBeVisible();
    expect(screen.queryByLabelText('Username'), name).toBeNull();
    await press('Back to sign in');
    expect(heading(), name).toBe('Sign in');
    cleanup();
  }
});

row(['face-skip-link', '1-language-switch'], 'the first tab stop leads to the content, and the language can be changed', () => {
  for (const label of [{}, { migrated: { ...target, form: false } }]) {
    show({ label });
    const [first] = document.querySelectorAll('a, button, input');
    expect(first).toHaveAttribute('href', '#content');
    expect(document.querySelector('main#content')).not.toBeNull();
    for (const name of ['NL, Nederlands', 'EN, English'])
      expect(document.querySelector(`button[aria-label="${name}"]`), name).not.toBeNull();
    cleanup();
  }
});

row('2.4-forgot-password', 'asks for a code first, and then for that code with a new password', async () => {
  const forgotPassword = vi.fn(async () => undefined);
  const confirmForgotPassword = vi.fn(async () => undefined);
  show({ does: { forgotPassword, confirmForgotPassword } });
  type('Username', 'anna');
  await press('Forgotten your password?');
  expect(screen.queryByLabelText('New password'), 'not before the code').toBeNull();
  await press('Send code');
  expect(forgotPassword.mock.calls).toEqual([['anna']]);
  expect(heading()).toBe('Choose a new password');
  type('Code from the email', '123456');
  for (const label of ['New password', 'Repeat the new password']) type(label, 'Nieuw-2026');
  expect(confirmForgotPassword).not.toHaveBeenCalled();
  await press('Change password');
  expect(confirmForgotPassword.mock.calls).toEqual([['anna', '123456', 'Nieuw-2026']]);
  expect(heading()).toBe('Sign in');
  expect(screen.getByText('Your password has been changed. Sign in with the new one.')).toBeVisible();
});

row(
  '4-impersonator-referrer',
  'what ended the session is explained above the form; without such a reason there is nothing',
  () => {
    const ended = () => screen.queryByText(/signed out: you did not come from a support tool/);
    show({ startProblem: 'impersonation_referrer' });
    expect(ended()).toBeVisible();
    expect(screen.getByLabelText('Username')).toBeVisible();
    cleanup();
    show({ startProblem: 'session_expired' });
    expect(ended()).toBeNull();
    cleanup();
    show();
    expect(ended()).toBeNull();
  },
);

const texts = ['Your details and invoices are now in our new portal.', 'Our new portal is on its way.'];
/** Returns the content of the sign-in page for a label that has moved, or has not: fields, texts, and the target of its link. */
const shown = (migrated: NonNullable<Label['migrated']> | null) => {
  show({ label: { migrated } });
  const found = {
    fields: screen.queryAllByLabelText(/^(Username|Password)$/).length,
    texts: texts.filter((t) => screen.queryByText(t, { exact: false })),
    link: screen.queryByText('Go to Elders')?.getAttribute('href'),
  };
  cleanup();
  return found;
};

row('9-brand-buttons', 'the link of a label that has moved looks like a button, and has its corners', () => {
  document.documentElement.style.setProperty('--w-radius-button', '7px');
  show({ label: { migrated: { ...target, form: false } } });
  expect(getComputedStyle(screen.getByText('Go to Elders')).borderRadius).toBe('7px');
  document.documentElement.style.removeProperty('--w-radius-button');
});

row(['1-migrated-labels', '1-migrated-test-host'], 'a link and no form on a live host; the form on a test host', () => {
  expect(shown({ ...target, form: false }), 'live').toEqual({ fields: 0, texts: [texts[0]], link: target.url });
  expect(shown({ ...target, form: true }), 'test').toEqual({ fields: 2, texts: [texts[1]], link: target.url });
  expect(shown(null), 'a label that has not moved').toEqual({ fields: 2, texts: [], link: undefined });
});

row('9-migrated-here', 'the text says that they sign in on this page, in both languages', () => {
  for (const [locale, text] of [
    ['en', 'Our new portal is on its way. Until then you sign in on this page. Go to Elders'],
    ['nl', 'Ons nieuwe portaal komt eraan. Tot die tijd log je op deze pagina in. Naar Elders'],
  ] as const) {
    show({ label: { migrated: { ...target, form: true } }, locale });
    expect(screen.getByRole('link', { name: /Elders$/ }).closest('div'), locale).toHaveTextContent(text);
    cleanup();
  }
});

row(
  ['1-migrated-1024', '1-migrated-1024-reconcile'],
  'the text of a label that keeps its form is another one than that of a label without, next to a form that signs in',
  async () => {
    const [closed, open] = [shown({ ...target, form: false }), shown({ ...target, form: true })];
    expect(open.texts).not.toEqual(closed.texts);
    const signIn = vi.fn(async () => undefined);
    show({ label: { migrated: { ...target, form: true } }, does: { signIn } });
    const text = screen.getByText(/Our new portal is on its way/);
    expect(text).toBeVisible();
    const after = screen.getByLabelText('Password').compareDocumentPosition(text);
    expect(after, '1-migrated-1024-reconcile: the form is first').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    type('Username', 'anna');
    type('Password', 'Secret-7');
    await press('Sign in');
    expect(signIn.mock.calls).toEqual([['anna', 'Secret-7']]);
  },
);

row(['5.10-enter-submits', '8-id-empty-fields'], 'Enter in either field submits; empty fields have a text each', async () => {
  const signIn = vi.fn(async () => undefined);
  show({ does: { signIn } });
  await userEvent.type(screen.getByLabelText('Username'), '{Enter}');
  expect(signIn).not.toHaveBeenCalled();
  expect(screen.getByLabelText('Username')).toHaveAccessibleDescription(/Fill in your username\./);
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/Fill in your password\./);
  type('Password', 'Secret-7');
  type('Username', 'anna');
  await userEvent.type(screen.getByLabelText('Username'), '{Enter}');
  expect(signIn.mock.calls).toEqual([['anna', 'Secret-7']]);
  await userEvent.type(screen.getByLabelText('Password'), '{Enter}');
  expect(signIn).toHaveBeenCalledTimes(2);
});

row(
  [
    '8-id-wrong-credentials',
    '8-id-temp-expired',
    '8-id-invalid-code',
    '8-id-invalid-chars',
    '8-id-password-policy',
    '8-id-attempts',
    '8-id-session-expired',
    '8-id-cannot-reset',
    '8-id-mail-timeout',
    '8-id-pre-login',
  ],
  'what the server refuses is said in the form that was sent, each code in its own words',
  async () => {
    const words: Record<string, string> = {
      wrong_credentials: 'We cannot sign you in: username or password incorrect.',
      temp_password_expired: 'Your temporary password has expired. Contact customer service for a new one.',
      invalid_characters: 'This field holds characters that we do not accept, or more than 128 characters.',
      attempts_exceeded: 'Too many attempts. Wait a quarter of an hour and try again.',
      pre_login_rejected: 'You cannot log in to this portal. Contact customer service.',
      mail_timeout: 'Sending the email took too long. Try again in a few minutes.',
      code_invalid: 'This code is not right, or it is too old. Check the email or ask for a new code.',
      password_policy: 'Choose a password of at least 8 characters, with lowercase letters, uppercase letters and digits.',
      cannot_reset_password: 'Your password cannot be reset yet. First sign in with the temporary password that we sent you.',
      session_expired: 'Your session has expired. Sign in again.',
    };
    const said = () => Object.keys(words).filter((code) => screen.queryAllByText(words[code] as string).length > 0);
    let code: string | undefined;
    const answer = async () => {
      if (code) throw new ProblemError({ status: 400, code, title: code });
    };
    const refuses = async (button: string, codes: readonly string[]) => {
      for (code of codes) {
        await press(button);
        expect(said(), `${button}: ${code}`).toEqual([code]);
      }
      code = undefined;
    };
    show({ does: { signIn: answer, forgotPassword: answer, confirmForgotPassword: answer } });
    type('Username', 'anna');
    type('Password', 'Secret-7');
    await refuses('Sign in', [
      'wrong_credentials',
      'temp_password_expired',
      'invalid_characters',
      'attempts_exceeded',
      'pre_login_rejected',
    ]);
    await press('Forgotten your password?');
    await refuses('Send code', ['invalid_characters', 'attempts_exceeded', 'mail_timeout']);
    await press('Send code');
    type('Code from the email', '123456');
    for (const label of ['New password', 'Repeat the new password']) type(label, 'Nieuw-2026');
    await refuses('Change password', ['code_invalid', 'password_policy', 'cannot_reset_password', 'attempts_exceeded']);
    cleanup();
    const challenge = { challenge: 'NEW_PASSWORD_REQUIRED', session: 'opaque' } as const;
    show({ does: { signIn: async () => challenge, newPassword: answer } });
    type('Username', 'anna');
    type('Password', 'Secret-7');
    await press('Sign in');
    for (const label of ['New password', 'Repeat the new password']) type(label, 'Nieuw-2026');
    await refuses('Save and sign in', ['password_policy', 'session_expired']);
    expect(heading()).toBe('Sign in');
  },
);
