import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { formatIban, maskIban, readIban } from './format';
import { IbanField } from './iban-field';
import { draw } from './test-render';

const user = userEvent.setup();

function Account({ changed, first = '' }: { changed(value: string): void; first?: string }) {
  const [value, setValue] = useState(first);
  return (
    <IbanField
      label="Nieuw IBAN"
      value={value}
      onChange={(next) => {
        setValue(next);
        changed(next);
      }}
    />
  );
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Nieuw IBAN' });
const caretAt = (at: number) => field().setSelectionRange(at, at);

test('groups by four while typing and passes on letters and digits only, in upper case', async () => {
  const changed = vi.fn();
  draw(<Account changed={changed} />);
  await user.type(field(), 'nl91abna0417164300');
  expect(field()).toHaveValue('NL91 ABNA 0417 1643 00');
  expect(changed).toHaveBeenLastCalledWith('NL91ABNA0417164300');
});

test('a pasted IBAN is read in any form', async () => {
  const changed = vi.fn();
  draw(<Account changed={changed} />);
  for (const pasted of [
    'NL91-ABNA-0417.1643.00',
    ' nl91 abna 0417 1643 00 ',
    'IBAN NL91 ABNA 0417 1643 00',
    'NL91ABNA0417164300',
  ]) {
    await user.clear(field());
    await user.click(field());
    await user.paste(pasted);
    expect(field()).toHaveValue('NL91 ABNA 0417 1643 00');
    expect(changed).toHaveBeenLastCalledWith('NL91ABNA0417164300');
  }
});

test('the caret keeps its place, also in the middle and across a space', async () => {
  const changed = vi.fn();
  draw(<Account changed={changed} first="NL91ABNA0417" />);
  await user.click(field());
  caretAt(2);
  await user.keyboard('X');
  expect(field()).toHaveValue('NLX9 1ABN A041 7');
  expect(field().selectionStart).toBe(3);
  await user.keyboard('Y');
  expect(field()).toHaveValue('NLXY 91AB NA04 17');
  expect(field().selectionStart).toBe(5);
  // Backspace after a space deletes the character before the space; Delete before a space deletes the one after it.
  await user.keyboard('{Backspace}');
  expect(changed).toHaveBeenLastCalledWith('NLX91ABNA0417');
  expect(field().selectionStart).toBe(3);
  caretAt(4);
  await user.keyboard('{Delete}');
  expect(changed).toHaveBeenLastCalledWith('NLX9ABNA0417');
  expect(field()).toHaveValue('NLX9 ABNA 0417');
});

test('other characters than letters and digits change nothing', async () => {
  const changed = vi.fn();
  draw(<Account changed={changed} first="NL91ABNA" />);
  await user.click(field());
  caretAt(2);
  await user.keyboard('.');
  expect(field()).toHaveValue('NL91 ABNA');
  expect(field().selectionStart).toBe(2);
});

test('IBANs are normalized, grouped and masked', () => {
  expect(readIban('nl91 abna-0417.1643.00')).toBe('NL91ABNA0417164300');
  expect(formatIban('nl91abna0417164300')).toBe('NL91 ABNA 0417 1643 00');
  expect(formatIban('NL91ABNA')).toBe('NL91 ABNA');
  expect(maskIban('NL91 ABNA 0417 1643 00')).toBe('•••• •••• •••• ••43 00');
  expect(maskIban('4300')).toBe('4300');
});
