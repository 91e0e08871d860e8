// Where things are, and what the host shares with its remotes. Everything that builds or tests reads it here.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
export const dist = path.join(root, 'core/internal/assets/dist');
export const cache = path.join(root, '.cache');
export const bin = (name) => path.join(root, 'node_modules/.bin', name);
const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Remotes of this repository: a folder each with src/remote.ts. The fixture of the browser tests is built on request. */
export const remotes = (fixture = false) =>
  [
    ...globSync('remotes/*/src/remote.ts{,x}', { cwd: root }),
    ...(fixture ? globSync('shell/e2e/fixture/remote/src/remote.ts{,x}', { cwd: root }) : []),
  ]
    .sort()
    .map((entry) => {
      const dir = path.dirname(path.dirname(entry));
      const key = path.basename(dir) === 'remote' ? path.basename(path.dirname(dir)) : path.basename(dir);
      return { key, dir, entry: path.basename(entry), version: json(path.join(dir, 'package.json')).version };
    });

/** Our own packages by the name that they are imported by: in the workspace their source is used, outside their dist. */
export const sources = Object.fromEntries(
  ['shell/sdk', 'shell/ui', 'shell/charts'].flatMap((dir) => {
    const { name, exports } = json(`${dir}/package.json`);
    return Object.entries(exports)
      .filter(([, target]) => typeof target === 'object' && target.source && existsSync(path.join(root, dir, target.source)))
      .map(([entry, target]) => [name + entry.slice(1), path.join(root, dir, target.source)]);
  }),
);

const ours = (name) => json(`shell/${name}/package.json`).version;
const version = (name) => json(`node_modules/${name}/package.json`).version;
const range = (v) => (v.startsWith('0.') ? `~${v.split('.').slice(0, 2).join('.')}.0` : `^${v.split('.')[0]}.0.0`);
const share = (names, of, extra = {}) =>
  names.map((n) => [n, { singleton: true, version: of(n), requiredVersion: range(of(n)), ...extra }]);

/**
 * The one list of what is shared. A remote never bundles these (`import: false`); react and the SDK must fit strictly.
 * A library with many exports is shared through a package of ours, because sharing ends tree shaking (spikes/README.md).
 */
export const shared = Object.fromEntries([
  ...share(['react'], version, { strictVersion: true }),
  ...share(['react/jsx-runtime'], () => version('react')),
  ...share(['react-dom', 'react-intl', 'styled-components'], version),
  ...share(['@wattle/sdk'], () => ours('sdk'), { strictVersion: true }),
  ...share(
    Object.keys(sources).filter((n) => /^@wattle\/ui(\/(forms|dates|table|phone|iban|format|html))?$/.test(n)),
    () => ours('ui'),
  ),
  ...share(
    Object.keys(sources).filter((n) => n.startsWith('@wattle/charts')),
    () => ours('charts'),
  ),
]);
