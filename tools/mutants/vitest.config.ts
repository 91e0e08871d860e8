import { defineConfig } from 'vitest/config';
import { sources } from '../workspace.mjs';

/** Runs only the tests of rules, in Node: a mutant that only a page test would detect counts as a survivor. */
export default defineConfig({
  resolve: { alias: Object.entries(sources).map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: file })) },
  test: {
    environment: 'node',
    include: ['remotes/*/src/rules.test.ts'],
    isolate: false,
    testTimeout: 120_000,
  },
});
