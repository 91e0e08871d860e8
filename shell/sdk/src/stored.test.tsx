import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useStored } from './stored';

function Choice({ of = 'wattle:m:choice' }: { of?: string }) {
  const [value, store] = useStored(of);
  return (
    <button type="button" onClick={() => store('b')}>
      {value ?? 'none'}
    </button>
  );
}
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
});

test('every view with the key follows, also when another tab stores something', () => {
  localStorage.setItem('wattle:m:choice', 'a');
  render(
    <>
      <Choice />
      <Choice />
      <Choice of="wattle:m:other" />
    </>,
  );
  const shown = () => screen.getAllByRole('button').map((b) => b.textContent);
  expect(shown()).toEqual(['a', 'a', 'none']);
  act(() => screen.getAllByRole('button')[0]?.click());
  expect(shown()).toEqual(['b', 'b', 'none']);
  expect(localStorage.getItem('wattle:m:choice')).toBe('b');
  localStorage.setItem('wattle:m:other', 'c');
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'wattle:m:other' })));
  expect(shown()).toEqual(['b', 'b', 'c']);
});

test('a browser without storage remembers it for this document', () => {
  const refuse = () => {
    throw new DOMException('no storage', 'SecurityError');
  };
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  const { unmount } = render(<Choice of="wattle:m:third" />);
  expect(screen.getByRole('button')).toHaveTextContent('none');
  act(() => screen.getByRole('button').click());
  expect(screen.getByRole('button')).toHaveTextContent('b');
  unmount();
  render(<Choice of="wattle:m:third" />);
  expect(screen.getByRole('button')).toHaveTextContent('b');
});
