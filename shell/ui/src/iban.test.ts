import { readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { isIban } from './iban';

row('9-iban-registry', () => {
  const file = path.join(import.meta.dirname, '../../../schemas/rules/9-iban-registry.json');
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: { given: string; want: string[] }[] };
  expect(cases.length).toBeGreaterThan(100);
  for (const { given, want } of cases) expect(isIban(given), given).toBe(want.length === 0);
});
