import { act, cleanup, render, screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { LazyInView } from './lazy-in-view';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

row('9-dashboard-later', 'draws when near the view, when printed, or after exactly two seconds, and not before', () => {
  vi.useFakeTimers();
  let near: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(changed: typeof near) {
        near = changed;
      }
      observe() {}
      disconnect() {}
    },
  );
  const show = () => render(<LazyInView waiting="waiting">what is below</LazyInView>);
  for (const comes of [
    () => near([{ isIntersecting: true }]),
    () => dispatchEvent(new Event('beforeprint')),
    () => vi.advanceTimersByTime(1),
  ]) {
    show();
    act(() => near([{ isIntersecting: false }]));
    act(() => void vi.advanceTimersByTime(1999));
    expect(screen.getByText('waiting')).toBeVisible();
    expect(screen.queryByText('what is below')).toBeNull();
    act(() => void comes());
    expect(screen.getByText('what is below')).toBeVisible();
    cleanup();
  }
});
