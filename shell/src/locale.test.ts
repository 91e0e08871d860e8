import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { resolveLocale, startLocale, storeLocale } from './locale';

row('1-language-resolution', 'the stored language, then that of the browser, then Dutch', () => {
  expect(resolveLocale('en', 'nl-NL')).toBe('en');
  expect(resolveLocale('nl', 'en-GB')).toBe('nl');
  expect(resolveLocale(null, 'en-GB')).toBe('en');
  expect(resolveLocale(null, 'nl-BE')).toBe('nl');
  expect(resolveLocale(null, 'de-DE')).toBe('nl');
  expect(resolveLocale('fr', 'en')).toBe('en');
  expect(resolveLocale(null, undefined)).toBe('nl');
});
row('4-language-stored', () => {
  storeLocale('en');
  expect(startLocale()).toBe('en');
  storeLocale('nl');
  expect(startLocale()).toBe('nl');
});
