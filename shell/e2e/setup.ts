import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary } from '../../tools/server.mjs';
import { cache, root } from '../../tools/workspace.mjs';

/** What the journeys run on: the program as it is built, and the fixture module as a plugin with its remote. */
export const labels = path.join(cache, 'e2e/labels');
export const plugins = path.join(cache, 'e2e/plugins');

export default function setup(): void {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
  if (!existsSync(binary)) run('make', 'bin/wattle');
  run(process.execPath, 'tools/build.mjs', '--fixture');
  rmSync(path.join(cache, 'e2e'), { recursive: true, force: true });
  const folder = path.join(plugins, 'fixture');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  run('go', 'build', '-trimpath', '-o', path.join(folder, 'fixture'), './shell/e2e/fixture/plugin');
  cpSync(path.join(cache, 'fixture'), path.join(folder, 'remote'), { recursive: true });
  const sha256 = createHash('sha256')
    .update(readFileSync(path.join(folder, 'fixture')))
    .digest('hex');
  writeFileSync(
    path.join(folder, 'plugin.json'),
    JSON.stringify({ key: 'fixture', binary: 'fixture', sha256, remote: 'remote' }),
    { mode: 0o600 },
  );
  // the labels of the demo, two of them with the fixture
  cpSync(path.join(root, 'labels'), labels, { recursive: true });
  for (const key of ['1024', '1042'])
    appendFileSync(path.join(labels, key, 'label.cue'), '\nmodules: fixture: greeting: "Moi"\n');
}
