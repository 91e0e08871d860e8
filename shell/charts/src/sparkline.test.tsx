import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Sparkline } from './sparkline';

test('has an accessible name, and interrupts the line where nothing was measured', () => {
  render(<Sparkline label="Verbruik in november" values={[1, 2, null, 3, 4]} />);
  const picture = screen.getByRole('img', { name: 'Verbruik in november' });
  expect(picture.querySelector('path:not([data-against]):not([data-end])')?.getAttribute('d')?.match(/M/g)).toHaveLength(2);
});

test('draws no invalid path without values', () => {
  render(<Sparkline label="Niets" values={[]} />);
  expect(screen.getByRole('img').innerHTML).not.toContain('NaN');
});
