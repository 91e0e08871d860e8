import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ProblemError } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import type { ReactElement } from 'react';
import { IntlProvider } from 'react-intl';
import { afterEach, expect, vi } from 'vitest';
import kitEn from '../../ui/messages/en.json';
import { type Shell, ShellContext } from '../context';
import en from '../messages/en.json';
import { NewPassword, SetPassword } from './forms';

afterEach(cleanup);

const reasons = [
  ['password_common', /on a list of common passwords/],
  ['password_from_name', /built from your name/],
  ['password_from_username', /built from your username/],
  ['password_from_email', /built from your email address/],
  ['password_from_label', /built from our name/],
] as const;

row(
  ['5.5-password-common', '5.5-password-personal'],
  'both forms of the sign-in screen show the reason at the new password, which stays',
  async () => {
    let code = '';
    const refuse = vi.fn(async () => {
      throw new ProblemError({ status: 400, code, title: code, errors: [{ field: 'new_password', code }] });
    });
    const session = { newPassword: refuse, confirmForgotPassword: refuse };
    const navigation = { go: vi.fn(), back: vi.fn() };
    const challenge = { challenge: 'NEW_PASSWORD_REQUIRED', session: 'opaque' } as const;
    const show = (form: ReactElement) =>
      render(
        <IntlProvider locale="en" messages={{ ...kitEn, ...en }}>
          <ShellContext value={{ session } as unknown as Shell}>{form}</ShellContext>
        </IntlProvider>,
      );
    const field = () => screen.getByLabelText('New password');
    for (const [form, button] of [
      [<NewPassword key="new" challenge={challenge} {...navigation} />, 'Save and sign in'],
      [<SetPassword key="set" username="anna" {...navigation} />, 'Change password'],
    ] as const) {
      show(form);
      const mailed = screen.queryByLabelText('Code from the email');
      if (mailed) await userEvent.type(mailed, '123456');
      for (const label of ['New password', 'Repeat the new password'])
        await userEvent.type(screen.getByLabelText(label), 'Welkom-2026');
      for (const [next, why] of reasons) {
        code = next;
        await userEvent.click(screen.getByRole('button', { name: button }));
        await waitFor(() => expect(field()).toHaveAccessibleDescription(why));
        expect(field()).toHaveValue('Welkom-2026');
      }
      cleanup();
    }
    expect(refuse).toHaveBeenCalledTimes(2 * reasons.length);
    expect(navigation.go).not.toHaveBeenCalled();
  },
);

row(
  ['5.5-new-password-mismatch', '8-id-password-policy'],
  'on both forms an unequal confirmation has a message and bars the button, and so does a weak password',
  async () => {
    const sent = vi.fn(async () => undefined);
    const session = { newPassword: sent, confirmForgotPassword: sent };
    const navigation = { go: vi.fn(), back: vi.fn() };
    const challenge = { challenge: 'NEW_PASSWORD_REQUIRED', session: 'opaque' } as const;
    const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
    const mismatch = 'The passwords are not the same.';
    for (const [form, name] of [
      [<NewPassword key="new" challenge={challenge} {...navigation} />, 'Save and sign in'],
      [<SetPassword key="set" username="anna" {...navigation} />, 'Change password'],
    ] as const) {
      sent.mockClear();
      render(
        <IntlProvider locale="en" messages={{ ...kitEn, ...en }}>
          <ShellContext value={{ session } as unknown as Shell}>{form}</ShellContext>
        </IntlProvider>,
      );
      const [first, again] = [screen.getByLabelText('New password'), screen.getByLabelText('Repeat the new password')];
      const button = screen.getByRole('button', { name });
      const mailed = screen.queryByLabelText('Code from the email');
      if (mailed) type(mailed, '123456');
      type(first, 'Wattle26');
      type(again, 'Wattle2');
      expect(again, name).toHaveAccessibleDescription(mismatch);
      expect(button, name).toHaveAttribute('aria-disabled', 'true');
      expect(button, name).toHaveAccessibleDescription(expect.stringContaining(mismatch));
      await act(async () => void fireEvent.click(button));
      expect(sent, name).not.toHaveBeenCalled();
      type(again, 'Wattle26');
      expect(screen.queryByText(mismatch), name).toBeNull();
      expect(button, name).not.toHaveAttribute('aria-disabled');
      for (const field of [first, again]) type(field, 'Wattle2'); // seven characters
      await act(async () => void fireEvent.click(button));
      expect(first, name).toHaveAccessibleDescription(
        /at least 8 characters, with lowercase letters, uppercase letters and digits/,
      );
      expect(sent, name).not.toHaveBeenCalled();
      for (const field of [first, again]) type(field, 'Wattle26');
      await act(async () => void fireEvent.click(button));
      await waitFor(() => expect(sent, name).toHaveBeenCalledTimes(1));
      cleanup();
    }
  },
);
