// Paths in the repository, for everything that builds or tests.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
export const dist = path.join(root, 'core/internal/http/assets/dist');
export const cache = path.join(root, '.cache');
export const bin = (name) => path.join(root, 'node_modules/.bin', name);
const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Remotes in this repository: the folders with src/remote.ts. Those of the browser tests' fixtures are included on request. */
export const remotes = (fixture = false) =>
  [
    ...globSync('remotes/*/src/remote.ts{,x}', { cwd: root }),
    ...(fixture ? globSync('shell/e2e/fixture/{,guest/}remote/src/remote.ts{,x}', { cwd: root }) : []),
  ]
    .sort()
    .map((entry) => {
      const dir = path.dirname(path.dirname(entry));
      const key = path.basename(dir) === 'remote' ? path.basename(path.dirname(dir)) : path.basename(dir);
      return {
        key,
        dir,
        entry: path.basename(entry),
        version: json(path.join(dir, 'package.json')).version,
        fixture: dir.startsWith('shell/'),
      };
    });

/** Our own packages by import name: their source inside the workspace, their dist outside it. */
export const sources = Object.fromEntries(
  ['shell/sdk', 'shell/ui', 'shell/charts', 'schemas'].flatMap((dir) => {
    const { name, exports } = json(`${dir}/package.json`);
    return Object.entries(exports)
      .filter(([, target]) => target['wattle-source'])
      .map(([entry, target]) => [name + entry.slice(1), path.join(root, dir, target['wattle-source'])]);
  }),
);
