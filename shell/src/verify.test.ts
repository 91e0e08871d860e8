import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { partOfDay } from './greeting';
import { stateOf } from './pages/verify';

row('4-verify-state-mapping', () => {
  expect(stateOf(undefined)).toBe('loading');
  expect(stateOf(200)).toBe('verified');
  expect(stateOf(412)).toBe('already');
  for (const other of [0, 204, 400, 404, 410, 429, 500, 503]) expect(stateOf(other), String(other)).toBe('unverified');
});

row('face-clock', 'the greeting follows the label’s zone', () => {
  const at = (time: string) => partOfDay(Date.parse(time), 'Europe/Amsterdam');
  expect(at('2026-11-20T10:59:00Z')).toBe('morning');
  expect(at('2026-11-20T11:00:00Z')).toBe('afternoon');
  expect(at('2026-11-20T17:00:00Z')).toBe('evening');
  expect(at('2026-11-20T23:30:00Z')).toBe('morning'); // 00:30
});
