// @wattle/sdk/build: how every remote is built, those of this repository and those of others. `build` is all that most need; the rest
// is for who has a webpack configuration already. It runs in Node.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import locales from '@react-aria/optimize-locales-plugin';
import { build as bundle } from 'esbuild';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { catalogueOf, compileTexts, textsOf } from './messages.mjs';
import { WithoutDefaultMessages } from './plain.mjs';
import { shared } from './shared.mjs';

export { shared };

const require = createRequire(import.meta.url);
const here = import.meta.dirname;
/** The function of that name: its source in the repository, compiled in the tarball. */
const manifestOf = [path.join(here, '../src/manifest.ts'), path.join(here, '../manifest.js')].find(existsSync);

/**
 * Options of webpack's ModuleFederationPlugin for a remote: one container `entry.js` in ESM, and nothing of what the host shares.
 * @param {{key: string, entry?: string}} o key of the module; entry: file that exports defineRemote
 */
export const container = ({ key, entry = './src/remote.ts' }) => ({
  name: key,
  filename: 'entry.js',
  library: { type: 'module' },
  exposes: { './remote': { import: entry, name: 'remote' } },
  shared: Object.fromEntries(Object.entries(shared).map(([n, { version: _, ...s }]) => [n, { ...s, import: false }])),
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
 * @param {{dir: string, entry?: string, version?: string}} o dir: absolute folder of the remote, with src/; version: of package.json
 *   without it
 */
export async function declared({ dir, entry = entryOf(dir), version = packageOf(dir).version }) {
  const { describe } = await evaluated(dir, entry);
  const texts = (locale) => JSON.parse(readFileSync(path.join(dir, `src/messages/${locale}.json`), 'utf8'));
  return describe(version, { nl: texts('nl'), en: texts('en') });
}

/** What remote.ts exports, and the function that describes it. */
async function evaluated(dir, entry = entryOf(dir)) {
  const { outputFiles } = await bundle({
    stdin: {
      contents: `import remote from './${entry.replace(/\.tsx?$/, '')}'; import { manifestOf } from ${JSON.stringify(manifestOf)};
        export const key = remote.key; export const describe = (version, texts) => manifestOf(remote, version, texts);`,
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
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

const packageOf = (dir) => JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
const entryOf = (dir) => (existsSync(path.join(dir, 'src/remote.tsx')) ? 'remote.tsx' : 'remote.ts');

/** A chunk of all files of which the chunks, by name, satisfy `test`. */
const together = (name, priority, test) => ({
  name,
  test: (module, { chunkGraph }) =>
    module.resource !== undefined && test([...chunkGraph.getModuleChunksIterable(module)].map((c) => c.name ?? '')),
  minChunks: 1,
  enforce: true,
  priority,
});
/**
 * Files of a remote that go together, because brotli finds in one file what it cannot find across two. `own`: what it declares, what two
 * of its chunks have, and its tiles, as customers begin on a page that shows them; with own.<page> also what a remote of many small
 * pages has beside them. `forms`: each import named forms.<form>. The kits that a form or a page needs are still fetched only with it.
 */
const chunks = {
  texts: {
    test: /messages[\\/](compiled[\\/])?(nl|en)\.json$/,
    name: (module) => `texts.${path.basename(module.resource, '.json')}`, // the language can be told by it
    minChunks: 1,
    enforce: true,
    priority: 3,
  },
  own: together(
    'own',
    2,
    (chunks) => chunks.length > 1 || chunks.includes('remote') || chunks.some((c) => c === 'tiles' || c.startsWith('own.')),
  ),
  forms: together('forms', 1, (chunks) => chunks.some((c) => c.startsWith('forms.'))),
};

/** Makes ES modules small. */
export const minimizer = () =>
  new TerserPlugin({
    extractComments: false,
    terserOptions: { module: true, ecma: 2020, compress: { passes: 2 }, format: { comments: false } },
  });

/** Languages that react-aria brings along; the others stay out. */
export const portalLocales = () => locales.webpack({ locales: ['nl-NL', 'en-US'] });

/**
 * The webpack configuration of a remote.
 * @param {{dir: string, key: string, out: string, entry?: string, dev?: boolean, cache?: string}} o dir: absolute folder of the remote;
 *   out: absolute folder that the files go to, which then holds nothing else; cache: folder in which webpack keeps what it knows
 */
export function config({ dir, key, out, entry = entryOf(dir), dev = false, cache }) {
  return {
    name: `remote-${key}`,
    mode: dev ? 'development' : 'production',
    context: dir,
    target: ['web', 'es2022'],
    devtool: dev ? 'cheap-module-source-map' : false,
    entry: {},
    output: {
      path: out,
      clean: true,
      ...output(key),
      filename: '[name].js',
      chunkFilename: dev ? '[name].js' : '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
    },
    experiments: { outputModule: true },
    resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js'] },
    module: {
      rules: [
        ...(dev ? [] : [{ resource: path.join(dir, 'src', entry), enforce: 'post', loader: path.join(here, 'code-only.mjs') }]),
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: require.resolve('esbuild-loader'),
          options: { target: 'es2022', jsx: 'automatic' },
          sideEffects: false,
        },
        { test: /\.woff2$/, type: 'asset/resource' },
      ],
    },
    cache: cache
      ? {
          type: 'filesystem',
          cacheDirectory: cache,
          name: `${key}-${dev ? 'dev' : 'build'}`,
          buildDependencies: { config: globSync('*.mjs', { cwd: here }).map((f) => path.join(here, f)) },
        }
      : false,
    optimization: {
      // a remote's folder has the hash of all that is in it, so that nothing of it is kept when something of it changes
      moduleIds: 'size',
      mangleExports: dev ? undefined : 'size',
      chunkIds: dev ? 'named' : 'deterministic',
      splitChunks: { cacheGroups: chunks },
      minimizer: [minimizer()],
    },
    performance: { hints: false },
    infrastructureLogging: { level: 'error' },
    plugins: [
      new webpack.container.ModuleFederationPlugin(container({ key, entry: `./src/${entry}` })),
      portalLocales(),
      ...(dev ? [] : [new WithoutDefaultMessages((file) => file?.startsWith(dir) && !file.includes('node_modules'))]),
    ],
  };
}

/** Runs webpack. @throws its errors, in words */
export function compile(configs) {
  return new Promise((resolve, reject) => {
    const compiler = webpack(configs);
    compiler.run((error, stats) =>
      compiler.close(() => {
        if (error) reject(error);
        else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true, errorDetails: true })));
        else resolve(stats);
      }),
    );
  });
}

/** Files of a folder and those below it, in order. */
export const filesOf = (dir) =>
  globSync('**/*', { cwd: dir })
    .filter((f) => statSync(path.join(dir, f)).isFile())
    .sort();
/** Names a folder by what is in it. */
export const hashOf = (dir) => {
  const h = createHash('sha256');
  for (const f of filesOf(dir)) h.update(f).update(readFileSync(path.join(dir, f)));
  return h.digest('hex').slice(0, 12);
};

/** Puts the compressed forms of its files into a folder. */
export async function compress(dir) {
  await Promise.all(
    filesOf(dir)
      .filter((f) => /\.(js|css|svg|json)$/.test(f))
      .map(async (f) => {
        const raw = readFileSync(path.join(dir, f));
        if (raw.length < 512) return;
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(raw, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
          }),
          promisify(gzip)(raw, { level: 9 }),
        ]);
        writeFileSync(path.join(dir, `${f}.br`), br);
        writeFileSync(path.join(dir, `${f}.gz`), gz);
      }),
  );
}

/**
 * Lays out what webpack has made of a remote as a portal serves it: a folder for this build, remote.json, and messages.json, the texts
 * by language for `wattle labels vet`.
 * @param {{dir: string, key: string, from: string, to: string}} o from: what webpack made; to: where it goes
 * @returns the hash of the build
 */
export async function publish({ dir, key, from, to }) {
  const hash = hashOf(from);
  cpSync(from, path.join(to, hash), { recursive: true });
  await compress(path.join(to, hash));
  writeFileSync(path.join(to, 'messages.json'), JSON.stringify(textsOf(dir, catalogueOf({ key, dir: '' }))));
  // last: a portal that looks takes a folder with remote.json for a whole one
  writeFileSync(path.join(to, 'remote.json'), JSON.stringify({ ...(await declared({ dir })), entry: `${hash}/entry.js` }));
  return hash;
}

/**
 * Builds a remote by itself: its texts, its code and what it declares.
 * @param {{dir: string, out?: string}} o dir: absolute folder of the remote, with package.json and src/; out: where it goes, dist/ in
 *   that folder without it
 */
export async function build({ dir, out = path.join(dir, 'dist') }) {
  // they are imported by remote.ts, which says under which key they are checked
  for (const locale of ['nl', 'en']) {
    const file = path.join(dir, 'src/messages/compiled', `${locale}.json`);
    if (existsSync(file)) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{}');
  }
  const { key } = await evaluated(dir);
  await compileTexts(dir, catalogueOf({ key, dir: '' }));
  const work = `${out}.work`;
  await compile(config({ dir, key, out: work }));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const hash = await publish({ dir, key, from: work, to: out });
  rmSync(work, { recursive: true, force: true });
  console.log(`remote ${key} ${packageOf(dir).version}: ${hash}`);
}
