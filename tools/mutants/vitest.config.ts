import { defineConfig } from 'vitest/config';
import { sources } from '../workspace.mjs';

/** Runs only the tests of rules and of the shell's files: a mutant that only a page test would detect counts as a survivor. */
export default defineConfig({
  resolve: { alias: Object.entries(sources).map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: file })) },
  test: {
    environment: 'jsdom',
    include: ['remotes/*/src/rules.test.ts', 'shell/{src,ui/src,charts/src,sdk/src}/*.test.{ts,tsx}'],
    setupFiles: ['shell/sdk/src/setup.ts'],
    restoreMocks: true,
    isolate: false,
    testTimeout: 120_000,
  },
});
