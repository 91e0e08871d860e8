import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Sparkline } from './sparkline';

test('says in words what it shows, and lifts the pen where nothing was measured', () => {
  render(<Sparkline label="Verbruik in november" values={[1, 2, null, 3, 4]} />);
  const picture = screen.getByRole('img', { name: 'Verbruik in november' });
  expect(picture.querySelector('path:not([data-against]):not([data-end])')?.getAttribute('d')?.match(/M/g)).toHaveLength(2);
});

test('draws nothing wrong from nothing', () => {
  render(<Sparkline label="Niets" values={[]} />);
  expect(screen.getByRole('img').innerHTML).not.toContain('NaN');
});
