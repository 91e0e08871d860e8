import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import type { PeriodUnit } from './period';
import { PeriodPicker, type PeriodPickerProps } from './period-picker';
import { draw } from './test-render';

const user = userEvent.setup();

function Picked({ changed, ...props }: { changed(next: unknown): void } & Partial<PeriodPickerProps>) {
  const [shown, setShown] = useState<{ unit: PeriodUnit; day: string }>({ unit: 'month', day: '2026-10-31' });
  return (
    <PeriodPicker
      min="2025-03-12"
      max="2026-11-20"
      {...shown}
      {...props}
      onChange={(next) => {
        setShown(next);
        changed(next);
      }}
    />
  );
}

test('goes back and forward by the current period, up to the first and last day with data, with the reason', async () => {
  const changed = vi.fn();
  draw(<Picked changed={changed} />);
  await user.click(screen.getByRole('button', { name: 'Volgende periode' }));
  // 30-11 is in the future, so the last day with data is selected
  expect(changed).toHaveBeenLastCalledWith({
    unit: 'month',
    day: '2026-11-20',
    period: { from: '2026-11-01', to: '2026-12-01' },
  });
  expect(screen.getByText('november 2026')).toHaveAttribute('aria-live', 'polite');
  const on = screen.getByRole('button', { name: 'Volgende periode. Er zijn nog geen gegevens van na 20-11-2026.' });
  expect(on).toHaveAttribute('aria-disabled', 'true');
  await user.click(on);
  expect(changed).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 20; n++) await user.click(screen.getByRole('button', { name: /^Vorige periode/ }));
  expect(screen.getByText('maart 2025')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Vorige periode. Er zijn geen gegevens van vóór 12-03-2025.' })).toBeVisible();
});

test('another unit keeps the day; keys choose the unit and the period', async () => {
  const changed = vi.fn();
  draw(<Picked changed={changed} units={['day', 'week', 'month', 'year', 'years']} names={{ day: 'Uur' }} />);
  screen.getByRole('radio', { name: 'Maand' }).focus();
  await user.keyboard('{ArrowLeft}');
  expect(changed).toHaveBeenLastCalledWith({ unit: 'week', day: '2026-10-31', period: { from: '2026-10-26', to: '2026-11-02' } });
  expect(screen.getByText('26 okt – 1 nov 2026')).toBeVisible();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('radio', { name: 'Uur' })).toBeChecked();
  expect(screen.getByText('zaterdag 31 oktober 2026')).toBeVisible();
  await user.keyboard('{PageDown}{PageDown}{PageUp}');
  expect(screen.getByText('zondag 1 november 2026')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Alle jaren' }));
  expect(screen.getByText('2025–2026')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});
