// What a remote outside of this repository is built with; inside, tools/webpack.mjs and tools/manifest.mjs use the same. In the
// tarball of @wattle/sdk it is the entry `build` (tools/pack.mjs).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Options of webpack's ModuleFederationPlugin for a remote: one container `entry.js` in ESM, and nothing of what the host shares.
 * @param {{key: string, entry?: string, shared: Record<string, object>}} o key of the module; entry: file that exports defineRemote
 */
export const container = ({ key, entry = './src/remote.ts', shared }) => ({
  name: key,
  filename: 'entry.js',
  library: { type: 'module' },
  exposes: { './remote': { import: entry, name: 'remote' } },
  shared: Object.fromEntries(Object.entries(shared).map(([n, s]) => [n, { ...s, import: false }])),
});

/** Settings of webpack without which a container does not load in the host. */
export const output = (key) => ({
  publicPath: 'auto',
  uniqueName: `wattle-${key}`,
  module: true,
  chunkFormat: 'module',
  chunkLoading: 'import',
  strictModuleErrorHandling: true, // a module that threw is not half there the next time
});

const stubs = {
  '@wattle/sdk': 'export const defineRemote = (r) => r;',
  'react-intl': 'export const defineMessages = (m) => m; export const defineMessage = (m) => m;',
};

/**
 * remote.ts → what remote.json holds: what a remote declares, without its code, with the texts of its titles and menus. It bundles
 * what remote.ts imports statically and runs it here; pages, views and messages are never imported.
 * @param {{dir: string, entry?: string, version: string, manifestOf: string}} o dir: absolute folder of the remote, with src/;
 *   manifestOf: module that exports the function of that name
 */
export async function declared({ dir, entry = 'remote.ts', version, manifestOf }) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import remote from './${entry.replace(/\.tsx?$/, '')}'; import { manifestOf } from ${JSON.stringify(manifestOf)};
        export default (version, texts) => manifestOf(remote, version, texts);`,
      resolveDir: path.join(dir, 'src'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
    plugins: [
      {
        name: 'declared-only',
        setup(b) {
          b.onResolve({ filter: /.*/ }, (a) => {
            if (a.kind === 'dynamic-import') return { path: a.path, external: true };
            if (stubs[a.path]) return { path: a.path, namespace: 'stub' };
          });
          b.onLoad({ filter: /.*/, namespace: 'stub' }, (a) => ({ contents: stubs[a.path] }));
        },
      },
    ],
  });
  const of = (await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)).default;
  const texts = (locale) => JSON.parse(readFileSync(path.join(dir, `src/messages/${locale}.json`), 'utf8'));
  return of(version, { nl: texts('nl'), en: texts('en') });
}
