// Two versions of a plugin run at the same time: some customers get the new one first.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary, serve } from '../../tools/server.mjs';
import { root } from '../../tools/workspace.mjs';
import { type Customer, customers, expect, Portal, rows, test } from './harness';
import { labels, plugins } from './setup';

/** Changes a text in all files of a built remote, and the name of its folder, which represents their content. */
function rename(remote: string, from: string, to: string): void {
  for (const entry of readdirSync(remote, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    if (/\.(br|gz)$/.test(file)) rmSync(file);
    else writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  }
  const manifest = path.join(remote, 'remote.json');
  const { entry } = JSON.parse(readFileSync(manifest, 'utf8')) as { entry: string };
  const folder = path.dirname(entry);
  renameSync(path.join(remote, folder), path.join(remote, `${folder}b`));
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(folder, `${folder}b`));
}

test(rows('10-version-canary-page', 'customers of a canary see the new version'), async ({ browser }) => {
  const folder = (name: string) => test.info().outputPath(name);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
  const own = folder('plugins');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  cpSync(plugins, own, { recursive: true });
  const next = path.join(own, 'fixture@1.1.0');
  cpSync(path.join(own, 'fixture'), next, { recursive: true });
  const version = '-X github.com/wattle-portal/wattle/test/plugin/fixture.version=1.1.0';
  run('go', 'build', '-trimpath', '-ldflags', version, '-o', path.join(next, 'fixture'), './test/plugin/fixture/plugin');
  rename(path.join(next, 'remote'), 'Notities', 'Mijn notities');
  for (const of of [path.join(own, 'fixture'), next])
    run(binary, 'plugins', 'seal', of, '--binary', 'fixture', '--remote', 'remote');
  const ownLabels = folder('labels');
  cpSync(labels, ownLabels, { recursive: true });
  const label = path.join(ownLabels, '1042', 'label.cue');
  const choose = (percent: number) =>
    appendFileSync(label, `\nplugins: fixture: {version: "1.0.0", canary: {version: "1.1.0", percent: ${percent}}}\n`);
  choose(50);

  const server = await serve({ labels: ownLabels, args: ['--plugins', own] });
  try {
    const page = await browser.newPage();
    const portal = new Portal(page, server, customers);
    const of: { [heading: string]: Customer } = {};
    for (let i = 0; i < 20 && Object.keys(of).length < 2; i++) {
      const customer = await portal.customer();
      await page.context().clearCookies();
      await portal.signIn(customer);
      await portal.open('/fixture');
      of[(await portal.heading().textContent()) ?? ''] = customer;
    }
    expect(Object.keys(of).sort()).toEqual(['Mijn notities', 'Notities']);
    for (const [heading, customer] of Object.entries(of)) {
      const other = await browser.newPage();
      const fresh = new Portal(other, server, customers);
      const entries = new Set<string>();
      other.on('request', (r) => {
        if (r.url().endsWith('/entry.js') && r.url().includes('/assets/fixture/')) entries.add(r.url());
      });
      await fresh.open('/fixture'); // the form has an item of the plugin, in everyone's version
      await other.getByLabel('Gebruikersnaam').fill(customer.username);
      await other.getByRole('textbox', { name: 'Wachtwoord', exact: true }).fill(customer.password);
      entries.clear();
      await other.getByRole('button', { name: 'Inloggen' }).click();
      await expect(fresh.heading(), '10-version-canary-page').toHaveText(heading);
      const menu = other.getByRole('navigation', { name: 'Hoofdmenu' });
      await expect(menu.getByRole('link', { name: heading, exact: true }), '10-version-canary-page').toBeVisible();
      const isNew = heading !== 'Notities';
      const loaded = [...entries].at(-1);
      if (isNew) expect(loaded, '10-version-canary-page').toMatch(/b\/entry\.js$/);
      await other.getByRole('button', { name: 'Notitie wijzigen' }).click();
      await other.getByLabel('Tekst').fill(`van ${customer.username}`);
      await other.getByRole('button', { name: 'Bewaren' }).click();
      await expect(other.getByTestId('notes')).toHaveText(`van ${customer.username}`);
      await other.reload();
      await expect(fresh.heading()).toHaveText(heading);
      await other.close();
    }
  } finally {
    await server.stop();
  }
});
