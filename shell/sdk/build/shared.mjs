// What the host shares with its remotes, by the versions that this repository has. In the tarball the list stands as it was made here
// (tools/pack.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const packageOf = (name) => JSON.parse(readFileSync(path.join(import.meta.dirname, '../..', name, 'package.json'), 'utf8'));
const ours = (name) => packageOf(name).version;
/** Of a library that is installed, which need not let its package.json be imported. */
const version = (name) => {
  const file = require.resolve
    .paths(name)
    .map((folder) => path.join(folder, name, 'package.json'))
    .find(existsSync);
  return JSON.parse(readFileSync(file, 'utf8')).version;
};
const range = (v) => (v.startsWith('0.') ? `~${v.split('.').slice(0, 2).join('.')}.0` : `^${v.split('.')[0]}.0.0`);
const share = (names, of, extra = {}) =>
  names.map((n) => [n, { singleton: true, version: of(n), requiredVersion: range(of(n)), ...extra }]);
/** Entries of a package of ours that have a source, as they are imported. */
const entries = (name) =>
  Object.entries(packageOf(name).exports)
    .filter(([, target]) => target['wattle-source'])
    .map(([entry]) => `@wattle/${name}${entry.slice(1)}`);

/**
 * The one list of what is shared. A remote never bundles these (`import: false`); react and the SDK must fit strictly.
 * A library with many exports is shared through a package of ours, because sharing ends tree shaking
 * (docs/architecture.md, what remotes share).
 */
export const shared = Object.fromEntries([
  ...share(['react'], version, { strictVersion: true }),
  ...share(['react/jsx-runtime'], () => version('react')),
  ...share(['react-dom', 'react-intl', 'styled-components'], version),
  ...share(['@wattle/sdk'], () => ours('sdk'), { strictVersion: true }),
  ...share(
    entries('ui').filter((n) => /^@wattle\/ui(\/(forms|dates|table|phone|iban|format|html))?$/.test(n)),
    () => ours('ui'),
  ),
  ...share(entries('charts'), () => ours('charts')),
]);
