// The demo without the fixture, for journeys in all labels with their real configuration.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve } from '../../tools/server.mjs';
import { root } from '../../tools/workspace.mjs';
import { test as base } from './harness';

/** A test with its own server; `labels` is its folder, in which a journey may create a label. */
export const test = base.extend<object, { labels: string }>({
  labels: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'wattle-labels-'));
      cpSync(path.join(root, 'labels'), folder, { recursive: true });
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ labels }, use) => {
      const server = await serve({ labels });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
