import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { PhoneField, phoneOf } from './phone-field';
import { draw } from './test-render';

const user = userEvent.setup();

function Phone({ start }: { start: string }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <PhoneField label="Telefoonnummer" value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}
const field = () => screen.getByRole('textbox', { name: 'Telefoonnummer' });
const country = () => screen.getByRole('combobox', { name: 'Land van het telefoonnummer' });

row('5.4-phone-country-picker', 'the default is nl; nl, be, de and fr are first, then the rest of Europe', async () => {
  draw(<Phone start="" />);
  expect(country()).toHaveValue('NL');
  const codes = within(country())
    .getAllByRole<HTMLOptionElement>('option')
    .map((option) => option.value);
  expect(codes.slice(0, 4)).toEqual(['NL', 'BE', 'DE', 'FR']);
  // region Europe of the United Nations (M49), and the other members of the European Union
  const region =
    'AL AD AT BY BE BA BG HR CZ DK EE FI FR DE GR HU IS IE IT LV LI LT LU MT MD MC ME NL MK NO PL PT RO RU SM RS SK SI ES SE CH UA GB VA CY';
  for (const code of region.split(' ')) expect(codes).toContain(code);
  for (const code of ['US', 'MA', 'JP', 'BR']) expect(codes).not.toContain(code);
  expect(new Set(codes).size).toBe(codes.length);
  await user.selectOptions(country(), 'BE');
  await user.type(field(), '0470 12 34 56');
  expect(screen.getByRole('status')).toHaveTextContent(/^\+32470123456$/);
});

row('5.4-phone-max-length', 'the field accepts at most 20 characters', async () => {
  draw(<Phone start="" />);
  await user.type(field(), '0123456789012345678901234');
  expect(field()).toHaveValue('01234567890123456789');
});

row('5.4-phone-display', 'a stored +31 number is shown with a 0', () => {
  draw(<Phone start="+31612345678" />);
  expect(field()).toHaveValue('0612345678');
  expect(country()).toHaveValue('NL');
});

test('a Dutch number is sent with 0 and without dashes and spaces, a foreign one with its code', async () => {
  for (const typed of ['06-12 34 56 78', '+31 6 1234 5678', '0031612345678', '+31 (0)6 12345678'])
    expect(phoneOf(typed, 'NL'), typed).toBe('0612345678');
  expect(phoneOf('0032 470 12 34 56', 'NL')).toBe('+32470123456');
  draw(<Phone start="" />);
  await user.type(field(), '+49 151 23456789');
  expect(country()).toHaveValue('DE');
  expect(screen.getByRole('status')).toHaveTextContent(/^\+4915123456789$/);
});
