import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { binary } from '../../tools/server.mjs';
import { cache, root } from '../../tools/workspace.mjs';

// A folder per run, so that two runs do not collide. Workers inherit the number from the process that starts them.
process.env.WATTLE_E2E ??= String(process.pid);
const folder = path.join(cache, 'e2e', process.env.WATTLE_E2E);
/** Folder of labels of the journeys, which run the built program with the fixture module as a plugin with its remote. */
export const labels = path.join(folder, 'labels');
export const plugins = path.join(folder, 'plugins');
/** The account module as a plugin, which replaces the one in the program. */
export const accountPlugin = path.join(folder, 'account-plugin');

/** Returns the folders of runs whose process has ended. */
function endedRuns(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((run) => {
      if (!/^\d+$/.test(run)) return false;
      try {
        process.kill(Number(run), 0);
        return false;
      } catch {
        return true;
      }
    })
    .map((run) => path.join(dir, run));
}

export default function setup(): () => void {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0' },
    });
  if (!existsSync(binary)) run('make', 'bin/wattle');
  for (const old of [...endedRuns(path.join(cache, 'e2e')), ...endedRuns(path.join(root, 'test-results/e2e')), folder])
    rmSync(old, { recursive: true, force: true });
  run(process.execPath, 'tools/build.mjs', '--fixture', path.join(folder, 'remotes'));
  const plugin = (folder: string, key: string, main: string, remote?: string) => {
    const binary = path.join(folder, key, key);
    mkdirSync(path.dirname(binary), { recursive: true, mode: 0o700 });
    run('go', 'build', '-trimpath', '-o', binary, main);
    const sha256 = createHash('sha256').update(readFileSync(binary)).digest('hex');
    const spec = JSON.stringify({ key, binary: key, sha256, remote });
    writeFileSync(path.join(folder, key, 'plugin.json'), spec, { mode: 0o600 });
  };
  plugin(plugins, 'fixture', './shell/e2e/fixture/plugin', 'remote');
  plugin(plugins, 'guest', './shell/e2e/fixture/guest', 'remote');
  for (const key of ['fixture', 'guest'])
    cpSync(path.join(folder, 'remotes', key), path.join(plugins, key, 'remote'), { recursive: true });
  plugin(accountPlugin, 'account', './modules/account/plugin');
  // the labels of the demo; two of them get the fixture
  cpSync(path.join(root, 'labels'), labels, { recursive: true });
  for (const key of ['1024', '1042'])
    appendFileSync(path.join(labels, key, 'label.cue'), '\nmodules: {fixture: greeting: "Moi", guest: {}}\n');
  return () => rmSync(folder, { recursive: true, force: true });
}
