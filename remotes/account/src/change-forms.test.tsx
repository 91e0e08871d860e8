import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import ChangeEmail from './change-email';
import ChangePassword from './change-password';
import ChangePhone from './change-phone';
import ChangeUsername from './change-username';
import remote from './remote';
import { customerApi, fenna, show } from './testing';

afterEach(cleanup);

const overlay = () => ({ params: {}, close: vi.fn(), setDirty: vi.fn() });
const save = () => screen.getByRole('button', { name: 'Save' });
/** Replaces the text in a field. */
async function type(label: string, text: string) {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
  return field;
}
const sent = (api: ReturnType<typeof customerApi>, method: string) =>
  api.calls.filter((c) => c.method === method).map((c) => [c.path, c.body]);

row(
  ['2.3-overlay-change-email', '2.3-overlay-change-phone', '2.3-overlay-change-password', '5.5-username-form'],
  'each overlay has its form, for customers of every label',
  async () => {
    const views = await Promise.all(
      (remote.overlays ?? []).map(async ({ view, title: _, ...o }) => ({ ...o, view: (await view()).default as unknown })),
    );
    expect(views).toEqual([
      { name: 'change-email-address', parent: '/account', view: ChangeEmail },
      { name: 'change-phonenumber', parent: '/account', view: ChangePhone },
      { name: 'change-account-password', parent: '/account', view: ChangePassword },
      { name: 'change-username', parent: '/account', view: ChangeUsername },
    ]);
  },
);

describe('email', () => {
  row(
    ['2.3-overlay-change-email', '7.1-refetch-after-save', '5.3-email-normalise', '6-customer-edits'],
    'saves, fetches status and relation again, and closes',
    async () => {
      const api = customerApi({ 'PUT /relations/email': { change_email: 'nieuw@voorbeeld.example' } });
      const props = overlay();
      const notified = vi.fn();
      show(<ChangeEmail {...props} />, { onNotify: notified });
      await type('New email address', ' nieuw@voorbeeld.example');
      expect(props.setDirty).toHaveBeenLastCalledWith(true);
      const before = api.calls.length;
      await userEvent.click(save());
      await waitFor(() => expect(props.close).toHaveBeenCalled());
      expect(sent(api, 'PUT')).toEqual([['/relations/email', { change_email: 'nieuw@voorbeeld.example' }]]);
      const after = api.calls.slice(before + 1).map((c) => [c.path, c.query]);
      expect(after).toContainEqual(['/relations/email', { request: 'status' }]);
      expect(after).toContainEqual(['/relations', {}]);
      expect(notified).toHaveBeenCalledWith(
        expect.objectContaining({ tone: 'good', text: expect.stringContaining('nieuw@voorbeeld.example') }),
      );
    },
  );

  row('5.3-email-pattern', 'an invalid address shows the message and cannot be saved', async () => {
    const api = customerApi();
    show(<ChangeEmail {...overlay()} />);
    expect(await screen.findByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
    const field = await type('New email address', 'fenna@voorbeeld');
    await userEvent.tab();
    expect(field).toHaveAccessibleDescription(/Invalid email address\./);
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(save());
    expect(sent(api, 'PUT')).toEqual([]);
  });

  test('closes also when the status has the change before the relation was fetched again', async () => {
    let requestBody = '';
    const api = customerApi({
      'PUT /relations/email': ({ body }: { body: { change_email: string } }) => {
        requestBody = body.change_email;
        return body;
      },
      'GET /relations/email': ({ query }: { query: Record<string, string> }) =>
        query.request ? { change_email: requestBody } : { email: 'fenna@voorbeeld.example' },
      'GET /relations': () => (requestBody ? new Promise((resolve) => setTimeout(() => resolve(fenna), 50)) : fenna),
    });
    const props = overlay();
    show(<ChangeEmail {...props} />);
    await type('New email address', 'nieuw@voorbeeld.example');
    await userEvent.click(save());
    await waitFor(() => expect(props.close).toHaveBeenCalled());
    expect(sent(api, 'PUT')).toHaveLength(1);
    expect(screen.queryByText('You have already asked for a change')).toBeNull();
  });

  row(['8-email-save-failed', '8-alert-duration'], 'the error stays in the form that failed', async () => {
    for (const failure of [refuse(409, 'change_pending'), refuse(422, 'invalid'), refuse(500, 'internal')]) {
      customerApi({ 'PUT /relations/email': failure });
      const props = overlay();
      show(<ChangeEmail {...props} />);
      const field = await type('New email address', 'nieuw@voorbeeld.example');
      await userEvent.click(save());
      const error = await screen.findByText('Error saving email address!');
      expect(error).toBeVisible();
      expect(field.closest('form'), '8-alert-duration: next to what failed').toContainElement(error);
      expect(field).toHaveValue('nieuw@voorbeeld.example');
      expect(props.close).not.toHaveBeenCalled();
      cleanup();
    }
  });

  test('the form is not shown while a change is pending', async () => {
    customerApi({ 'GET /relations/email': { change_email: 'nieuw@voorbeeld.example' } });
    show(<ChangeEmail {...overlay()} />);
    expect(await screen.findByText('nieuw@voorbeeld.example')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('phone', () => {
  row(
    ['2.3-overlay-change-phone', '7.1-refetch-after-save', '5.4-phone-request-format-reconcile', '6-customer-edits'],
    'sends the number with a 0 and fetches again',
    async () => {
      const api = customerApi({ 'PUT /relations/phonenumber': { phone_number: '0687654321' } });
      const props = overlay();
      show(<ChangePhone {...props} />);
      await type('New phone number', '+31 6 8765-4321');
      const before = api.calls.length;
      await userEvent.click(save());
      await waitFor(() => expect(props.close).toHaveBeenCalled());
      expect(sent(api, 'PUT')).toEqual([['/relations/phonenumber', { phone_number: '0687654321' }]]);
      const after = api.calls.slice(before + 1).map((c) => [c.path, c.query]);
      expect(after).toContainEqual(['/relations/phonenumber', { request: 'status' }]);
      expect(after).toContainEqual(['/relations', {}]);
    },
  );

  row(
    ['5.4-phone-normalise', '5.4-phone-dutch', '5.4-phone-international'],
    'the form takes Dutch and international numbers, and sends them without dashes and spaces',
    async () => {
      for (const [typed, number] of [
        ['0687-65 43 21', '0687654321'],
        ['+49 30-1234567', '+49301234567'],
        ['+123456789012', '+123456789012'],
        ['+1234567890123', undefined], // 13 digits
      ] as const) {
        const api = customerApi({ 'PUT /relations/phonenumber': {} });
        const props = overlay();
        show(<ChangePhone {...props} />);
        fireEvent.change(await screen.findByLabelText('New phone number'), { target: { value: typed } });
        await userEvent.click(save());
        if (number) await waitFor(() => expect(props.close, typed).toHaveBeenCalled());
        expect(sent(api, 'PUT').map(([, body]) => body)).toEqual(number ? [{ phone_number: number }] : []);
        cleanup();
      }
    },
  );

  row(['5.4-phone-message', '5.4-phone-max-length'], 'an invalid number shows the message; at most 20 characters', async () => {
    customerApi();
    show(<ChangePhone {...overlay()} />);
    const field = await type('New phone number', '0612');
    await userEvent.tab();
    expect(field).toHaveAccessibleDescription(/Enter a valid phone number\./);
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.clear(field);
    await userEvent.type(field, '1234567890123456789012345');
    expect((field as HTMLInputElement).value).toHaveLength(20);
  });

  row('5.4-phone-country-picker', 'the default is nl; nl, be, de and fr are first, then the rest of Europe', async () => {
    customerApi();
    show(<ChangePhone {...overlay()} />);
    const picker = (await screen.findByRole('combobox')) as HTMLSelectElement;
    expect(picker.value).toBe('NL');
    const values = [...picker.options].map((o) => o.value);
    expect(values.slice(0, 4)).toEqual(['NL', 'BE', 'DE', 'FR']);
    expect(values).toEqual(expect.arrayContaining(['ES', 'PL', 'SE', 'GB', 'CH']));
    expect(values).not.toContain('US');
  });

  row('5.4-phone-display', 'a stored +31 number is shown with a leading 0', async () => {
    customerApi();
    show(<ChangePhone {...overlay()} />);
    expect(await screen.findByText('0612345601')).toBeVisible();
    expect(screen.getByLabelText('New phone number')).toHaveValue('0612345601');
  });

  row('8-phone-save-406', async () => {
    customerApi({ 'PUT /relations/phonenumber': refuse(406, 'account.phone_invalid') });
    show(<ChangePhone {...overlay()} />);
    await type('New phone number', '0687654321');
    await userEvent.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This phone number is not valid. Please provide a valid phone number',
    );
    expect(screen.queryByText('Something went wrong with saving the phone number')).toBeNull();
  });

  row('8-phone-save-failed', async () => {
    for (const failure of [refuse(409, 'change_pending'), refuse(500, 'internal')]) {
      customerApi({ 'PUT /relations/phonenumber': failure });
      const props = overlay();
      show(<ChangePhone {...props} />);
      await type('New phone number', '0687654321');
      await userEvent.click(save());
      expect(await screen.findByText('Something went wrong with saving the phone number')).toBeVisible();
      expect(screen.queryByText(/This phone number is not valid/)).toBeNull();
      expect(props.close).not.toHaveBeenCalled();
      cleanup();
    }
  });
});

describe('username', () => {
  row(['5.5-username-form', '5.5-username-min'], 'saving requires a changed and valid name', async () => {
    const api = customerApi({ 'PUT /account': { user_name: 'fenna.deboer', change_username: 'fenna.nieuw' } });
    const props = overlay();
    show(<ChangeUsername {...props} />);
    expect(await screen.findByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
    const field = await type('New username', 'fenna');
    await userEvent.tab();
    expect(field).toHaveAccessibleDescription(/at least 6 characters\./);
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    await type('New username', 'FENNA.deboer'); // the current one
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    await type('New username', 'fenna1');
    expect(save()).not.toHaveAttribute('aria-disabled');
    await type('New username', ' Fenna.Nieuw ');
    expect(save()).not.toHaveAttribute('aria-disabled');
    await userEvent.click(save());
    await waitFor(() => expect(props.close).toHaveBeenCalled());
    expect(sent(api, 'PUT')).toEqual([['/account', { change_username: 'fenna.nieuw' }]]);
  });

  test('a taken name shows an error at the field, which stays', async () => {
    customerApi({ 'PUT /account': refuse(409, 'account.username_taken') });
    show(<ChangeUsername {...overlay()} />);
    const field = await type('New username', 'joost.vandervelde');
    await userEvent.click(save());
    await waitFor(() => expect(field).toHaveAccessibleDescription(/already uses this username/));
    expect(field).toHaveValue('joost.vandervelde');
  });
});

describe('password', () => {
  const fill = async (old: string, next: string, again: string) => {
    if (old) await type('Current password', old);
    if (next) await type('New password', next);
    if (again) await type('New password once more', again);
  };

  row('5.5-password-required', 'each of the three fields is required', async () => {
    const all = { 'Current password': 'Oud12345', 'New password': 'Nieuw1234', 'New password once more': 'Nieuw1234' };
    for (const missing of Object.keys(all)) {
      const api = customerApi({ 'POST /auth/change-password': undefined });
      show(<ChangePassword {...overlay()} />);
      for (const [label, text] of Object.entries(all)) if (label !== missing) await type(label, text);
      expect(save(), missing).toHaveAttribute('aria-disabled', 'true');
      await userEvent.click(save());
      expect(screen.getByLabelText(missing)).toHaveAccessibleDescription(/Fill in .* password/);
      expect(sent(api, 'POST'), missing).toEqual([]);
      cleanup();
    }
  });

  row(['5.5-password-match', '5.5-password-rule'], 'a weak password and a different confirmation are refused', async () => {
    const api = customerApi();
    show(<ChangePassword {...overlay()} />);
    await fill('Oud12345', 'zwak1', 'zwak2');
    await userEvent.tab();
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/6 to 50 characters/);
    expect(screen.getByLabelText('New password once more')).toHaveAccessibleDescription(/Enter the same password\./);
    await userEvent.click(save());
    expect(sent(api, 'POST')).toEqual([]);
  });

  row(
    ['2.3-overlay-change-password', '7.7-change-password-call', '8-password-success'],
    'sends old and new password',
    async () => {
      const api = customerApi({ 'POST /auth/change-password': undefined });
      const props = overlay();
      const told = vi.fn();
      show(<ChangePassword {...props} />, { onNotify: told });
      await fill('Oud12345', 'Nieuw1234', 'Nieuw1234');
      await userEvent.click(save());
      await waitFor(() => expect(props.close).toHaveBeenCalled());
      expect(sent(api, 'POST')).toEqual([['/auth/change-password', { old_password: 'Oud12345', new_password: 'Nieuw1234' }]]);
      expect(told).toHaveBeenCalledWith(expect.objectContaining({ tone: 'good', text: 'Password successfully updated' }));
    },
  );

  row(
    ['8-password-failed', '5.5-password-length-reconcile'],
    '6 characters pass the form; the policy error of the server is translated',
    async () => {
      customerApi({ 'POST /auth/change-password': refuse(400, 'password_policy') });
      show(<ChangePassword {...overlay()} />);
      await fill('Oud12345', 'Nieuw1', 'Nieuw1');
      await userEvent.click(save());
      expect(await screen.findByText(/Choose a password of at least 8 characters/)).toBeVisible();
    },
  );

  row(
    ['5.5-password-common', '5.5-password-personal'],
    'a common password shows the reason at its field until another is typed',
    async () => {
      for (const [code, why] of [
        ['password_common', /on a list of common passwords/],
        ['password_from_name', /built from your name/],
        ['password_from_username', /built from your username/],
        ['password_from_email', /built from your email address/],
        ['password_from_label', /built from our name/],
      ] as const) {
        customerApi({ 'POST /auth/change-password': refuse(400, code, [{ field: 'new_password', code }]) });
        const { unmount } = show(<ChangePassword {...overlay()} />);
        await fill('Oud12345', 'Welkom2026', 'Welkom2026');
        await userEvent.click(save());
        await waitFor(() => expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(why));
        expect(screen.getByLabelText('New password')).toHaveValue('Welkom2026');
        await type('New password', 'x');
        expect(screen.getByLabelText('New password')).not.toHaveAccessibleDescription(why);
        unmount();
      }
    },
  );

  row('8-password-failed', 'a message without a translation is shown unchanged', async () => {
    customerApi({ 'POST /auth/change-password': refuse(400, 'Password has been seen in a breach') });
    show(<ChangePassword {...overlay()} />);
    await fill('Oud12345', 'Nieuw1234', 'Nieuw1234');
    await userEvent.click(save());
    expect(await screen.findByText('Password has been seen in a breach')).toBeVisible();
  });
});
