import { defineConfig } from '@playwright/test';
import { chromium } from './tools/server.mjs';

// workers have the number of the run from the process that started them
process.env.WATTLE_E2E ??= String(process.pid);

export default defineConfig({
  testDir: 'shell/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './shell/e2e/setup.ts',
  fullyParallel: false,
  workers: 2,
  // a failed test is run once more only to be labelled flaky, and flaky fails
  retries: process.env.CI ? 1 : 0,
  failOnFlakyTests: true,
  timeout: 60_000, // a busy machine, and axe twice in one journey
  expect: { timeout: 10_000 },
  reporter: [['line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: `test-results/e2e/${process.env.WATTLE_E2E}`, // traces of failures; a run clears its own folder only
  use: {
    browserName: 'chromium',
    launchOptions: chromium,
    locale: 'nl-NL',
    timezoneId: 'America/New_York',
    trace: 'retain-on-failure',
  },
});
