import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from './button';
import { Checkbox, RadioGroup } from './choice';
import { Form, SaveButton } from './form';
import { MoneyField, NumberStepper } from './number-fields';
import { Reasons } from './reasons';
import { SliderField } from './slider-field';
import { draw } from './test-render';
import { PasswordField, TextField } from './text-field';
import { useFields } from './use-fields';

const user = userEvent.setup();

function EmailForm({ save, busy = false }: { save(values: { email: string; name: string }): void; busy?: boolean }) {
  const fields = useFields({
    initial: { name: 'Sanne', email: 'sanne@voorbeeld.nl' },
    check: (v) => ({
      email: v.email.includes('@') ? undefined : 'Vul een geldig e-mailadres in.',
      name: v.name ? undefined : 'Vul je naam in.',
    }),
  });
  return (
    <Form busy={busy} {...fields.form(save)}>
      <TextField label="Naam" {...fields.field('name')} />
      <TextField label="E-mailadres" {...fields.field('email')} />
      <SaveButton disabledReason={fields.disabledReason} busy={busy} />
    </Form>
  );
}
const button = () => screen.getByRole('button', { name: 'Opslaan' });
const email = () => screen.getByRole('textbox', { name: 'E-mailadres' });

row(
  '2.3-save-enabled',
  'save waits for a valid difference, says why, leads to the first error, and is disabled only while sending',
  async () => {
    const save = vi.fn();
    const { rerender } = draw(<EmailForm save={save} />);
    // same as the current value
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).not.toBeDisabled();
    expect(button()).toHaveAccessibleDescription('Je hebt nog niets gewijzigd.');
    act(() => button().focus());
    expect(button()).toHaveFocus();
    await user.click(button());
    expect(save).not.toHaveBeenCalled();
    // different but not valid
    await user.clear(email());
    await user.type(email(), 'geen adres');
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toHaveAccessibleDescription('Nog niet alles is goed ingevuld.');
    await user.click(button());
    expect(save).not.toHaveBeenCalled();
    expect(email()).toHaveFocus();
    expect(email()).toHaveAccessibleDescription('Vul een geldig e-mailadres in.');
    // the Enter key does not submit it either
    await user.keyboard('{Enter}');
    expect(save).not.toHaveBeenCalled();
    // different and valid
    await user.clear(email());
    await user.type(email(), 'nieuw@voorbeeld.nl');
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(button()).not.toHaveAccessibleDescription();
    await user.click(button());
    expect(save).toHaveBeenCalledExactlyOnceWith({ name: 'Sanne', email: 'nieuw@voorbeeld.nl' });
    // while it is being sent
    rerender(<EmailForm save={save} busy />);
    expect(button()).toBeDisabled();
    rerender(<EmailForm save={save} />);
    await waitFor(() => expect(button()).toHaveFocus());
    // back to the initial value
    await user.clear(email());
    await user.type(email(), 'sanne@voorbeeld.nl');
    expect(button()).toHaveAttribute('aria-disabled', 'true');
  },
);

test('a refused submit has a summary at the top, with focus; each line links to its field', async () => {
  function Contact() {
    const fields = useFields({
      initial: { subject: '', text: '' },
      check: (v) => ({ subject: v.subject ? undefined : 'Kies een onderwerp.', text: v.text ? undefined : 'Schrijf je vraag.' }),
      changes: false,
    });
    return (
      <Form {...fields.form(() => {})}>
        <TextField label="Onderwerp" {...fields.field('subject')} />
        <TextField label="Vraag" {...fields.field('text')} />
        <button type="submit">Versturen</button>
      </Form>
    );
  }
  draw(<Contact />);
  await user.click(screen.getByRole('button', { name: 'Versturen' }));
  const summary = screen.getByRole('alert');
  expect(summary).toHaveFocus();
  expect(summary).toHaveTextContent('2 velden vragen nog aandacht');
  await user.click(screen.getByRole('link', { name: 'Schrijf je vraag.' }));
  expect(screen.getByRole('textbox', { name: 'Vraag' })).toHaveFocus();
  await user.keyboard('Waarom?');
  expect(screen.getByRole('alert')).toHaveTextContent('Eén veld vraagt nog aandacht');
  expect(screen.getByRole('textbox', { name: 'Vraag' })).toHaveFocus();
});

row('9-summary-names-fields', 'each line names its field, of any kind, and links to it', async () => {
  function Order() {
    const fields = useFields({
      initial: { size: '', zip: '', agreed: false, sort: null as string | null },
      check: () => ({ size: 'Vul dit veld in.', zip: 'Vul de postcode in.', agreed: 'Vink dit aan.', sort: 'Maak een keuze.' }),
      changes: false,
    });
    const sort = fields.field('sort');
    return (
      <Form {...fields.form(() => {})}>
        <TextField label="Aantal" hint="Hele getallen" {...fields.field('size')} />
        <TextField label="Postcode" {...fields.field('zip')} />
        <RadioGroup label="Soort" {...sort} onChange={sort.onChange} options={[{ value: 'a', text: 'Stroom' }]} />
        <Checkbox {...fields.box('agreed')}>Ik ga akkoord</Checkbox>
        <button type="submit">Versturen</button>
      </Form>
    );
  }
  draw(<Order />);
  await user.click(screen.getByRole('button', { name: 'Versturen' }));
  const lines = within(screen.getByRole('alert')).getAllByRole('link');
  expect(lines.map((line) => line.textContent)).toEqual([
    'Aantal: Vul dit veld in.',
    'Vul de postcode in.', // the text contains the name of the field
    'Ik ga akkoord: Vink dit aan.',
    'Soort: Maak een keuze.',
  ]);
  for (const [line, field] of [
    ['Aantal: Vul dit veld in.', screen.getByRole('textbox', { name: 'Aantal' })],
    ['Vul de postcode in.', screen.getByRole('textbox', { name: 'Postcode' })],
    ['Ik ga akkoord: Vink dit aan.', screen.getByRole('checkbox')],
    ['Soort: Maak een keuze.', screen.getByRole('radio')],
  ] as const) {
    await user.click(screen.getByRole('link', { name: line }));
    expect(field).toHaveFocus();
  }
});

test('an error of the server stays until its field is changed', async () => {
  function Name() {
    const fields = useFields({ initial: { name: '' }, check: () => ({}) });
    return (
      <Form {...fields.form(() => fields.refuse({ name: 'Deze naam is al in gebruik.' }))}>
        <TextField label="Gebruikersnaam" {...fields.field('name')} />
        <SaveButton disabledReason={fields.disabledReason} />
      </Form>
    );
  }
  draw(<Name />);
  const name = screen.getByRole('textbox', { name: 'Gebruikersnaam' });
  await user.type(name, 'sanne');
  await user.click(button());
  expect(name).toHaveValue('sanne');
  expect(name).toHaveAttribute('aria-invalid', 'true');
  await user.type(name, '1');
  expect(name).not.toHaveAttribute('aria-invalid');
});

test('a password can be shown', async () => {
  draw(<PasswordField label="Wachtwoord" autoComplete="current-password" value="geheim1A" onChange={() => {}} />);
  const field = screen.getByLabelText('Wachtwoord');
  expect(field).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Toon wachtwoord' }));
  expect(field).toHaveAttribute('type', 'text');
  expect(screen.getByRole('button', { name: 'Verberg wachtwoord' })).toHaveTextContent('Verberg');
});

test('typed money is parsed, and formatted when the field loses focus', async () => {
  const changed = vi.fn();
  function Amount() {
    const [cents, setCents] = useState<number | null>(12_350);
    return (
      <MoneyField
        label="Bedrag"
        value={cents}
        onChange={(next) => {
          setCents(next);
          changed(next);
        }}
      />
    );
  }
  draw(<Amount />);
  const field = screen.getByRole('textbox', { name: 'Bedrag' });
  expect(field).toHaveValue('123,50');
  await user.clear(field);
  await user.type(field, '45.50');
  expect(changed).toHaveBeenLastCalledWith(4550);
  await user.tab();
  expect(field).toHaveValue('45,50');
  await user.clear(field);
  await user.type(field, '12,3,4');
  expect(changed).toHaveBeenLastCalledWith(null);
  await user.tab();
  expect(field).toHaveValue('12,3,4'); // text that cannot be parsed is not cleared
});

test('a dot in a whole number separates thousands only', async () => {
  const changed = vi.fn();
  function Shares() {
    const [value, setValue] = useState<number | null>(1);
    const change = (next: number | null) => {
      setValue(next);
      changed(next);
    };
    return <NumberStepper label="Aantal" value={value} onChange={change} max={1_000_000} />;
  }
  draw(<Shares />);
  const field = screen.getByRole('spinbutton', { name: 'Aantal' });
  for (const [typed, number, stands] of [
    ['1.5', null, '1.5'],
    ['2.50', null, '2.50'],
    ['2,5', null, '2,5'],
    ['1.2500', null, '1.2500'],
    ['0.500', null, '0.500'],
    ['2.500', 2500, '2.500'],
    ['2 500', 2500, '2.500'],
    ['12500', 12_500, '12.500'],
    ['1.000.000', 1_000_000, '1.000.000'],
  ] as const) {
    await user.clear(field);
    await user.type(field, typed);
    expect(changed, typed).toHaveBeenLastCalledWith(number);
    await user.tab();
    expect(field, typed).toHaveValue(stands);
  }
});

test('a number is stepped within its limits, with buttons and keys', async () => {
  function Shares() {
    const [value, setValue] = useState<number | null>(1);
    return <NumberStepper label="Aantal" value={value} onChange={setValue} min={1} max={3} />;
  }
  draw(<Shares />);
  const field = screen.getByRole('spinbutton', { name: 'Aantal' });
  expect(screen.getByRole('button', { name: 'Minder: Aantal' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('button', { name: 'Meer: Aantal' }));
  expect(field).toHaveValue('2');
  await user.click(field);
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(field).toHaveValue('3');
  expect(field).toHaveAttribute('aria-valuenow', '3');
});

function Monthly({ changed }: { changed?(cents: number | null): void }) {
  const [value, setValue] = useState<number | null>(13_500);
  return (
    <SliderField
      label="Termijnbedrag"
      money
      stepper
      value={value}
      onChange={(next) => {
        setValue(next);
        changed?.(next);
      }}
      min={9_200}
      max={21_450}
      marker={{ value: 12_780, text: 'Ons advies: € 127,80' }}
    />
  );
}
const typedAmount = () => screen.getByRole('textbox', { name: 'Termijnbedrag' });
const slider = () => screen.getByRole('slider', { name: 'Termijnbedrag' });

test('an amount slides to whole euros, to its limits and to the advice, and with keys within its limits', async () => {
  const changed = vi.fn();
  draw(<Monthly changed={changed} />);
  expect(screen.getByText('Ons advies: € 127,80')).toBeVisible();
  expect(slider()).toHaveAttribute('aria-valuetext', expect.stringMatching(/^€\s135$/));
  for (const [to, stands] of [
    ['15023', 15_000],
    ['12790', 12_780],
    ['21420', 21_450],
    ['9210', 9_200],
  ] as const) {
    fireEvent.change(slider(), { target: { value: to } });
    expect(changed).toHaveBeenLastCalledWith(stands);
  }
  slider().focus();
  await user.keyboard('{End}{ArrowRight}');
  expect(changed).toHaveBeenLastCalledWith(21_450);
  const more = screen.getByRole('button', { name: 'Meer: Termijnbedrag' });
  expect(more).toHaveAttribute('aria-disabled', 'true');
  expect(more).toHaveAccessibleDescription('Hoger kan niet');
  await user.click(screen.getByRole('button', { name: 'Minder: Termijnbedrag' }));
  expect(changed).toHaveBeenLastCalledWith(21_350);
  expect(typedAmount()).toHaveValue('213,50');
  await user.keyboard('{Home}');
});

test('only digits and two decimals can be typed; a value outside the limits stays and the slider is at its limit', async () => {
  const changed = vi.fn();
  draw(<Monthly changed={changed} />);
  await user.clear(typedAmount());
  expect(changed).toHaveBeenLastCalledWith(null);
  await user.type(typedAmount(), 'a-1b2,3x45');
  expect(typedAmount()).toHaveValue('12,34');
  expect(changed).toHaveBeenLastCalledWith(1_234);
  await user.tab();
  expect(typedAmount()).toHaveValue('12,34');
  expect(slider()).toHaveValue('9200');
  await user.clear(typedAmount());
  await user.click(typedAmount());
  await user.paste('€ 1.234,50');
  expect(changed).toHaveBeenLastCalledWith(123_450);
  expect(slider()).toHaveValue('21450');
});

row(
  ['9-submit-reasons', '9-errors-quiet'],
  'a save button that cannot be used links to up to three fields that this is about, named as on the page',
  async () => {
    function Member() {
      const fields = useFields({
        initial: { agreed: false, zip: '', sort: null as string | null, hidden: '' }, // not in the order of the page
        check: (v) => ({
          zip: v.zip.length === 6 ? undefined : 'Vul de postcode in.',
          sort: v.sort ? undefined : 'Maak een keuze.',
          agreed: v.agreed ? undefined : 'Vink dit aan.',
          hidden: v.hidden || !v.agreed ? undefined : 'Dit veld staat niet op de pagina.',
        }),
        changes: false,
      });
      const sort = fields.field('sort');
      return (
        <Form {...fields.form(() => {})}>
          <TextField label="Postcode" {...fields.field('zip')} />
          <RadioGroup label="Soort" {...sort} onChange={sort.onChange} options={[{ value: 'a', text: 'Stroom' }]} />
          <Checkbox {...fields.box('agreed')}>Ik ga akkoord</Checkbox>
          <SaveButton disabledReason={fields.disabledReason} />
        </Form>
      );
    }
    draw(<Member />);
    const links = () => screen.queryAllByRole('link').map((link) => link.textContent);
    expect(button()).toHaveAccessibleDescription('Nog niet alles is goed ingevuld.');
    expect(links()).toEqual(['Vul “Postcode” in', 'Kies “Soort”', 'Vink “Ik ga akkoord” aan']);
    expect(within(screen.getByRole('list', { name: 'Nog in te vullen of te verbeteren' })).getAllByRole('listitem')).toHaveLength(
      3,
    );
    for (const [name, field] of [
      [/Postcode/, screen.getByRole('textbox')],
      [/Soort/, screen.getByRole('radio')],
      [/Ik ga akkoord/, screen.getByRole('checkbox')],
    ] as const) {
      await user.click(screen.getByRole('link', { name }));
      expect(field, String(name)).toHaveFocus();
    }
    await user.type(screen.getByRole('textbox'), '98');
    expect(links()[0], 'a value that is not right').toBe('Controleer “Postcode”');
    await user.type(screen.getByRole('textbox'), '61GT');
    expect(links()).toEqual(['Kies “Soort”', 'Vink “Ik ga akkoord” aan']);
    await user.click(screen.getByRole('checkbox'));
    expect(links()).toEqual(['Kies “Soort”']); // no link to a field that is not on the page
  },
);

row('9-errors-quiet', 'many empty fields: one link before the press, one summary of short links after it', async () => {
  const names = ['Voorletters', 'Achternaam', 'Straat', 'Plaats'] as const;
  function Person() {
    const fields = useFields({
      initial: { Plaats: '', Achternaam: '', Voorletters: '', Straat: '' } as Record<(typeof names)[number], string>,
      check: (v) => Object.fromEntries(names.map((name) => [name, v[name] ? undefined : `Vul je ${name.toLowerCase()} in.`])),
      changes: false,
    });
    return (
      <Form {...fields.form(() => {})}>
        {names.map((name) => (
          <TextField key={name} label={name} {...fields.field(name)} />
        ))}
        <SaveButton disabledReason={fields.disabledReason} />
      </Form>
    );
  }
  draw(<Person />);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['Naar het eerste van 4 velden']);
  await user.click(button());
  expect(screen.getByRole('textbox', { name: 'Voorletters' })).toHaveFocus();
  const summary = () => within(screen.getByRole('alert'));
  expect(screen.getByRole('alert')).toHaveTextContent(/^4 velden vragen nog aandacht/);
  expect(
    summary()
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(names);
  for (const name of names)
    expect(screen.getByRole('textbox', { name })).toHaveAccessibleDescription(`Vul je ${name.toLowerCase()} in.`);
  await user.click(summary().getByRole('link', { name: 'Straat' }));
  expect(screen.getByRole('textbox', { name: 'Straat' })).toHaveFocus();
  for (const name of names.slice(0, 2)) await user.type(screen.getByRole('textbox', { name }), 'x');
  expect(screen.getByRole('alert')).toHaveTextContent(/^2 velden vragen nog aandacht/);
  await user.type(screen.getByRole('textbox', { name: 'Straat' }), 'x');
  expect(screen.queryByRole('alert'), 'one field says it itself').toBeNull();
});

row(
  '9-submit-reasons',
  'a press on a button that has reasons leads to the first field, and it looks as if it can be pressed',
  async () => {
    draw(
      <>
        <TextField label="Aantal" name="count" value="" onChange={() => {}} />
        <TextField label="Naam" name="who" value="" onChange={() => {}} />
        <Button variant="primary" disabledReason="Dit ontbreekt nog:" reasons={<Reasons fields={['who', 'count']} />}>
          In winkelmand
        </Button>
        <Button variant="primary" disabledReason="Je kijkt alleen mee.">
          Opslaan
        </Button>
      </>,
    );
    const [leads, barred] = screen.getAllByRole('button');
    for (const button of [leads, barred]) expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(leads as HTMLElement);
    expect(screen.getByRole('textbox', { name: 'Aantal' })).toHaveFocus();
    expect(getComputedStyle(leads as HTMLElement).cursor).not.toBe('not-allowed');
    expect(getComputedStyle(barred as HTMLElement).cursor).toBe('not-allowed');
  },
);

test('no fields are named before anything has been changed, and none for another reason', async () => {
  const { unmount } = draw(<EmailForm save={() => {}} />);
  expect(button()).toHaveAccessibleDescription('Je hebt nog niets gewijzigd.');
  expect(screen.queryByRole('link')).toBeNull();
  unmount();
  function Barred() {
    const fields = useFields({ initial: { name: '' }, check: () => ({ name: 'Vul je naam in.' }), changes: false });
    return (
      <Form {...fields.form(() => {})}>
        <TextField label="Naam" {...fields.field('name')} />
        <SaveButton disabledReason="Je kijkt alleen mee." />
      </Form>
    );
  }
  draw(<Barred />);
  expect(button()).toHaveAccessibleDescription('Je kijkt alleen mee.');
  expect(screen.queryByRole('link')).toBeNull();
});
