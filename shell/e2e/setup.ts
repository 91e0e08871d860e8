import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { binary } from '../../tools/server.mjs';
import { cache, root } from '../../tools/workspace.mjs';

// A folder per run, so that two runs do not collide. Workers inherit the number from their parent process.
process.env.WATTLE_E2E ??= String(process.pid);
const folder = path.join(cache, 'e2e', process.env.WATTLE_E2E);
/** The labels folder of the journeys, which run the built program with the fixture module and its remote as a plugin. */
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
  const plugin = (to: string, key: string, main: string, remote?: string) => {
    const home = path.join(to, key);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    run('go', 'build', '-trimpath', '-o', path.join(home, key), main);
    if (remote) cpSync(remote, path.join(home, 'remote'), { recursive: true });
    run(binary, 'plugins', 'seal', home, '--binary', key, ...(remote ? ['--remote', 'remote'] : []));
  };
  plugin(plugins, 'fixture', './test/plugin/fixture/plugin', path.join(folder, 'remotes/fixture'));
  plugin(plugins, 'guest', './test/plugin/guest', path.join(folder, 'remotes/guest'));
  plugin(accountPlugin, 'account', './modules/account/plugin');
  // the demo's labels; two of them get the fixture
  cpSync(path.join(root, 'labels'), labels, { recursive: true });
  for (const key of ['1024', '1042'])
    appendFileSync(path.join(labels, key, 'label.cue'), '\nmodules: {fixture: greeting: "Moi", guest: {}}\n');
  return () => rmSync(folder, { recursive: true, force: true });
}
