import { act, cleanup, render } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { useScreen, useWidthChanges } from './screen';
import { setWidth } from './test-shell';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

row('2.5-menu-closes', '250 ms after the last change of the width, and not when only the height changes', () => {
  vi.useFakeTimers();
  setWidth(800);
  let changes = 0;
  function Probe() {
    changes = useWidthChanges();
    return null;
  }
  render(<Probe />);
  const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
  wait(1000);
  vi.stubGlobal('innerHeight', 400);
  setWidth(800);
  wait(1000);
  expect(changes, 'the height').toBe(0);
  setWidth(801);
  wait(249);
  expect(changes).toBe(0);
  setWidth(802); // the time starts again
  wait(249);
  expect(changes).toBe(0);
  wait(1);
  expect(changes, 'one for both').toBe(1);
  wait(1000);
  expect(changes).toBe(1);
});

row('2.1-dashboard-responsive', 'a phone is up to 767 px wide', () => {
  let screen = '';
  function Probe() {
    screen = useScreen();
    return null;
  }
  setWidth(767);
  render(<Probe />);
  const seen = [767, 768, 767, 1099, 1100].map((width) => {
    setWidth(width);
    return `${width} ${screen}`;
  });
  expect(seen).toEqual(['767 mobile', '768 bar', '767 mobile', '1099 bar', '1100 rail']);
});
