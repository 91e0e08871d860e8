import { defineConfig } from '@playwright/test';
import { chromium } from './tools/server.mjs';

// workers inherit the number of the run from the process that starts them
process.env.WATTLE_E2E ??= String(process.pid);

export default defineConfig({
  testDir: 'shell/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './shell/e2e/setup.ts',
  fullyParallel: true, // otherwise a long file keeps one worker busy at the end
  workers: 2,
  // a failed test runs once more only to be reported as flaky, and flaky fails the run
  retries: process.env.CI ? 1 : 0,
  failOnFlakyTests: true,
  // limits end tests that hang; they measure nothing, and hold with four times the load
  timeout: 5 * 60_000,
  expect: { timeout: 45_000 },
  reporter: [['line'], ['./tools/rows-reporter.ts'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: `test-results/e2e/${process.env.WATTLE_E2E}`, // traces of failures; a run clears only its own folder
  use: {
    browserName: 'chromium',
    launchOptions: chromium,
    locale: 'nl-NL',
    // requests of a service worker pass by the routes of journeys; the one about it allows it
    serviceWorkers: 'block',
    timezoneId: 'America/New_York',
    // without animations, elements are in their final place; remotes.spec.ts has a journey with them
    contextOptions: { reducedMotion: 'reduce' },
    // recording slows every action: in CI only the second run of a failed test is recorded
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
  },
});
