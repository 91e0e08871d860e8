// The packages that the host shares with its remotes, in the versions that this repository uses. tools/pack.mjs writes this list
// into the tarball.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const packageOf = (name) => JSON.parse(readFileSync(path.join(import.meta.dirname, '../..', name, 'package.json'), 'utf8'));
const ownVersionOf = (name) => packageOf(name).version;
/** Returns the version of an installed library whose package.json may not be exported. */
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
/** Returns the import names of our package's entries that have a source. */
const entries = (name) =>
  Object.entries(packageOf(name).exports)
    .filter(([, target]) => target['wattle-source'])
    .map(([entry]) => `@wattle/${name}${entry.slice(1)}`);

/**
 * The only list of shared packages. A remote never bundles these (`import: false`); the versions of react and the SDK must match
 * strictly. A library with many exports is shared through one of our packages, because sharing it directly disables tree shaking
 * (docs/architecture.md, what remotes share).
 */
export const shared = Object.fromEntries([
  ...share(['react'], version, { strictVersion: true }),
  ...share(['react/jsx-runtime'], () => version('react')),
  ...share(['react-dom', 'react-intl', 'styled-components'], version),
  ...share(['@wattle/sdk'], () => ownVersionOf('sdk'), { strictVersion: true }),
  ...share(
    entries('ui').filter((n) => /^@wattle\/ui(\/(forms|dates|table|phone|iban|format|html))?$/.test(n)),
    () => ownVersionOf('ui'),
  ),
  ...share(entries('charts'), () => ownVersionOf('charts')),
]);
