import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeApi, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import RegisterPage from './register-page';
import { FakeWorker, field, fill, show, visitorApi } from './testing';

const labels = {
  initials: 'Initials',
  preferred_name: 'Preferred name',
  prefix: /^Prefix/,
  last_name: 'Last name',
  birth_date: 'Date of birth',
  phone_number: 'Phone number',
  email: 'Email address',
  bank_account_number: 'Account number (IBAN)',
  bank_account_name: 'Name on the account',
  zip_code: 'Postal code',
  house_number: 'Number',
  house_number_extension: /^Extension/,
} as const;
type Name = keyof typeof labels;
const good: Record<Name, string> = {
  initials: 'F.A.',
  preferred_name: 'Fenna',
  prefix: 'de',
  last_name: 'Boer',
  birth_date: '29-2-1996',
  phone_number: '+31 6-12345601',
  email: 'fenna@voorbeeld.example',
  bank_account_number: 'nl91 abna 0417 1643 00',
  bank_account_name: 'F.A. de Boer',
  zip_code: '9861 gt',
  house_number: '12',
  house_number_extension: '',
};
/** The request body for `good`. */
const sent = {
  ...good,
  gender: 'FEMALE',
  birth_date: '1996-02-29',
  phone_number: '0612345601',
  bank_account_number: 'NL91ABNA0417164300',
  zip_code: '9861GT',
  label_key: '9999',
  website: '',
};
const save = () => screen.getByRole('button', { name: 'Send request' });
const where = () => screen.getByTestId('where').textContent;
const requests = (api: FakeApi, path = '/account/request') => api.calls.filter((c) => c.path === path).map((c) => c.body);

async function fillAll(other: Partial<Record<Name, string>> = {}, gender = 'Female'): Promise<void> {
  await userEvent.click(await screen.findByLabelText(gender));
  for (const [name, text] of Object.entries({ ...good, ...other })) if (text) await fill(labels[name as Name], text);
}

beforeEach(() => vi.stubGlobal('Worker', FakeWorker));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('register', () => {
  row(['2.4-register-fields', '2.4-register-gender', '5.9-optional'], 'shows every input, and a save button', async () => {
    visitorApi();
    show(<RegisterPage />);
    expect(screen.getByRole('heading', { level: 1, name: 'Request an account' })).toBeVisible();
    const optional = ['prefix', 'house_number_extension'];
    for (const [name, label] of Object.entries(labels)) {
      const input = await field(label);
      expect(input).toHaveAttribute('name', name);
      expect(input.getAttribute('aria-required'), name).toBe(optional.includes(name) ? null : 'true');
    }
    const group = screen.getByRole('group', { name: 'Gender' });
    expect([...group.querySelectorAll('input')].map((i) => [i.labels?.[0]?.textContent, i.value])).toEqual([
      ['Female', 'FEMALE'],
      ['Male', 'MALE'],
    ]);
    const inputs = [...document.querySelectorAll('input')].map((i) => i.name).filter((n) => n !== 'gender' && n !== 'website');
    expect(inputs.sort()).toEqual(Object.keys(labels).sort());
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByLabelText(labels.prefix).closest('div')?.parentElement).toHaveTextContent('(optional)');
  });

  row('9-register-gender-other', 'a label can offer a third gender, which is sent', async () => {
    const api = visitorApi();
    show(<RegisterPage />, { settings: { registration: true, gender_other: true } });
    expect(within(screen.getByRole('group', { name: 'Gender' })).getAllByRole('radio')).toHaveLength(3);
    await fillAll({}, 'Other, or prefer not to say');
    await userEvent.click(save());
    await waitFor(() => expect(where()).toBe('/pending-page'));
    expect(requests(api)).toEqual([expect.objectContaining({ ...sent, gender: 'OTHER' })]);
  });

  row('1-register-label', 'a label without registration shows a text and no form', async () => {
    const api = visitorApi();
    show(<RegisterPage />, { settings: { registration: false } });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('not available here');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(document.querySelector('form, input')).toBeNull();
    expect(screen.getByRole('link', { name: '050 123 45 67' })).toBeVisible();
    expect(api.calls).toEqual([]);
    cleanup();
    show(<RegisterPage />, { settings: { registration: true } });
    expect(screen.getByRole('heading', { level: 1, name: 'Request an account' })).toBeVisible();
    expect(save()).toBeVisible();
  });

  row(
    ['2.4-register-success', '5.9-zip-normalise-reconcile', '5.9-label-key-reconcile'],
    'sends the normalized values with the label and the proof of work, then shows the pending page',
    async () => {
      const api = visitorApi();
      show(<RegisterPage />);
      await fillAll();
      await userEvent.click(save());
      await waitFor(() => expect(where()).toBe('/pending-page'));
      const [body] = requests(api) as Record<string, string>[];
      const { challenge, solution, ...rest } = body ?? {};
      expect(rest).toEqual(sent);
      expect(challenge).toBe('one');
      expect(await zeros(`${challenge}:${solution}`)).toBeGreaterThanOrEqual(4);
    },
  );

  row(
    ['5.9-required', '9-errors-own-words', '9-register-quiet'],
    'missing values show an error at their field, and nothing is sent',
    async () => {
      const api = visitorApi();
      show(<RegisterPage />);
      const first = () => screen.queryAllByRole('link', { name: /first of 11 fields/ });
      expect(first(), '9-register-quiet').toHaveLength(0);
      expect(save(), '9-register-quiet').toHaveAccessibleDescription(/\w/);
      await userEvent.click(save());
      expect(first(), '9-register-quiet').toHaveLength(1);
      const summary = within(screen.getByRole('alert'));
      expect(screen.getByRole('alert')).toHaveTextContent(/^11 fields still need attention/);
      expect(summary.getAllByRole('link')).toHaveLength(11);
      expect(screen.queryByText('Fill in this field.')).toBeNull();
      const may = ['prefix', 'house_number_extension'];
      for (const [name, label] of Object.entries(labels)) {
        const input = await field(label);
        if (may.includes(name)) expect(input).not.toHaveAttribute('aria-invalid');
        else expect(input, name).toHaveAccessibleDescription(/(Fill in|Choose) (your|the) \w+/);
      }
      for (const radio of screen.getAllByRole('radio')) expect(radio).toHaveAccessibleDescription(/Choose your gender/);
      expect(requests(api)).toEqual([]);
    },
  );

  const wrong: [id: string | readonly string[], name: Name, entered: string, text: RegExp][] = [
    ['5.9-names-message', 'preferred_name', 'Fenna_3', /No special characters, spaces, or numbers are allowed/],
    [
      ['5.9-names-message', '5.9-names-reconcile'],
      'last_name',
      'van Dijk',
      /No special characters, spaces, or numbers are allowed/,
    ],
    ['5.9-phone', 'phone_number', '+32 470 12 34 56', /valid Dutch phone number/],
    ['5.9-email', 'email', 'fenna@voorbeeld', /Invalid email address/],
    ['5.9-email-extra', 'email', 'fenna..boer@voorbeeld.example', /Invalid email address/],
    ['5.9-zip-length', 'zip_code', '9861 G', /Invalid postal code/],
    ['5.9-iban', 'bank_account_number', 'NL92ABNA0417164300', /Invalid IBAN/],
    ['5.9-birth-range', 'birth_date', '31-12-1899', /Enter your date of birth/],
    ['5.9-birth-range', 'birth_date', '21-11-2026', /Enter your date of birth/],
    ['5.9-age', 'birth_date', '21-11-2008', /You must be 18 or older/],
  ];
  for (const [id, name, entered, text] of wrong)
    row(id, `${name} ${entered} is refused at its field`, async () => {
      const api = visitorApi();
      show(<RegisterPage />);
      await fill(labels[name], entered);
      expect(await field(labels[name])).toHaveAccessibleDescription(text);
      await userEvent.click(save());
      expect(requests(api)).toEqual([]);
    });

  row('5.9-age', 'a person who turns 18 today is accepted', async () => {
    visitorApi();
    show(<RegisterPage />);
    await fill(labels.birth_date, '20-11-2008');
    expect(await field(labels.birth_date)).not.toHaveAttribute('aria-invalid');
  });

  row(['5.9-iban', '5.1-iban-checksum-reconcile'], 'the text equals that of the requirement in Dutch', async () => {
    visitorApi();
    show(<RegisterPage />, { locale: 'nl' });
    await fill('Rekeningnummer (IBAN)', 'NL92ABNA0417164300');
    expect(await field('Rekeningnummer (IBAN)')).toHaveAccessibleDescription(/Ongeldige IBAN/);
  });

  test('accepts names with accents, a hyphen or an apostrophe', async () => {
    visitorApi();
    show(<RegisterPage />);
    for (const name of ['Zoë', 'Anne-Marie', "D'Ancona"]) {
      await fill(labels.preferred_name, name);
      expect(await field(labels.preferred_name)).not.toHaveAttribute('aria-invalid');
    }
  });
});

const lookups = (api: FakeApi) => requests(api, '/lambda/address-validation/postcode');

describe('address check', () => {
  row(
    ['5.9-address-check-trigger', '7.3-two-lookups-reconcile'],
    'starts when there are a number and six characters, not before',
    async () => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      const api = visitorApi();
      show(<RegisterPage />);
      await fill(labels.zip_code, '9861 G');
      await fill(labels.house_number, '12');
      await vi.advanceTimersByTimeAsync(500);
      expect(lookups(api)).toEqual([]);
      await userEvent.type(await field(labels.zip_code), 'T');
      expect(await screen.findByText('Molenweg 12')).toBeVisible();
      expect(screen.getByText('9861 GT Grootegast')).toBeVisible();
      expect(lookups(api)).toEqual([{ zipCode: '9861GT', houseNumber: '12', houseNumberExtension: '' }]);
      await userEvent.type(await field(labels.house_number), '4');
      await waitFor(() => expect(screen.queryByText('Molenweg 12')).toBeNull());
      await waitFor(() => expect(lookups(api)).toHaveLength(2));
      const called = api.calls.filter((c) => /address/.test(c.path)).map((c) => `${c.method} ${c.path}`);
      expect(new Set(called)).toEqual(new Set(['POST /lambda/address-validation/postcode']));
    },
  );

  row('5.9-address-check-404', 'the error is at postal code and number, and at a filled-in extension', async () => {
    visitorApi();
    show(<RegisterPage />);
    await fill(labels.zip_code, '9861GT');
    await fill(labels.house_number, '13');
    await waitFor(async () => expect(await field(labels.zip_code)).toHaveAccessibleDescription(/Invalid address/));
    expect(await field(labels.house_number)).toHaveAccessibleDescription(/Invalid address/);
    expect(await field(labels.house_number_extension)).not.toHaveAttribute('aria-invalid');
    await fill(labels.house_number_extension, 'A');
    await waitFor(async () => expect(await field(labels.house_number_extension)).toHaveAccessibleDescription(/Invalid address/));
    await fill(labels.house_number_extension, '');
    await fill(labels.house_number, '12');
    await screen.findByText('Molenweg 12');
    for (const label of [labels.zip_code, labels.house_number, labels.house_number_extension])
      expect(await field(label)).not.toHaveAttribute('aria-invalid');
  });

  row('5.9-address-check-404', 'also when the server finds the error on sending', async () => {
    const api = visitorApi({ 'POST /account/request': refuse(404, 'onboarding.address_unknown') });
    show(<RegisterPage />);
    await fillAll();
    await userEvent.click(save());
    await waitFor(async () => expect(await field(labels.zip_code)).toHaveAccessibleDescription(/Invalid address/));
    expect(await field(labels.house_number)).toHaveAccessibleDescription(/Invalid address/);
    expect(await field(labels.last_name)).toHaveValue('Boer');
    expect(where()).toBe('/register');
    expect(requests(api)).toHaveLength(1);
  });

  test('while the register is down street and town are entered by hand, and nothing is lost', async () => {
    const api = visitorApi({ 'POST /lambda/address-validation/postcode': refuse(503, 'move.register_down') });
    show(<RegisterPage />);
    await fillAll();
    expect(await screen.findByText('We cannot look up addresses right now')).toBeVisible();
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    await fill('Street', 'Molenweg');
    await fill('Town', 'Grootegast');
    await userEvent.click(save());
    await waitFor(() => expect(where()).toBe('/pending-page'));
    expect(requests(api)[0]).toMatchObject({ ...sent, street: 'Molenweg', city: 'Grootegast' });
  });
});

describe('sending', () => {
  test('an expired challenge is solved again, once, without a message', async () => {
    let challenges = 0;
    const api = visitorApi({
      'POST /account/request/challenge': () => ({ challenge: `c${++challenges}`, bits: 4, expires: '2026-11-20T11:00:00Z' }),
      'POST /account/request': ({ body }: { body: unknown }) =>
        (body as { challenge: string }).challenge === 'c1'
          ? refuse(400, 'onboarding.proof_invalid')
          : new Response(null, { status: 201 }),
    });
    show(<RegisterPage />);
    await fillAll();
    await userEvent.click(save());
    await waitFor(() => expect(where()).toBe('/pending-page'));
    expect(requests(api)).toHaveLength(2);
  });

  test('a browser without workers sends no proof of work', async () => {
    vi.unstubAllGlobals();
    const api = visitorApi();
    show(<RegisterPage />);
    await fillAll();
    await userEvent.click(save());
    await waitFor(() => expect(where()).toBe('/pending-page'));
    expect(requests(api)).toEqual([sent]);
  });

  test('errors of the server are at their field, and the input stays', async () => {
    visitorApi({
      'POST /account/request': refuse(400, 'invalid', [{ field: 'email', code: 'onboarding.email_invalid' }]),
    });
    show(<RegisterPage />);
    await fillAll();
    await userEvent.click(save());
    expect(await screen.findByText('Your request has not been sent')).toBeVisible();
    expect(await field(labels.email)).toHaveAccessibleDescription(/Invalid email address/);
    expect(await field(labels.email)).toHaveValue(good.email);
  });

  test('too many calls, and no response: shows an error, and it can be sent again', async () => {
    const api = visitorApi({ 'POST /account/request': refuse(429, 'too_many_calls') });
    show(<RegisterPage />);
    await fillAll();
    await userEvent.click(save());
    expect(await screen.findByText('That went rather fast.')).toBeVisible();
    api.answers['POST /account/request'] = () => new Response(null, { status: 201 });
    await userEvent.click(save());
    await waitFor(() => expect(where()).toBe('/pending-page'));
  });

  test('after a lost response the same form is sent with the same key, also with a new proof', async () => {
    const api = visitorApi({ 'POST /account/request': () => Promise.reject(new TypeError('network')) });
    show(<RegisterPage />);
    await fillAll();
    await userEvent.click(save());
    expect(await screen.findByText('Your request has not been sent')).toBeVisible();
    const answers = [refuse(400, 'onboarding.proof_invalid'), new Response(null, { status: 201 })];
    api.answers['POST /account/request'] = () => answers.shift();
    await userEvent.click(save());
    await waitFor(() => expect(where()).toBe('/pending-page'));
    const keys = api.calls.filter((c) => c.path === '/account/request').map((c) => c.headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('people cannot reach the honeypot; a value that a bot or a password manager enters is sent with a proof of work', async () => {
    const api = visitorApi();
    show(<RegisterPage />);
    const trap = document.querySelector<HTMLInputElement>('input[name="website"]');
    expect(trap).toHaveAttribute('tabindex', '-1');
    expect(trap?.closest('[aria-hidden="true"]')).not.toBeNull();
    await fillAll();
    if (trap) await userEvent.type(trap, 'x');
    await userEvent.click(save());
    await waitFor(() =>
      expect(requests(api)[0]).toMatchObject({ website: 'x', challenge: expect.any(String), solution: expect.any(String) }),
    );
  });
});

async function zeros(text: string): Promise<number> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.indexOf('1');
}
