// remote.ts → remote.json: what a remote declares, without its code, with the texts of its titles and menus.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { remotes, root } from './workspace.mjs';

const stubs = {
  '@wattle/sdk': 'export const defineRemote = (r) => r;',
  'react-intl': 'export const defineMessages = (m) => m; export const defineMessage = (m) => m;',
};

/** Bundles what remote.ts imports statically and runs it here; pages, views and messages are never imported. */
export async function manifest({ dir, entry, version }) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import remote from './${entry.replace(/\.tsx?$/, '')}'; import { manifestOf } from ${JSON.stringify(path.join(root, 'shell/sdk/src/manifest.ts'))};
        export default (version, texts) => manifestOf(remote, version, texts);`,
      resolveDir: path.join(root, dir, 'src'),
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
  const texts = (locale) => JSON.parse(readFileSync(path.join(root, dir, `src/messages/${locale}.json`), 'utf8'));
  return of(version, { nl: texts('nl'), en: texts('en') });
}

if (import.meta.main) for (const r of remotes(true)) console.log(JSON.stringify(await manifest(r), null, 2));
