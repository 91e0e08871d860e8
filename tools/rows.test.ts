// @vitest-environment node
import { expect, test } from 'vitest';
import { listed, rowOf, rowsOf } from '../shell/sdk/src/rows';

test('a list of rows is a list of ids, or an error', () => {
  expect(listed('9-production-unit')).toBe('[9-production-unit]');
  expect(listed('10-plugin-tabs')).toBe('[10-plugin-tabs]');
  expect(listed('11-docs-journey-search')).toBe('[11-docs-journey-search]');
  expect(listed(['9-production-unit', 'face-title', '5.7-offer-date'])).toBe('[9-production-unit face-title 5.7-offer-date]');
  for (const wrong of ['9-production-unit,9-chart-height', 'production', '9-', '12-times', '2026-11-20', 'Face-title', ''])
    expect(() => listed(wrong), wrong).toThrow('not a row id');
  expect(() => listed([])).toThrow('not a row id');
});

test('a name and an assertion give their rows', () => {
  expect(rowsOf('[face-title 5.7-offer-date] a button with [aria-disabled]')).toEqual(['face-title', '5.7-offer-date']);
  expect(rowOf('face-title')).toBe('face-title');
  expect(rowOf('5.7-offer-date: at most 90 days ahead')).toBe('5.7-offer-date');
  expect(rowOf('Expect "toBeVisible"')).toBeUndefined();
  expect(rowOf('the heading of face-title')).toBeUndefined();
});
