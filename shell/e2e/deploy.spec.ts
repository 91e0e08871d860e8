// A newer build of a separately deployed remote (--remotes) while pages are open.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serve } from '../../tools/server.mjs';
import { cache, root } from '../../tools/workspace.mjs';
import { customers, expect, Portal, rows, test } from './harness';
import { labels, plugins } from './setup';

test(rows('9-remote-deploy', 'a newer build of one remote is deployed to a running portal'), async ({ page }) => {
  const remotes = test.info().outputPath('remotes');
  mkdirSync(remotes, { recursive: true });
  // the remote's team changes a text, and builds only its own folder
  const folder = path.join(cache, 'e2e', process.env.WATTLE_E2E ?? '', `newer-${test.info().repeatEachIndex}`, 'move');
  cpSync(path.join(root, 'remotes/move'), folder, { recursive: true });
  const texts = path.join(folder, 'src/messages/nl.json');
  writeFileSync(texts, readFileSync(texts, 'utf8').replace('"move.title": "Verhuizen"', '"move.title": "Je verhuizing regelen"'));
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

  const server = await serve({ labels, args: ['--plugins', plugins, '--remotes', remotes] });
  try {
    const portal = new Portal(page, server, customers);
    const now = async () => {
      const { body } = await server.call(customers, 'GET', '/portal');
      return body as { build: string; remotes: { key: string; entry: string }[] };
    };
    const before = await now();
    await portal.signIn();
    await portal.open('/move');
    await expect(portal.heading()).toHaveText('Verhuizen');
    await page.evaluate(() => {
      (window as { sameDocument?: boolean }).sameDocument = true;
    });
    const menu = page.getByRole('navigation', { name: 'Hoofdmenu' });

    cpSync(path.join(folder, 'dist'), path.join(remotes, '.move'), { recursive: true });
    renameSync(path.join(remotes, '.move'), path.join(remotes, 'move')); // atomically
    await expect.poll(async () => (await now()).build).not.toBe(before.build);
    const after = await now();
    const entryOf = (p: typeof before, key: string) => p.remotes.find((r) => r.key === key)?.entry ?? '';
    expect(entryOf(after, 'move')).not.toBe(entryOf(before, 'move'));
    expect(entryOf(after, 'usage'), 'the others are as they were').toBe(entryOf(before, 'usage'));
    // files that open pages may still request are served
    const old = await page.request.get(`http://127.0.0.1:${server.port}${entryOf(before, 'move')}`, {
      headers: { Host: customers },
    });
    expect(old.status()).toBe(200);

    const looked = page.waitForResponse('**/api/v0/portal');
    await menu.getByRole('link', { name: 'Lange lijst' }).click();
    await looked;
    await expect(portal.heading()).toHaveText('Lange lijst');
    expect(await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument)).toBe(true);
    const loaded = page.waitForEvent('load');
    await menu.getByRole('link', { name: 'Verhuizen' }).click();
    await loaded;
    await expect(portal.heading(), '9-remote-deploy').toHaveText('Je verhuizing regelen');
    await expect(menu.getByRole('link', { name: 'Je verhuizing regelen' })).toBeVisible();

    // a folder without a remote has no effect
    mkdirSync(path.join(remotes, 'usage'));
    writeFileSync(path.join(remotes, 'usage/remote.json'), '{"key":"other"}');
    await portal.open('/usage');
    await expect(portal.heading()).toHaveText('Verbruik');
    expect(entryOf(await now(), 'usage')).toBe(entryOf(before, 'usage'));
  } finally {
    await server.stop();
  }
});
