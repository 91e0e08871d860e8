import { defineConfig } from '@playwright/test';
import { chromium } from './tools/server.mjs';

// workers have the number of the run from the process that started them
process.env.WATTLE_E2E ??= String(process.pid);

export default defineConfig({
  testDir: 'shell/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './shell/e2e/setup.ts',
  fullyParallel: true, // a long file would keep one worker busy at the end
  workers: 2,
  // a failed test is run once more only to be labelled flaky, and flaky fails
  retries: process.env.CI ? 1 : 0,
  failOnFlakyTests: true,
  // limits end what hangs; they measure nothing, and hold with four times the load
  timeout: 5 * 60_000,
  expect: { timeout: 45_000 },
  reporter: [['line'], ['./tools/rows-reporter.ts'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: `test-results/e2e/${process.env.WATTLE_E2E}`, // traces of failures; a run clears its own folder only
  use: {
    browserName: 'chromium',
    launchOptions: chromium,
    locale: 'nl-NL',
    timezoneId: 'America/New_York',
    // what is looked at is there, and no longer on its way: remotes.spec.ts has a journey with motion
    contextOptions: { reducedMotion: 'reduce' },
    // recording costs time on every action: in CI only the second run of what failed is recorded
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
  },
});
