import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ProblemError } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { IntlProvider } from 'react-intl';
import { afterEach, describe, expect, vi } from 'vitest';
import kitEn from '../../ui/messages/en.json';
import kitNl from '../../ui/messages/nl.json';
import { type Shell, ShellContext } from '../context';
import en from '../messages/en.json';
import nl from '../messages/nl.json';
import type { Challenge } from '../session';
import { NewPassword, SignInForm } from './forms';
import { SignInCode } from './sign-in-code';
import type { View } from './view';

afterEach(cleanup);

const sms: Challenge = { challenge: 'SMS_MFA', session: 'opaque', destination: '+*******5678' };
const app: Challenge = { challenge: 'SOFTWARE_TOKEN_MFA', session: 'opaque' };

function show(challenge: Challenge | null, session: object, locale: 'nl' | 'en' = 'en') {
  const go = vi.fn<(v: View) => void>();
  const messages = locale === 'nl' ? { ...kitNl, ...nl } : { ...kitEn, ...en };
  render(
    <IntlProvider locale={locale} messages={messages}>
      <ShellContext value={{ session } as unknown as Shell}>
        {challenge ? (
          <SignInCode challenge={challenge} go={go} back={vi.fn()} />
        ) : (
          <SignInForm filled={{ username: 'anna' }} setFilled={vi.fn()} go={go} />
        )}
      </ShellContext>
    </IntlProvider>,
  );
  return go;
}
const refused = (status: number, code: string) => new ProblemError({ status, code, title: code });

describe('the code after the password', () => {
  row(['4-sign-in-code', '4-sign-in-views'], 'signing in opens the view of the challenge', async () => {
    for (const [challenge, name] of [
      [sms, 'sign-in-code'],
      [app, 'sign-in-code'],
      [{ challenge: 'NEW_PASSWORD_REQUIRED', session: 'opaque' } satisfies Challenge, 'new-password'],
    ] as const) {
      const go = show(null, { signIn: vi.fn(async () => challenge) });
      await userEvent.type(screen.getByLabelText('Password'), 'Secret-7');
      await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
      await waitFor(() => expect(go).toHaveBeenCalledWith({ name, challenge }));
      cleanup();
    }
  });

  row('4-sign-in-code', 'shows where the code was sent; the field is for one-time codes', () => {
    show(sms, {});
    expect(screen.getByText(/text message with a code to/)).toHaveTextContent('+*******5678');
    const field = screen.getByLabelText('Code');
    expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    expect(field).toHaveAttribute('inputmode', 'numeric');
    cleanup();
    show(app, {}, 'nl');
    expect(screen.getByText(/authenticator-app/)).toBeVisible();
  });

  row('4-sign-in-code', 'an empty code, a wrong one that stays to be corrected, the right one', async () => {
    const signInCode = vi.fn(async (_: string, code: string) => {
      if (code !== '123456') throw refused(400, 'code_invalid');
    });
    const go = show(app, { signInCode });
    const send = () => userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await send();
    expect(signInCode).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(/Fill in the code\./);
    await userEvent.type(screen.getByLabelText('Code'), '12345');
    await send();
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(/the app shows now/));
    expect(screen.getByLabelText('Code')).toHaveValue('12345');
    await userEvent.type(screen.getByLabelText('Code'), '6');
    await send();
    await waitFor(() => expect(signInCode).toHaveBeenLastCalledWith('opaque', '123456'));
    expect(go).not.toHaveBeenCalled();
  });

  row('4-sign-in-code', 'also after a temporary password was replaced, for both kinds of code', async () => {
    for (const next of [sms, app]) {
      const go = vi.fn<(v: View) => void>();
      const newPassword = vi.fn(async () => next);
      render(
        <IntlProvider locale="en" messages={{ ...kitEn, ...en }}>
          <ShellContext value={{ session: { newPassword } } as unknown as Shell}>
            <NewPassword challenge={{ challenge: 'NEW_PASSWORD_REQUIRED', session: 'first' }} go={go} back={vi.fn()} />
          </ShellContext>
        </IntlProvider>,
      );
      for (const field of screen.getAllByLabelText(/password/i, { selector: 'input' }))
        fireEvent.change(field, { target: { value: 'Battery-Staple-8' } });
      await userEvent.click(screen.getByRole('button', { name: 'Save and sign in' }));
      await waitFor(() => expect(go).toHaveBeenCalledWith({ name: 'sign-in-code', challenge: next }));
      expect(newPassword).toHaveBeenCalledWith('first', 'Battery-Staple-8');
      cleanup();
    }
  });

  row('4-sign-in-code', 'a challenge that goes on asks for the next thing, other errors stay at the field', async () => {
    const go = show(app, { signInCode: vi.fn(async () => sms) });
    await userEvent.type(screen.getByLabelText('Code'), '123456');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(go).toHaveBeenCalledWith({ name: 'sign-in-code', challenge: sms }));
    cleanup();
    const stays = show(sms, { signInCode: vi.fn(async () => Promise.reject(refused(429, 'attempts_exceeded'))) });
    await userEvent.type(screen.getByLabelText('Code'), '123456');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled());
    expect(stays).not.toHaveBeenCalled();
  });

  row('4-sign-in-code', 'an expired challenge leads back to signing in and explains why', async () => {
    const go = show(sms, { signInCode: vi.fn(async () => Promise.reject(refused(401, 'session_expired'))) });
    await userEvent.type(screen.getByLabelText('Code'), '123456');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(go).toHaveBeenCalledWith(expect.objectContaining({ name: 'sign-in', notice: expect.anything() })));
  });
});
