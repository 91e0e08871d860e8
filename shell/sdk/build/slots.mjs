// Finds the texts that the slot views of a remote need, so that a page with tiles does not load the texts of all its pages.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const stubs = {
  '@wattle/sdk': 'export const defineRemote = (r) => r;',
  'react-intl': 'export const defineMessages = (m) => m; export const defineMessage = (m) => m;',
};

/** Returns the file in src/ that declares the remote. */
export const entryOf = (dir) => (existsSync(path.join(dir, 'src/remote.tsx')) ? 'remote.tsx' : 'remote.ts');

/** Returns the esbuild options for running what remote.ts declares; `lazy` resolves its dynamic imports. */
export const declaration = (dir, contents, lazy) => ({
  stdin: { contents, resolveDir: path.join(dir, 'src') },
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
          if (a.kind === 'dynamic-import') return lazy(a.path);
          if (stubs[a.path]) return { path: a.path, namespace: 'stub' };
        });
        b.onLoad({ filter: /.*/, namespace: 'stub' }, (a) => ({ contents: stubs[a.path] }));
        b.onLoad({ filter: /.*/, namespace: 'name' }, (a) => ({ contents: `export default ${JSON.stringify(a.path)};` }));
      },
    },
  ],
});

/** Imports the output of esbuild. */
export const run = ({ outputFiles }) =>
  import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

/**
 * Returns the source of every file that a slot view imports, also lazily; undefined when the remote has no separate catalog for its
 * slots (`slotMessages`).
 */
export async function slotSources(dir) {
  const entry = path.join(dir, 'src', entryOf(dir));
  if (!existsSync(entry) || !/\bslotMessages\b/.test(readFileSync(entry, 'utf8'))) return undefined;
  const { default: remote } = await run(
    await build(
      declaration(dir, `export { default } from './${entryOf(dir).replace(/\.tsx?$/, '')}'`, (file) => ({
        path: file,
        namespace: 'name',
      })),
    ),
  );
  const items = Object.values(remote.slots ?? {}).flat();
  const views = await Promise.all(items.flatMap((i) => [i.view, i.summary]).flatMap((view) => (view ? [view()] : [])));
  const { metafile } = await build({
    absWorkingDir: dir,
    entryPoints: [...new Set(views.map((v) => path.join(dir, 'src', v.default)))],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    packages: 'external',
    outdir: 'none',
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs).map((file) => readFileSync(path.join(dir, file), 'utf8'));
}
