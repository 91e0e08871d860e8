import { act, fireEvent, screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Alert } from './notice';
import { draw } from './test-render';
import { clearToasts, showToast, Toasts } from './toasts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(clearToasts);
  vi.useRealTimers();
});
const say = (text: string, kind: 'alert' | 'notice' = 'alert') => act(() => void showToast({ kind, tone: 'good', text }));
const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const seen = (text: string) => screen.queryByText(text) !== null;
const region = () => screen.getByRole('region', { name: 'Meldingen' });
function hide(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

row('4-snack-limit', 'three are visible, the fourth waits and then gets its full time', () => {
  draw(<Toasts />);
  for (const text of ['een', 'twee', 'drie', 'vier']) say(text);
  expect(screen.getAllByRole('status')).toHaveLength(3);
  expect(seen('vier')).toBe(false);
  wait(5000);
  expect(seen('een')).toBe(false);
  expect(seen('vier')).toBe(true);
  wait(4999);
  expect(seen('vier')).toBe(true);
  wait(1);
  expect(seen('vier')).toBe(false);
});

row(
  '8-alert-duration',
  'an alert goes after 5000 ms; time stands still while hovered, focused or hidden; an error stays in place',
  () => {
    draw(
      <>
        <Alert title="Opslaan is niet gelukt" />
        <Toasts />
      </>,
    );
    say('opgeslagen');
    wait(4999);
    expect(seen('opgeslagen')).toBe(true);
    wait(1);
    expect(seen('opgeslagen')).toBe(false);

    const stands = (hold: () => void, release: () => void) => {
      say('nogmaals');
      wait(3000);
      hold();
      wait(60_000);
      expect(seen('nogmaals')).toBe(true);
      release();
      wait(1999);
      expect(seen('nogmaals')).toBe(true);
      wait(1);
      expect(seen('nogmaals')).toBe(false);
    };
    stands(
      () => fireEvent.pointerOver(screen.getByText('nogmaals')),
      () => fireEvent.pointerLeave(region()),
    );
    stands(
      () => act(() => screen.getByRole('button', { name: 'Sluiten' }).focus()),
      () => act(() => screen.getByRole('button', { name: 'Sluiten' }).blur()),
    );
    stands(
      () => hide(true),
      () => hide(false),
    );
    wait(60_000);
    expect(screen.getByRole('alert')).toHaveTextContent('Opslaan is niet gelukt');
  },
);

row('8-notice-duration', 'a notice closes after 6 seconds under the same rules', () => {
  draw(<Toasts />);
  const close = () => screen.getByRole('button', { name: 'Sluiten' });
  say('nieuwe factuur', 'notice');
  wait(5999);
  expect(seen('nieuwe factuur')).toBe(true);
  wait(1);
  expect(seen('nieuwe factuur')).toBe(false);
  for (const [hold, release] of [
    [() => hide(true), () => hide(false)],
    [() => fireEvent.pointerOver(screen.getByText('nieuwe factuur')), () => fireEvent.pointerLeave(region())],
    [() => act(() => close().focus()), () => act(() => close().blur())],
  ] as const) {
    say('nieuwe factuur', 'notice');
    wait(3000);
    hold();
    wait(60_000);
    release();
    wait(2999);
    expect(seen('nieuwe factuur')).toBe(true);
    wait(1);
    expect(seen('nieuwe factuur')).toBe(false);
  }
});

row('9-phone-bar', 'on a phone toasts are above the bar, and clear of the safe area where there is none', () => {
  draw(<Toasts />);
  say('opgeslagen');
  const css = [...document.querySelectorAll('style')].map((s) => s.textContent).join('');
  expect(css).toMatch(
    /@media \(max-width: 767px\)\{\.\w+\{right:16px;bottom:max\(16px, var\(--w-bottom, env\(safe-area-inset-bottom\)\) \+ 16px\);\}\}/,
  );
});

test('the same text is not shown twice; closing closes one toast', () => {
  draw(<Toasts />);
  say('opgeslagen');
  say('opgeslagen');
  say('verstuurd');
  expect(screen.getAllByRole('status')).toHaveLength(2);
  fireEvent.click(screen.getAllByRole('button', { name: 'Sluiten' })[0] as HTMLElement);
  expect(seen('opgeslagen')).toBe(false);
  expect(seen('verstuurd')).toBe(true);
});
