import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from '@wattle/sdk';
import { type FakeRequest, file, refuse } from '@wattle/sdk/testing';
import { row } from '@wattle/sdk/vitest';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import MovePage from './move-page';
import {
  agreement,
  customerApi,
  enter,
  filed,
  fillIn,
  home,
  impersonated,
  keepDraft,
  next,
  register,
  shop,
  show,
  step,
  storedDraft,
} from './testing';

beforeEach(() => sessionStorage.clear());
const two = [agreement('A-1'), agreement('A-2', { addresses: [shop] }), agreement('A-0', { status: 'CANCELLED' })];
const puts = (api: ReturnType<typeof customerApi>) => api.calls.filter((c) => c.method === 'PUT');
const lookups = (api: ReturnType<typeof customerApi>) => api.calls.filter((c) => c.path === '/address');
const send = () => screen.getByRole('button', { name: 'Request this move' });
/** The page in the URL. */
function Here() {
  const { pathname, search } = useLocation();
  return <output aria-label="where">{pathname + search}</output>;
}
const noGenericError = () => {
  for (const text of ['Something unexpected happened.', /Something went wrong/, /Something seems wrong/])
    expect(screen.queryByText(text)).toBeNull();
};
const steps = () => screen.queryByRole('navigation', { name: 'Steps' });

describe('page 0', () => {
  row(
    ['2.2-page0', '2.2-stepper-click', '9-move-skipped-step'],
    'an agreement with its address must be chosen to continue',
    async () => {
      customerApi({ 'GET /agreements': two });
      show(<MovePage />);
      await step('Which contract are you moving?');
      const radios = screen.getAllByRole('radio');
      expect(radios.map((r) => (r as HTMLInputElement).checked)).toEqual([false, false]);
      expect(screen.getByText('Molenweg 18, 9861 GT Grootegast')).toBeVisible();
      expect(screen.getByText('Brugstraat 7, 9712 AB Groningen')).toBeVisible();
      expect(next()).toHaveAttribute('aria-disabled', 'true');
      expect(next()).toHaveAccessibleDescription('Choose a contract first.');
      await userEvent.click(next());
      expect(screen.getByRole('heading', { name: 'Which contract are you moving?' })).toBeVisible();
      expect(within(steps() as HTMLElement).queryByRole('button')).toBeNull();
      for (const one of within(steps() as HTMLElement).getAllByRole('listitem'))
        expect(one, '9-move-skipped-step: nothing was skipped').not.toHaveTextContent('(done)');
      await userEvent.click(screen.getByRole('radio', { name: 'Vast A-2' }));
      expect(next()).not.toHaveAttribute('aria-disabled');
      const forward = within(steps() as HTMLElement).getByRole('button');
      expect(forward).toHaveTextContent('Address');
      await userEvent.click(forward);
      await step('Where are you moving to?');
    },
  );

  row(
    ['2.2-page0-skip', '2.2-old-address-prefill', '9-move-skipped-step'],
    'is skipped for a single agreement with a single address',
    async () => {
      customerApi();
      show(<MovePage />);
      await step('Where are you moving to?');
      expect(screen.getByRole('group', { name: 'Old address' })).toHaveTextContent(/^Old address Molenweg 18/);
      const [skipped, ...others] = within(steps() as HTMLElement).getAllByRole('listitem');
      expect(skipped, '9-move-skipped-step').toHaveTextContent('Contract (done)');
      expect(others, '9-move-skipped-step').toHaveLength(3);
      for (const one of others) expect(one, '9-move-skipped-step').not.toHaveTextContent('(done)');
    },
  );

  row('2.2-page0-page1-reconcile', 'page 1 shows the address of the agreement chosen on page 0', async () => {
    customerApi({ 'GET /agreements': two });
    show(<MovePage />);
    await step('Which contract are you moving?');
    await userEvent.click(screen.getByRole('radio', { name: 'Vast A-2' }));
    await userEvent.click(next());
    await step('Where are you moving to?');
    expect(screen.getByRole('group', { name: 'Old address' })).toHaveTextContent(/^Old address Brugstraat 7/);
    expect(screen.queryAllByRole('radio')).toEqual([]);
  });

  row(
    ['2.2-offline-multi-address', '2.2-offline-multi-address-reconcile', '8-msg-bad-situation'],
    'several addresses: shows why it cannot continue, and the phone number',
    async () => {
      customerApi({ 'GET /agreements': [agreement('A-1'), agreement('A-2', { addresses: [home, shop] })] });
      show(<MovePage />);
      await step('Which contract are you moving?');
      await userEvent.click(screen.getByRole('radio', { name: 'Vast A-2' }));
      const bad = screen.getByText('A contract with several addresses cannot be moved online').closest('[role=status]');
      expect(bad).toHaveTextContent('Call customer service on 050 123 45 67');
      expect(next()).toHaveAttribute('aria-disabled', 'true');
      await userEvent.click(next());
      expect(screen.getByRole('heading', { name: 'Which contract are you moving?' })).toBeVisible();
      await userEvent.click(screen.getByRole('radio', { name: 'Vast A-1' }));
      expect(screen.queryByText(/cannot be moved online/)).toBeNull();
      await userEvent.click(next());
      await step('Where are you moving to?');
    },
  );

  row(['2.2-exclude-ended', '2.2-exclude-daughter'], 'are not choices', async () => {
    const daughter = agreement('A-3', { company_name: 'Dochter B.V.' });
    customerApi({ 'GET /agreements': [...two, agreement('A-4', { status: 'TERMINATED' }), daughter] });
    show(<MovePage />);
    await step('Which contract are you moving?');
    expect(screen.getAllByRole('radio').map((r) => (r as HTMLInputElement).value)).toEqual(['A-1', 'A-2']);
  });

  test('no agreement can be moved: shows the phone number', async () => {
    customerApi({ 'GET /agreements': [agreement('A-0', { status: 'TERMINATED' })] });
    show(<MovePage />);
    expect(await screen.findByText('You have no contract that you can move online')).toBeVisible();
    expect(screen.getByRole('link', { name: /050/ })).toHaveAttribute('href', 'tel:0501234567');
  });

  test('an agreement with a pending move cannot be chosen; when there is no other, the move is shown', async () => {
    const api = customerApi({ 'GET /agreements': two, 'GET /moves': [filed()] });
    const { unmount } = show(<MovePage />);
    await step('Which contract are you moving?');
    expect(screen.getByRole('radio', { name: 'Vast A-1' })).toHaveAccessibleDescription(/already being processed/);
    unmount();
    api.answers['GET /agreements'] = [agreement('A-1')];
    show(<MovePage />);
    expect(await screen.findByRole('heading', { name: 'Your move is being processed' })).toBeVisible();
    expect(screen.getByText('on 20-11-2026')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  });
});

describe('page 1', () => {
  row('5.2-lookup-trigger', 'the postal code that loses focus looks up too, once there is a house number', async () => {
    const api = customerApi();
    show(<MovePage />);
    await step('Where are you moving to?');
    await userEvent.type(screen.getByRole('textbox', { name: 'House number' }), '7');
    await userEvent.tab();
    expect(lookups(api)).toEqual([]);
    await userEvent.type(screen.getByRole('textbox', { name: 'Postal code' }), '9731ab');
    expect(lookups(api)).toEqual([]);
    await userEvent.tab();
    expect(await screen.findByText('Lindelaan 7')).toBeVisible();
    expect(lookups(api).map((c) => c.query)).toEqual([{ zipCode: '9731AB', houseNumber: '7' }]);
  });

  row(
    ['2.2-page1', '2.2-lookup-autofill', '5.2-lookup-trigger', '5.2-zip-normalise'],
    'is looked up when a field loses focus and both are filled in',
    async () => {
      const api = customerApi();
      show(<MovePage />);
      await step('Where are you moving to?');
      const [zip, number] = [
        screen.getByRole('textbox', { name: 'Postal code' }),
        screen.getByRole('textbox', { name: 'House number' }),
      ];
      const old = screen.getByRole('group', { name: 'Old address' });
      expect(old).toHaveTextContent(/^Old address Molenweg 18, 9861 GT Grootegast · Electricity and gas$/);
      expect(old.querySelector('input, select, button'), 'it is text').toBeNull();
      expect(screen.queryByLabelText('Extension'), 'what there is to choose from is not known yet').toBeNull();
      expect(screen.getByText(/You choose it as soon as we have found the address\.$/)).toBeVisible();
      await userEvent.type(zip, '9731 ab');
      await userEvent.tab();
      expect(lookups(api)).toEqual([]);
      expect(zip).toHaveValue('9731 AB');
      await userEvent.type(number, '7');
      expect(lookups(api)).toEqual([]);
      await userEvent.tab();
      expect(await screen.findByText('Lindelaan 7')).toBeVisible();
      expect(screen.getByText('9731 AB Groningen')).toBeVisible();
      expect(document.querySelector('[data-found]')).toHaveTextContent('Electricity and gas');
      expect(lookups(api).map((c) => c.query)).toEqual([{ zipCode: '9731AB', houseNumber: '7' }]);
      await userEvent.type(number, '0');
      expect(screen.queryByText('Lindelaan 7')).toBeNull(); // it belonged to another number
      await userEvent.type(number, '{Backspace}');
      expect(await screen.findByText('Lindelaan 7')).toBeVisible();
      // and also when the postal code loses focus
      cleanup();
      sessionStorage.clear();
      const again = customerApi();
      show(<MovePage />);
      await step('Where are you moving to?');
      await userEvent.type(screen.getByRole('textbox', { name: 'House number' }), '21');
      await userEvent.tab();
      expect(lookups(again)).toEqual([]);
      await userEvent.type(screen.getByRole('textbox', { name: 'Postal code' }), '9746 te');
      expect(lookups(again)).toEqual([]);
      await userEvent.tab();
      expect(await screen.findByText('Zonneweide 21')).toBeVisible();
      expect(lookups(again).map((c) => c.query)).toEqual([{ zipCode: '9746TE', houseNumber: '21' }]);
    },
  );

  row('4-lookup-states', 'during the lookup no other text is shown', async () => {
    let answer: (v: unknown) => void = () => undefined;
    const api = customerApi({
      'GET /address': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    show(<MovePage />);
    await enter('9731AB', '7');
    expect(await screen.findByText('We are looking up the address…')).toBeVisible();
    expect(screen.queryByLabelText('Extension')).toBeNull();
    expect(next()).not.toHaveAttribute('aria-disabled');
    await act(async () => answer(register(lookups(api)[0] as FakeRequest)));
    expect(await screen.findByText('Lindelaan 7')).toBeVisible();
    expect(screen.queryByText('We are looking up the address…')).toBeNull();
    expect(next()).not.toHaveAttribute('aria-disabled');
  });

  row('9-move-one-press', 'a press on Next leaves the field, waits for the lookup and goes on', async () => {
    const answers: ((v: unknown) => void)[] = [];
    const api = customerApi({ 'GET /address': () => new Promise((resolve) => answers.push(resolve)) });
    show(<MovePage />);
    await step('Where are you moving to?');
    await userEvent.type(screen.getByRole('textbox', { name: 'Postal code' }), '1234AB');
    await userEvent.type(screen.getByRole('textbox', { name: 'House number' }), '1');
    await userEvent.click(next());
    expect(next()).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByText('We are looking up the address…')).toBeVisible();
    await act(async () => answers[0]?.(refuse(404, 'move.address_unknown')));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveFocus());
    expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveAccessibleDescription(/does not exist/);
    expect(next()).not.toHaveAttribute('aria-busy');
    await enter('9731AB', '7'); // the lookup is in progress when Next is pressed
    await userEvent.click(next());
    expect(next()).toHaveAttribute('aria-busy', 'true');
    await act(async () => answers.at(-1)?.(register(lookups(api).at(-1) as FakeRequest)));
    await step('When are you moving?');
  });

  row('9-move-one-press', 'after too many lookups a press on Next tries again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const api = customerApi({ 'GET /address': refuse(429, 'too_many_calls') });
    show(<MovePage />);
    await enter('9731AB', '7');
    await screen.findAllByText('That went a little fast.');
    api.answers['GET /address'] = register;
    await userEvent.click(next());
    await step('When are you moving?');
  });

  row(
    ['5.2-err-multiple-addresses', '2.2-lookup-autofill', '4-lookup-states', '8-validation-no-generic', '9-move-extension'],
    'several addresses: an extension is required, which gives street and city',
    async () => {
      const api = customerApi({ 'GET /address': register });
      show(<MovePage />);
      await step('Where are you moving to?');
      const extension = () => screen.getByRole('combobox', { name: 'Extension' });
      expect(screen.queryByLabelText('Extension'), '9-move-extension').toBeNull();
      await enter('9711cd', '12');
      expect((await screen.findAllByText(/several addresses with this house number. Choose an extension/))[0]).toBeVisible();
      expect(
        within(extension())
          .getAllByRole('option')
          .map((o) => o.textContent),
        '9-move-extension: those that exist',
      ).toEqual(['Choose', 'none', 'A', 'bis']);
      expect(extension(), '9-move-extension').toHaveFocus();
      expect(extension()).toHaveAttribute('aria-invalid', 'true');
      expect(next()).toHaveAttribute('aria-disabled', 'true');
      noGenericError();
      await userEvent.selectOptions(extension(), 'bis');
      expect(await screen.findByText('Havenstraat 12 bis')).toBeVisible();
      expect(screen.getByText('9711 CD Groningen')).toBeVisible();
      expect(document.querySelector('[data-found]')).toHaveTextContent('Electricity and gas');
      expect(screen.queryByText(/several addresses with/)).toBeNull();
      expect(lookups(api).at(-1)?.query.houseNumberExtension).toBe('bis');
      await userEvent.selectOptions(extension(), 'none');
      expect(await screen.findByText('Havenstraat 12')).toBeVisible();
      expect(lookups(api).at(-1)?.query.houseNumberExtension).toBe('');
    },
  );

  test('the extension may be typed after the number, as on an envelope', async () => {
    customerApi();
    show(<MovePage />);
    await enter('9711 CD', '12 a');
    expect(await screen.findByText('Havenstraat 12 a')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'House number' })).toHaveValue('12');
    expect(screen.getByRole('combobox', { name: 'Extension' })).toHaveDisplayValue('A');
  });

  row('9-move-extension', 'one that the register does not know has a field of its own, and is looked up as a whole', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const api = customerApi({
      'GET /address': (r: FakeRequest) => (r.query.houseNumberExtension ? refuse(404, 'move.address_unknown') : register(r)),
    });
    show(<MovePage />);
    await enter('9731 AB', '7 x');
    const field = await screen.findByRole('textbox', { name: 'Extension' });
    expect(field).toHaveValue('x');
    expect(field).toHaveAccessibleDescription(/does not exist/);
    await userEvent.type(field, 'yz');
    expect(lookups(api).at(-1)?.query.houseNumberExtension, 'not at every letter').toBe('x');
    await userEvent.tab();
    await waitFor(() => expect(lookups(api).at(-1)?.query.houseNumberExtension).toBe('xyz'));
    await userEvent.clear(await screen.findByRole('textbox', { name: 'Extension' }));
    await userEvent.tab();
    expect(await screen.findByText('Lindelaan 7')).toBeVisible();
    expect(screen.queryByLabelText('Extension'), 'there is no other one').toBeNull();
    expect(screen.getByRole('textbox', { name: 'House number' })).toHaveValue('7');
  });

  row(
    [
      '5.2-err-non-existing',
      '8-lookup-failed',
      '8-validation-no-generic',
      '4-lookup-states',
      '7.3-two-lookups-reconcile',
      '4-move-page1-valid',
      '2.5-move-page1-validator',
    ],
    'an unknown address, and a refused lookup',
    async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const api = customerApi();
      show(<MovePage />);
      await enter('1234AB', '1');
      expect((await screen.findAllByText(/This address does not exist/))[0]).toBeVisible();
      expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveAttribute('aria-invalid', 'true');
      expect(screen.queryByText('Something unexpected happened.')).toBeNull();
      expect(next()).toHaveAttribute('aria-disabled', 'true');
      expect(warn).toHaveBeenLastCalledWith('move: the address lookup failed: 404 move.address_unknown');
      api.answers['GET /address'] = refuse(422, 'unprocessable');
      await enter('1234AB', '2');
      await waitFor(() => expect(warn).toHaveBeenLastCalledWith('move: the address lookup failed: 422 unprocessable'));
      expect(screen.getAllByText(/This address does not exist/)[0]).toBeVisible();
      expect(screen.queryByText('Something unexpected happened.')).toBeNull();
      // the wizard uses the first of the two lookup operations
      const lookupCalls = api.calls.filter((c) => c.path === '/address' || c.path.startsWith('/lambda'));
      expect(new Set(lookupCalls.map((c) => `${c.method} ${c.path}`))).toEqual(new Set(['GET /address']));
      expect(screen.getByRole('textbox', { name: 'House number' })).toHaveValue('2'); // the input is kept
    },
  );

  row(
    [
      '5.2-err-multiple-connections',
      '2.2-offline-multi-connection',
      '8-validation-no-generic',
      '4-move-page1-valid',
      '2.5-move-page1-validator',
    ],
    'is explained, with the phone number',
    async () => {
      customerApi();
      show(<MovePage />);
      await enter('9723HG', '3');
      const alerts = (await screen.findAllByText(/several connections for the same energy/)).map((e) =>
        e.closest('[role=status]'),
      );
      expect(alerts.find(Boolean)).toHaveTextContent('Call customer service');
      expect(next()).toHaveAttribute('aria-disabled', 'true');
      noGenericError();
    },
  );

  row(
    [
      '5.2-err-different-connections',
      '4-move-connections-match',
      '8-validation-no-generic',
      '4-move-page1-valid',
      '2.5-move-page1-validator',
    ],
    'gas at the old address only',
    async () => {
      customerApi();
      show(<MovePage />);
      await enter('9746TE', '21');
      expect((await screen.findAllByText(/differ from those at your old address/))[0]).toBeVisible();
      expect(document.querySelector('[data-found]')).toHaveTextContent('Electricity, no gas');
      expect(next()).toHaveAttribute('aria-disabled', 'true');
      noGenericError();
    },
  );

  row(['2.2-offline-existing-agreement', '8-validation-no-generic'], 'an address with an existing agreement', async () => {
    customerApi();
    show(<MovePage />);
    await enter('9861gt', '18');
    expect((await screen.findAllByText(/already have a contract at this address/))[0]).toBeVisible();
    expect(next()).toHaveAttribute('aria-disabled', 'true');
    noGenericError();
  });

  row(
    ['4-addr-lookup-down', '8-lookup-failed'],
    'shows that, accepts street and city by hand, keeps the input, and marks the move for staff',
    async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const api = customerApi();
      show(<MovePage />);
      await enter('9799zz', '1');
      expect(await screen.findByText(/cannot look up addresses right now/)).toBeVisible();
      expect(warn).toHaveBeenLastCalledWith(expect.stringMatching(/^move: the address lookup failed: 5\d\d /));
      expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveValue('9799 ZZ');
      await userEvent.click(next());
      expect(screen.getByRole('textbox', { name: 'Street' })).toHaveAccessibleDescription('Fill in the street.');
      await userEvent.type(screen.getByRole('textbox', { name: 'Street' }), 'Storingsteeg');
      await userEvent.type(screen.getByRole('textbox', { name: 'City' }), 'Groningen');
      await userEvent.type(screen.getByRole('textbox', { name: 'Extension' }), 'b 2');
      const before = lookups(api).length;
      await userEvent.click(screen.getByRole('button', { name: 'Look it up again' }));
      await waitFor(() => expect(lookups(api).length).toBe(before + 1));
      expect(screen.getByRole('textbox', { name: 'Street' })).toHaveValue('Storingsteeg');
      await userEvent.click(next());
      await step('When are you moving?');
      await userEvent.click(screen.getByRole('button', { name: /^as soon as possible/ }));
      await userEvent.click(next());
      expect(await screen.findByText(/You entered this address yourself/)).toBeVisible();
      await userEvent.click(send());
      await screen.findByText('Thank you, your move has been requested');
      expect(puts(api)[0]?.body).toMatchObject({
        new_address: {
          street: 'Storingsteeg',
          house_number: '1',
          house_number_extension: 'b 2',
          zip_code: '9799ZZ',
          city: 'Groningen',
          unchecked: true,
        },
      });
    },
  );

  row(['8-lookup-failed', '4-addr-lookup-down'], 'a lookup that times out counts as a register that is down', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    customerApi({
      'GET /address': () => {
        throw new TypeError('network');
      },
    });
    show(<MovePage />);
    await enter('9731AB', '7');
    expect(await screen.findByText(/cannot look up addresses right now/)).toBeVisible();
    expect(warn).toHaveBeenLastCalledWith(expect.stringMatching(/^move: the address lookup failed: 0 /));
    expect(screen.queryByText(/does not exist/)).toBeNull();
  });

  test.each([
    ['nothing', () => undefined],
    ['junk', () => new Response('<h1>Gateway</h1>', { headers: { 'Content-Type': 'text/html' } })],
    ['another shape', () => ({ response: [] })],
  ])('an answer that holds %s is none', async (_, answer) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    customerApi({ 'GET /address': answer });
    show(<MovePage />);
    await enter('9731AB', '7');
    expect(await screen.findByText(/cannot look up addresses right now/)).toBeVisible();
  });

  row('8-lookup-failed', 'too many lookups show a text to wait, not an unknown address', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    customerApi({ 'GET /address': refuse(429, 'too_many_calls') });
    show(<MovePage />);
    await enter('9731AB', '7');
    expect((await screen.findAllByText('That went a little fast.'))[0]).toBeVisible();
    expect(screen.queryByText(/does not exist/)).toBeNull();
    expect(screen.queryByText(/cannot look up addresses right now/)).toBeNull();
    expect(warn).toHaveBeenLastCalledWith('move: the address lookup failed: 429 too_many_calls');
  });

  row('9-move-quiet', 'what is missing is said once a field was left; screen readers have it from the start', async () => {
    customerApi();
    show(<MovePage />);
    await step('Where are you moving to?');
    const zip = screen.getByLabelText('Postal code');
    expect(next()).toHaveAccessibleDescription('You can go on once we have found the new address.');
    const reason = screen.getByText('You can go on once we have found the new address.');
    expect(reason).not.toBeVisible();
    await userEvent.type(zip, '97');
    await userEvent.clear(zip);
    expect(zip).not.toHaveAccessibleDescription(/Fill in the postal code/);
    expect(reason).not.toBeVisible();
    await userEvent.tab();
    expect(zip).toHaveAccessibleDescription(/Fill in the postal code/);
    expect(reason).toBeVisible();
  });

  row('5.2-new-address-required', 'show an error at their fields', async () => {
    customerApi();
    show(<MovePage />);
    await step('Where are you moving to?');
    await userEvent.click(next());
    expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveAccessibleDescription(/Fill in the postal code/);
    expect(screen.getByRole('textbox', { name: 'House number' })).toHaveAccessibleDescription(/Fill in the house number/);
    expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveFocus();
  });
});

describe('page 2', () => {
  const dates = async (start: string, stop = '') => {
    const [from, until] = [screen.getByLabelText(/^Start date/), screen.getByLabelText(/^End date/)];
    for (const [field, value] of [
      [from, start],
      [until, stop],
    ] as const) {
      await userEvent.clear(field);
      if (value) await userEvent.type(field, value);
      await userEvent.tab();
    }
  };
  const wrong = (label: RegExp) => screen.getByLabelText(label).getAttribute('aria-invalid');
  const errorOf = (label: RegExp) => {
    const ids = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
  };
  const open = async () => {
    keepDraft({});
    customerApi();
    show(<MovePage />, { at: '/move?page=2' });
    await step('When are you moving?');
  };

  row(
    [
      '2.2-page2',
      '5.2-start-required',
      '5.2-date-invalid',
      '5.2-date-past',
      '5.2-past-precedence-reconcile',
      '5.2-start-min-two-days',
      '5.2-start-before-stop',
      '5.2-stop-optional',
    ],
    'every rule has an error at its own field',
    async () => {
      await open();
      await userEvent.click(next());
      expect(errorOf(/^Start date/)).toMatch(/Choose from which day/);
      expect(wrong(/^End date/)).toBeNull();
      await dates('31-2-2027', 'soon');
      expect([errorOf(/^Start date/), errorOf(/^End date/)]).toEqual([
        expect.stringMatching(/do not understand this date/),
        expect.stringMatching(/do not understand this date/),
      ]);
      await dates('19-11-2026', '18-11-2026');
      expect(errorOf(/^Start date/)).toMatch(/in the past/);
      expect(errorOf(/^Start date/)).not.toMatch(/two days/);
      expect(errorOf(/^End date/)).toMatch(/in the past/);
      await dates('21-11-2026');
      expect(errorOf(/^Start date/)).toMatch(/two days/);
      await dates('22-11-2026', '21-11-2026');
      expect(wrong(/^Start date/)).toBeNull();
      expect(errorOf(/^End date/)).toMatch(/before the day on which you start/);
      await dates('22-11-2026', '22-11-2026');
      expect(wrong(/^End date/)).toBeNull();
      await dates('22-11-2026');
      expect(next()).not.toHaveAttribute('aria-disabled');
    },
  );

  row('9-move-after-end', 'a start after the end of the contract is answered, and not refused', async () => {
    keepDraft({});
    customerApi({ 'GET /agreements': [agreement('A-1', { period: { from: '2024-01-01', to: '2027-08-31' } })] });
    show(<MovePage />, { at: '/move?page=2' });
    await step('When are you moving?');
    await dates('31-8-2027');
    expect(screen.queryByText(/Your contract runs until/)).toBeNull();
    await dates('1-9-2027');
    expect(screen.getByText(/Your contract runs until/)).toHaveTextContent('31-08-2027');
    expect(screen.getByText(/we tell you what applies after it/)).toBeVisible();
    expect(wrong(/^Start date/)).toBeNull();
    await userEvent.click(next());
    await step('Is everything right?');
  });

  row(['5.2-date-format', '2.2-page3-no-stop-date'], 'days can be typed in several forms and are shown in one', async () => {
    await open();
    await dates('1/12/2026', '5.12.2026');
    expect(
      [screen.getByLabelText(/^Start date/), screen.getByLabelText(/^End date/)].map((f) => (f as HTMLInputElement).value),
    ).toEqual(['01-12-2026', '05-12-2026']);
    await userEvent.click(next());
    await step('Is everything right?');
    expect(screen.getByText('01-12-2026')).toBeVisible();
    expect(screen.getByText('05-12-2026')).toBeVisible();
    expect(screen.queryByText(/No end date chosen/)).toBeNull();
    expect(storedDraft()).toMatchObject({ start: '2026-12-01', stop: '2026-12-05' });
  });

  test('an unfinished date is kept after a reload', async () => {
    keepDraft({});
    customerApi();
    const first = show(<MovePage />, { at: '/move?page=2' });
    await step('When are you moving?');
    await dates('1-12', '3');
    expect(errorOf(/^Start date/), 'as soon as the field is left').toMatch(/do not understand this date/);
    first.unmount();
    show(<MovePage />, { at: '/move?page=2' });
    await step('When are you moving?');
    const [from, until] = [screen.getByLabelText(/^Start date/), screen.getByLabelText(/^End date/)];
    expect([from, until].map((f) => (f as HTMLInputElement).value)).toEqual(['1-12', '3']);
    expect(next()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.type(from, '-2026');
    await userEvent.clear(until);
    expect(storedDraft()).toMatchObject({ start: '2026-12-01', stop: '' });
    await userEvent.click(next());
    await step('Is everything right?');
  });
});

describe('page 3', () => {
  row(
    [
      '2.2-page3',
      '2.2-page3-no-stop-date',
      '3-move-commodities',
      '3-move-residential-default',
      '3-move-extra-addresses',
      '6-customer-edits',
    ],
    'shows everything, and sends it',
    async () => {
      const api = customerApi();
      show(<MovePage />);
      await fillIn();
      for (const [block, text] of [
        ['You are moving from', 'Molenweg 18'],
        ['You are moving from', 'Vast A-1'],
        ['You are moving to', 'Lindelaan 7'],
        ['When', '22-11-2026'],
      ] as const)
        expect(screen.getByRole('region', { name: block }), '2.2-page3').toHaveTextContent(text);
      expect(screen.getByText(/No end date chosen/)).toBeVisible();
      expect(puts(api), 'nothing is sent before it is confirmed').toEqual([]);
      api.answers['GET /moves'] = [filed()];
      await userEvent.click(send());
      expect(await screen.findByRole('heading', { name: 'Thank you, your move has been requested' })).toBeVisible();
      const to = { street: 'Lindelaan', house_number: '7', house_number_extension: '', zip_code: '9731AB', city: 'Groningen' };
      expect(puts(api).map((c) => c.body)).toEqual([
        {
          commodities: ['ELECTRICITY', 'GAS'],
          new_address: to,
          new_invoice_address: to,
          new_postal_address: to,
          old_address: {
            street: 'Molenweg',
            house_number: '18',
            house_number_extension: '',
            zip_code: '9861GT',
            city: 'Grootegast',
          },
          agreement_identifier_with_sequence: 'A-1',
          start_date: '2026-11-22',
          is_residential: true,
          address_type: 'SHIPPING',
        },
      ]);
    },
  );

  row('9-move-next', 'before it is sent it says what happens then, with the days', async () => {
    keepDraft({ start: '2026-12-01' });
    customerApi();
    const { unmount } = show(<MovePage />, { at: '/move?page=3' });
    await step('Is everything right?');
    const then = screen.getByRole('region', { name: 'What happens next' });
    expect(
      within(then)
        .getAllByRole('listitem')
        .map((i) => i.textContent),
    ).toEqual([
      expect.stringContaining('usually within 2 working days'),
      expect.stringContaining('We supply Lindelaan 7from 01-12-2026'),
      expect.stringContaining('at your old address on 01-12-2026'),
    ]);
    unmount();
    keepDraft({ start: '2026-12-01', stop: '2026-12-05' });
    customerApi();
    show(<MovePage />, { at: '/move?page=3' });
    expect(await screen.findByText(/at your old address on 05-12-2026/)).toBeVisible();
  });

  row('9-move-choices', 'what was chosen stands next to the form, and grows with it', async () => {
    customerApi();
    show(<MovePage />);
    await step('Where are you moving to?');
    const choices = () => screen.getByText('Your move').closest('section') as HTMLElement; // hidden: the window of the test is narrow
    const shown = () => [...choices().querySelectorAll('dd')].map((d) => d.textContent);
    const later = 'not filled in yet';
    const from = 'Molenweg 189861 GT Grootegast';
    expect(shown()).toEqual(['Vast A-1', from, later, later]);
    await enter('9731AB', '7');
    await screen.findByText('Lindelaan 7');
    expect(shown()).toEqual(['Vast A-1', from, 'Lindelaan 79731 AB Groningen', later]);
    await userEvent.click(next());
    await step('When are you moving?');
    await userEvent.click(screen.getByRole('button', { name: /^as soon as possible/ }));
    expect(shown().at(-1)).toBe('22-11-2026');
    await userEvent.click(screen.getByRole('button', { name: /^two weeks later/ }));
    expect(shown().slice(3)).toEqual(['22-11-2026', '06-12-2026']);
    const following = choices().compareDocumentPosition(next()) & Node.DOCUMENT_POSITION_FOLLOWING;
    expect(following, 'above the last button').toBeTruthy();
    await userEvent.click(next());
    await step('Is everything right?');
    expect(screen.queryByText('Your move'), 'the page is the summary').toBeNull();
  });

  test('each block links back to its page, and nothing is lost', async () => {
    customerApi();
    show(<MovePage />);
    await fillIn();
    await userEvent.click(screen.getByRole('button', { name: 'Change address' }));
    await step('Where are you moving to?');
    expect(screen.getByRole('textbox', { name: 'Postal code' })).toHaveValue('9731 AB');
    await userEvent.click(screen.getByRole('checkbox', { name: /invoices and post/ }));
    await userEvent.click(next());
    await step('When are you moving?');
    expect(screen.getByLabelText(/^Start date/)).toHaveValue('22-11-2026');
    await userEvent.click(next());
    await step('Is everything right?');
    expect(screen.getByText('Invoices and post to this address').nextElementSibling).toHaveTextContent('No');
  });

  test('an impersonator cannot send and reads why', async () => {
    const api = customerApi();
    show(<MovePage />, impersonated);
    await fillIn();
    expect(send()).toHaveAccessibleDescription(/only viewing this portal/);
    await userEvent.click(send());
    expect(puts(api)).toEqual([]);
  });

  test('a double click and a retry send one move', async () => {
    let answer: (v: unknown) => void = () => undefined;
    const api = customerApi({ 'PUT /move': () => new Promise((resolve) => (answer = resolve)) });
    show(<MovePage />);
    await fillIn();
    await userEvent.dblClick(send());
    await waitFor(() => expect(puts(api)).toHaveLength(1));
    await act(async () => answer(refuse(503, 'unavailable')));
    await step('Where are you moving to?');
    await userEvent.click(next());
    await step('When are you moving?');
    await userEvent.click(next());
    await step('Is everything right?');
    await userEvent.click(send());
    await waitFor(() => expect(puts(api)).toHaveLength(2));
    const keys = puts(api).map((c) => c.headers.get('Idempotency-Key'));
    expect(keys[0]).toMatch(/^[A-Za-z0-9._~-]{1,64}$/);
    expect(keys[1]).toBe(keys[0]);
  });
});

describe('outcomes', () => {
  row(
    ['2.2-page4', '4-move-submit-states'],
    'after sending: a thank-you text with the next steps, and the draft is cleared',
    async () => {
      const api = customerApi();
      show(<MovePage />);
      await fillIn();
      expect(storedDraft()).toMatchObject({ houseNumber: '7' });
      api.answers['GET /moves'] = [filed()];
      await userEvent.click(send());
      expect(await screen.findByRole('heading', { level: 1, name: 'Thank you, your move has been requested' })).toHaveFocus();
      expect(storedDraft()).toBeNull();
      expect(steps()).toBeNull();
      expect(await screen.findByText('Being processed')).toBeVisible();
      expect(screen.getByText('from 22-11-2026')).toBeVisible();
      api.answers['GET /moves/{id}/calendar'] = file('verhuizing-2026-11-22.ics', 'BEGIN:VCALENDAR', 'text/calendar');
      await userEvent.click(screen.getByRole('button', { name: 'Add to calendar' }));
      await waitFor(() => expect(api.saved.map((s) => 'name' in s && s.name)).toEqual(['verhuizing-2026-11-22.ics']));
    },
  );

  row(
    ['8-move-4xx', '4-move-submit-states', '8-move-failed-page-reconcile'],
    'refused: page 1 with the notice and the reasons, also at their fields',
    async () => {
      const api = customerApi({
        'PUT /move': refuse(400, 'invalid', [{ field: 'new_address.house_number_extension', code: 'move.multiple_addresses' }]),
      });
      show(<MovePage />);
      await fillIn();
      await userEvent.click(send());
      const notice = await screen.findByRole('alert');
      expect(notice).toHaveTextContent('Something seems wrong in the values, please verify.');
      expect(notice).toHaveTextContent('Choose an extension');
      expect(await step('Where are you moving to?')).toBeVisible();
      expect(screen.getByText('Lindelaan 7')).toBeVisible();
      const extension = await screen.findByRole('textbox', { name: 'Extension' });
      await waitFor(() => expect(extension).toHaveAccessibleDescription(/Choose an extension/));
      expect(puts(api)).toHaveLength(1);
    },
  );

  row('8-move-4xx', 'also without reasons, up to 499', async () => {
    customerApi({ 'PUT /move': refuse(499, 'unknown') });
    show(<MovePage />);
    await fillIn();
    await userEvent.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('Something seems wrong in the values, please verify.');
    expect(await step('Where are you moving to?')).toBeVisible();
  });

  row(['8-move-5xx', '4-move-submit-states', '8-move-failed-page-reconcile'], 'failed: page 1 with the notice', async () => {
    customerApi({ 'PUT /move': refuse(500, 'internal') });
    show(<MovePage />);
    await fillIn();
    await userEvent.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong, try later.');
    await step('Where are you moving to?');
    await userEvent.click(next());
    await step('When are you moving?');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('an existing move shows a text', async () => {
    customerApi({ 'PUT /move': refuse(409, 'change_pending') });
    show(<MovePage />);
    await fillIn();
    await userEvent.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('You have already asked for this change.');
  });

  test('a move submitted in another tab replaces the form', async () => {
    const api = customerApi({ 'PUT /move': refuse(409, 'change_pending') });
    show(<MovePage />);
    await fillIn();
    api.answers['GET /moves'] = [filed()];
    await userEvent.click(send());
    expect(await screen.findByRole('heading', { name: 'Your move is being processed' })).toBeVisible();
  });

  row(['8-move-page4-no-success', '2.2-page4'], 'page 4 without a submitted move shows an error', async () => {
    customerApi();
    show(<MovePage />, { at: '/move?page=4' });
    expect(await screen.findByText('Something went wrong, try later.')).toBeVisible();
    expect(screen.queryByText(/Thank you/)).toBeNull();
  });
});

describe('the URL of the wizard', () => {
  row(['2.2-stepper-steps', '2.2-pages'], 'the stepper shows 0 to 3, and not on page 4', async () => {
    customerApi();
    const { unmount } = show(<MovePage />, { at: '/move?page=0' });
    await step('Which contract are you moving?');
    const names = within(steps() as HTMLElement).getAllByRole('listitem');
    expect(names.map((n) => n.textContent?.replace(/^\d|\(done\)/g, '').trim())).toEqual([
      'Contract',
      'Address',
      'Dates',
      'Check',
    ]);
    unmount();
    show(<MovePage />, { at: '/move?page=4' });
    await screen.findByText('Something went wrong, try later.');
    expect(steps()).toBeNull();
  });

  row(['2.2-pages', '2.2-stepper-steps', '2.2-stepper-click'], 'each page has its number; there is no other', async () => {
    const titles = ['Which contract are you moving?', 'Where are you moving to?', 'When are you moving?', 'Is everything right?'];
    for (const [n, title] of titles.entries()) {
      keepDraft({ start: '2026-11-23' });
      customerApi();
      const { unmount } = show(<MovePage />, { at: `/move?page=${n}` });
      await step(title);
      const others = ['Contract', 'Address', 'Dates', 'Check'].filter((_, at) => at !== n);
      await waitFor(() => {
        const open = within(steps() as HTMLElement).getAllByRole('button');
        expect(open.map((b) => b.textContent?.replace(/^\d|\(done\)/g, '').trim())).toEqual(others);
      });
      unmount();
    }
    for (const none of ['5', '-1', 'x']) {
      sessionStorage.clear();
      customerApi({ 'GET /agreements': two });
      const { unmount } = show(<MovePage />, { at: `/move?page=${none}` });
      await step('Which contract are you moving?');
      unmount();
    }
  });

  row('2.2-stepper-click', 'only when the steps before it are valid', async () => {
    customerApi();
    show(<MovePage />);
    await step('Where are you moving to?');
    const open = () =>
      within(steps() as HTMLElement)
        .queryAllByRole('button')
        .map((b) => b.textContent);
    expect(open()).toHaveLength(1); // back to the agreement
    await enter('9731AB', '7');
    await screen.findByText('Lindelaan 7');
    expect(open()).toEqual([expect.stringContaining('Contract'), expect.stringContaining('Dates')]);
    await userEvent.click(within(steps() as HTMLElement).getByRole('button', { name: /Dates/ }));
    await step('When are you moving?');
  });

  row('8-move-page4-no-success', 'an invalid page is replaced by the first invalid one', async () => {
    for (const [asked, part, page, title] of [
      [3, { asked: null }, 1, 'Where are you moving to?'],
      [2, { asked: null }, 1, 'Where are you moving to?'],
      [3, {}, 2, 'When are you moving?'],
      [2, {}, 2, 'When are you moving?'],
      [1, {}, 1, 'Where are you moving to?'],
    ] as const) {
      keepDraft(part);
      customerApi();
      const here = (
        <>
          <MovePage />
          <Here />
        </>
      );
      const { unmount } = show(here, { at: `/move?page=${asked}` });
      await step(title);
      await waitFor(() => expect(screen.getByRole('status', { name: 'where' })).toHaveTextContent(`/move?page=${page}`));
      unmount();
    }
  });

  test('after a reload the same page is restored with all values', async () => {
    keepDraft({ start: '2026-11-23', stop: '2026-12-01' });
    const api = customerApi();
    show(<MovePage />, { at: '/move?page=3' });
    await step('Is everything right?');
    expect(screen.getByRole('region', { name: 'You are moving to' })).toHaveTextContent('Lindelaan 7');
    expect(screen.getByText('01-12-2026')).toBeVisible();
    expect(lookups(api)).toHaveLength(1);
  });

  test('failed requests offer a retry', async () => {
    const api = customerApi({ 'GET /agreements': refuse(503, 'unavailable') });
    show(<MovePage />);
    await screen.findByText(/could not be loaded/);
    api.answers['GET /agreements'] = two;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await step('Which contract are you moving?');
  });
});
