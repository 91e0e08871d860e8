import { act, render, screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { useEffect, useLayoutEffect, useState } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { FirstPaintGate, HoldFirstPaint, maxHoldTime, useFirstPaintGate } from './first-paint-gate';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const steps: { load(): void; text(): void } = { load: () => undefined, text: () => undefined };

/** A view that first loads its code and then its text. */
function View({ hold }: { hold: () => () => void }) {
  const [waits, setWaits] = useState(true);
  useLayoutEffect(() => (waits ? hold() : undefined), [waits, hold]);
  useEffect(() => {
    steps.text = () => setWaits(false);
  }, []);
  return null;
}

function Page() {
  const { held, hold } = useFirstPaintGate();
  const [loaded, setLoaded] = useState(false);
  const [page, setPage] = useState(1);
  steps.load = () => setLoaded(true);
  return (
    <FirstPaintGate value={hold}>
      {loaded ? <View key={page} hold={hold} /> : <HoldFirstPaint />}
      <button type="button" onClick={() => setPage(2)}>
        next
      </button>
      <p>{held ? 'waits' : 'drawn'}</p>
    </FirstPaintGate>
  );
}

const drawn = () => screen.queryByText('drawn') !== null;

row('9-notice-still', 'the first page waits for code and text of its notices, and no later page', () => {
  render(<Page />);
  expect(drawn()).toBe(false);
  act(() => void steps.load());
  expect(drawn()).toBe(false);
  act(() => void steps.text());
  expect(drawn()).toBe(true);
  act(() => screen.getByRole('button').click());
  expect(drawn()).toBe(true);
});

row('9-notice-still', 'and at most 1.5 seconds', () => {
  expect(maxHoldTime).toBe(1500);
  render(<Page />);
  act(() => void vi.advanceTimersByTime(maxHoldTime - 1));
  expect(drawn()).toBe(false);
  act(() => void vi.advanceTimersByTime(1));
  expect(drawn()).toBe(true);
  act(() => void steps.load());
  expect(drawn()).toBe(true);
});
