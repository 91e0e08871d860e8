import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';

const port = process.env.PORT ?? '8099';
// set once; workers inherit it
process.env.DATA ??= mkdtempSync(path.join(tmpdir(), 'mykey-'));
const wattle = process.env.WATTLE ?? 'wattle';

// A portal with the demo label and the plugin in plugins/; `make e2e` installs it there.
export default defineConfig({
  testDir: 'e2e',
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://demo.localhost:${port}`,
    locale: 'nl-NL',
    launchOptions: {
      ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
      args: ['--no-sandbox', '--host-resolver-rules=MAP *.localhost 127.0.0.1'],
    },
  },
  webServer: {
    command: `${wattle} serve --demo --labels labels --plugins plugins --data ${process.env.DATA} --addr 127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 120_000,
  },
});
