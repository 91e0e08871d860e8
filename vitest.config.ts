import { defineConfig } from 'vitest/config';
import { sources } from './tools/workspace.mjs';

export default defineConfig({
  resolve: { alias: Object.entries(sources).map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: file })) },
  test: {
    environment: 'jsdom',
    include: ['{shell,remotes,tools}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'shell/e2e/**'],
    tags: [{ name: 'all', description: 'only make test-all runs it' }],
    globalSetup: 'tools/gen/gallery.mjs',
    setupFiles: ['shell/sdk/src/setup.ts'],
    restoreMocks: true,
    reporters: process.env.CI ? ['dot', 'json'] : ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    // files share a worker with its DOM and modules: starting both for every file took two fifths of the time
    isolate: false,
    // limits end tests that hang; they hold with four times the load
    maxWorkers: '100%',
    // limits end what hangs; they hold with four times the load
    testTimeout: 120_000,
  },
});
