import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, describe, expect, test } from 'vitest';
import IbanPage from './iban-page';
import { customerApi, impersonated, show } from './testing';

afterEach(cleanup);

const labels = { iban: /^New account number/, name: /^Name on the account/, from: /^From when/ };
const save = () => screen.getByRole('button', { name: 'Save' });
async function fill(iban: string, name: string, from: string) {
  const type = async (label: RegExp, text: string) => {
    const field = await screen.findByLabelText(label);
    await userEvent.clear(field);
    if (text) await userEvent.type(field, text);
    await userEvent.tab();
  };
  await type(labels.iban, iban);
  await type(labels.name, name);
  await type(labels.from, from);
}
const good = ['iban: nl91 abna-0417.1643 00', 'F.A. de Boer', '1-12-2026'] as const;
const sent = (api: ReturnType<typeof customerApi>) => api.calls.filter((c) => c.method === 'PUT').map((c) => [c.path, c.body]);
const pending = {
  change_bank_account_number: 'NL91ABNA0417164300',
  change_bank_account_name: 'F.A. de Boer',
  from_date: '2026-12-01',
};

describe('bank account', () => {
  row(['2.1-iban-route', '4-iban-editable'], 'the form is enabled when nothing is pending', async () => {
    customerApi();
    show(<IbanPage />, { at: '/iban' });
    for (const label of Object.values(labels)) expect(await screen.findByLabelText(label)).not.toHaveAttribute('readonly');
    expect(screen.getByRole('heading', { level: 1, name: 'Change bank account' })).toBeVisible();
    expect(save()).toHaveAttribute('aria-disabled', 'true');
  });

  row(['4-iban-pending', '4-iban-editable'], 'the form is read-only with the pending IBAN and its date', async () => {
    customerApi({ 'GET /relations/bankAccountNumber': pending });
    show(<IbanPage />, { at: '/iban' });
    expect(await screen.findByText(/From 01-12-2026 we use/)).toHaveTextContent('NL91 ABNA 0417 1643 00');
    const values = { iban: 'NL91 ABNA 0417 1643 00', name: 'F.A. de Boer', from: '01-12-2026' };
    for (const [name, label] of Object.entries(labels)) {
      const field = screen.getByLabelText(label);
      expect(field).toHaveAttribute('readonly');
      expect(field).toHaveValue(values[name as keyof typeof values]);
      expect(field).toHaveAccessibleDescription(/once your request has been processed/);
    }
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  row('4-iban-editable', 'without an answer of the status call, and with a failed one, there is no form', async () => {
    const api = customerApi({ 'GET /relations/bankAccountNumber': () => new Promise(() => undefined) });
    show(<IbanPage />, { at: '/iban' });
    await waitFor(() => expect(api.calls.map((c) => c.path)).toContain('/relations/bankAccountNumber'));
    expect(screen.queryByRole('textbox')).toBeNull();
    cleanup();
    customerApi({ 'GET /relations/bankAccountNumber': refuse(503, 'unavailable') });
    show(<IbanPage />, { at: '/iban' });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  row(
    ['5.1-field-mapping', '5.1-date-format', '5.1-iban-normalise', '4-iban-after-save', '8-iban-save', '6-customer-edits'],
    'sends the field names of the API, shows the notice and fetches the status again',
    async () => {
      const api = customerApi({
        'PUT /relations/bankAccountNumber': () => {
          api.answers['GET /relations/bankAccountNumber'] = pending;
          return pending;
        },
      });
      show(<IbanPage />, { at: '/iban' });
      await fill(...good);
      expect(screen.getByLabelText(labels.iban)).toHaveValue('NL91 ABNA 0417 1643 00');
      await userEvent.click(save());
      expect(await screen.findByText('Your request is being processed')).toBeVisible();
      expect(sent(api)).toEqual([['/relations/bankAccountNumber', pending]]);
      const calls = api.calls.map((c) => `${c.method} ${c.path}`);
      expect(calls.slice(calls.indexOf('PUT /relations/bankAccountNumber') + 1)).toContain('GET /relations/bankAccountNumber');
      expect(await screen.findByText(/From 01-12-2026 we use/)).toBeVisible();
    },
  );

  row(
    ['5.1-iban-required', '5.1-name-required', '5.1-date-required'],
    'missing values show an error at their field, and nothing is sent',
    async () => {
      const api = customerApi();
      show(<IbanPage />, { at: '/iban' });
      await screen.findByLabelText(labels.iban);
      await userEvent.click(save());
      expect(screen.getByLabelText(labels.iban)).toHaveAccessibleDescription(/Fill in your new account number/);
      expect(screen.getByLabelText(labels.name)).toHaveAccessibleDescription(/Fill in the name on the bank account/);
      expect(screen.getByLabelText(labels.from)).toHaveAccessibleDescription(/Choose from when/);
      expect(sent(api)).toEqual([]);
    },
  );

  const wrong: [id: string[], what: string, iban: string, name: string, from: string, text: RegExp][] = [
    [['5.1-iban-same'], 'the present IBAN', 'NL38 WATT 0000 0011 17', good[1], good[2], /cannot use this account number/],
    [['5.1-iban-length'], 'a short IBAN', 'NL91ABNA041716', good[1], good[2], /cannot use this account number/],
    [['5.1-iban-checksum-reconcile'], 'a wrong check digit', 'NL92ABNA0417164300', good[1], good[2], /cannot use this account/],
    [['5.1-name-required'], 'a name of two letters', good[0], 'Bo', good[2], /at least 3 characters/],
    [['5.1-name-max'], 'a name of 256 letters', good[0], 'B'.repeat(256), good[2], /at most 255 characters/],
    [['5.1-date-min'], 'today', good[0], good[1], '20-11-2026', /from tomorrow on/],
  ];
  for (const [ids, what, iban, name, from, text] of wrong)
    row(ids, what, async () => {
      const api = customerApi();
      show(<IbanPage />, { at: '/iban' });
      await screen.findByLabelText(labels.name);
      await fill(iban, name.length > 50 ? '' : name, from);
      if (name.length > 50) {
        await userEvent.click(screen.getByLabelText(labels.name));
        await userEvent.paste(name);
        await userEvent.tab();
      }
      expect(await screen.findByText(text)).toBeVisible();
      await userEvent.click(save());
      expect(sent(api)).toEqual([]);
    });

  row('5.1-date-min', 'tomorrow is the default and accepted', async () => {
    const api = customerApi({ 'PUT /relations/bankAccountNumber': pending });
    show(<IbanPage />, { at: '/iban' });
    await fill(good[0], good[1], '');
    await userEvent.click(screen.getByRole('button', { name: 'as soon as possible: 21-11-2026' }));
    await userEvent.click(save());
    await waitFor(() => expect(sent(api)).toHaveLength(1));
    expect(sent(api)[0]?.[1]).toMatchObject({ from_date: '2026-11-21' });
  });

  row('8-iban-save', 'a refusal shows the invalid notice, and the text of its code, also at the field', async () => {
    customerApi({
      'PUT /relations/bankAccountNumber': refuse(400, 'invalid', [{ field: 'from_date', code: 'billing.startDateMessage' }]),
    });
    show(<IbanPage />, { at: '/iban' });
    await fill(...good);
    await userEvent.click(save());
    const notice = (await screen.findByText(/cannot use this account number/)).closest('[role="alert"]');
    expect(notice).toHaveTextContent(/from tomorrow on/);
    expect(screen.getByLabelText(labels.from)).toHaveAccessibleDescription(/from tomorrow on/);
    expect(screen.getByLabelText(labels.iban)).toHaveValue('NL91 ABNA 0417 1643 00');
  });

  row('8-iban-save', 'a refusal without a field shows the invalid notice with the reason', async () => {
    customerApi({ 'PUT /relations/bankAccountNumber': refuse(409, 'change_pending') });
    show(<IbanPage />, { at: '/iban' });
    await fill(...good);
    await userEvent.click(save());
    const notice = (await screen.findByText(/cannot use this account number/)).closest('[role="alert"]');
    expect(notice).toHaveTextContent('You have already asked for this change.');
  });

  row('8-iban-save', 'a failure says that nothing was changed, and offers a retry', async () => {
    for (const failure of [refuse(500, 'internal'), () => Promise.reject(new TypeError('network'))]) {
      const api = customerApi({ 'PUT /relations/bankAccountNumber': failure });
      const { unmount } = show(<IbanPage />, { at: '/iban' });
      await fill(...good);
      await userEvent.click(save());
      expect(await screen.findByText(/nothing has been changed/)).toBeVisible();
      expect(screen.queryByText(/cannot use this account number/)).toBeNull();
      api.answers['PUT /relations/bankAccountNumber'] = pending;
      await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
      expect(await screen.findByText('Your request is being processed')).toBeVisible();
      unmount();
    }
  });

  row('6-impersonator-iban', 'an impersonator cannot save and reads why', async () => {
    const api = customerApi();
    show(<IbanPage />, { at: '/iban', ...impersonated });
    await fill(...good);
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    expect(save()).toHaveAccessibleDescription(/only viewing this portal/);
    await userEvent.click(save());
    expect(sent(api)).toEqual([]);
  });

  row('6-sustainable-skip-bank-call', 'the current account comes from the relation', async () => {
    const api = customerApi();
    show(<IbanPage />, { at: '/iban', settings: { bank_account_details: false } });
    expect(await screen.findByText('F.A. de Boer')).toBeVisible();
    expect(api.calls.map((c) => c.path)).not.toContain('/bankAccountDetails');
  });

  test('the current IBAN is masked', async () => {
    customerApi();
    show(<IbanPage />, { at: '/iban', locale: 'nl' });
    expect(await screen.findByText('F.A. de Boer')).toBeVisible();
    expect(document.body).not.toHaveTextContent(/WATT/);
  });
});
