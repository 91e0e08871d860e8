import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { row } from '@wattle/sdk/vitest';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DateField } from './date-field';
import { CivilDate, Money } from './numbers';
import { draw } from './test-render';

const user = userEvent.setup();

function Moving({ start = null }: { start?: string | null }) {
  const [day, setDay] = useState<string | null>(start);
  return (
    <>
      <DateField
        label="Datum"
        value={day}
        onChange={setDay}
        today="2026-11-20"
        min="2026-11-20"
        chips={[{ text: 'zo snel mogelijk', day: '2026-11-22' }]}
      />
      <output>{String(day)}</output>
    </>
  );
}

for (const locale of ['nl', 'en'] as const) {
  row('1-date-style', `typed with any of four marks, shown with - and leading zeros (${locale})`, async () => {
    draw(<Moving />, locale);
    const field = screen.getByRole('textbox', { name: 'Datum' });
    for (const typed of ['5-1-2027', '5/1/2027', '5.1.2027', '5 1 2027']) {
      await user.clear(field);
      await user.type(field, typed);
      expect(screen.getByRole('status')).toHaveTextContent('2027-01-05');
      await user.tab();
      expect(field).toHaveValue('05-01-2027');
    }
    draw(<CivilDate day="2026-11-20" />, locale);
    expect(screen.getByText('20-11-2026')).toBeVisible();
  });
  row('1-currency-format', `an amount has the same format in both languages (${locale})`, () => {
    const { container } = draw(
      <>
        <Money cents={123_450} /> | <Money cents={123_456_789} /> | <Money cents={-5} /> | <Money cents={100} sign />
      </>,
      locale,
    );
    expect(container.textContent?.replaceAll('\u00a0', ' ')).toBe('€ 1.234,50 | € 1.234.567,89 | € -0,05 | € +1,00');
  });
}

test('an invalid day is kept as typed', async () => {
  draw(<Moving start="2026-11-22" />);
  const field = screen.getByRole('textbox', { name: 'Datum' });
  await user.clear(field);
  await user.type(field, '31-02-2027');
  await user.tab();
  expect(field).toHaveValue('31-02-2027');
  expect(screen.getByRole('status')).toHaveTextContent('null');
});

test('a day is chosen in the calendar, or with one button', async () => {
  draw(<Moving />);
  await user.click(screen.getByRole('button', { name: 'zo snel mogelijk' }));
  expect(screen.getByRole('textbox', { name: 'Datum' })).toHaveValue('22-11-2026');
  await user.click(screen.getByRole('button', { name: 'Kies een datum' }));
  await screen.findByRole('dialog', {}, { timeout: 8000 });
  expect(screen.getByRole('button', { name: /19 november 2026/ })).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('button', { name: /24 november 2026/ }));
  expect(screen.getByRole('textbox', { name: 'Datum' })).toHaveValue('24-11-2026');
  expect(screen.queryByRole('dialog')).toBeNull();
});
