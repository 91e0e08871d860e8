import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const here = import.meta.dirname;

/** Returns the modules that an entry loads immediately: its static imports, followed recursively. `import()` is not followed. */
function staticImports(entry: string, seen = new Set<string>()): Set<string> {
  const file = ['.ts', '.tsx', '/index.ts'].map((end) => path.join(here, entry + end)).find(existsSync);
  if (!file || seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, type, from = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)( type)?[^;]*?from '([^']+)';/gms)) {
    if (type) continue;
    if (from.startsWith('.')) staticImports(path.join(path.dirname(entry), from), seen);
    else seen.add(from);
  }
  return seen;
}

test('the first screens load no code of dates, tables, phone numbers or overlays', () => {
  for (const entry of ['index', 'start', 'forms']) {
    const all = [...staticImports(entry)];
    expect(all.length).toBeGreaterThan(5);
    expect(
      all.filter((name) => /react-aria|@internationalized|libphonenumber|date-field|calendar|data-table|phone|icons$/.test(name)),
    ).toEqual([]);
  }
  expect([...staticImports('phone')]).toContain('libphonenumber-js/min');
});

test('sign-in loads a part of the core, not all of it', () => {
  const start = staticImports('start');
  for (const part of ['toasts', 'menu', 'sheet', 'tabs', 'stepper', 'illustration']) expect(start).not.toContain(part);
});
