// @wattle/sdk/build builds remotes, in this repository and in others. Most projects only need `build`; the other exports are for
// projects with a webpack configuration of their own. It runs in Node.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch as watchFolder,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import locales from '@react-aria/optimize-locales-plugin';
import { build as bundle } from 'esbuild';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { CompileHints } from './hints.mjs';
import { catalogOf, compileTexts, textsOf } from './messages.mjs';
import { WithoutDefaultMessages } from './plain.mjs';
import { shared } from './shared.mjs';
import { declaration, entryOf, run } from './slots.mjs';

export { shared };

const require = createRequire(import.meta.url);
const here = import.meta.dirname;
/** The file that exports manifestOf: the source in the repository, or compiled code in the tarball. */
const manifestOf = [path.join(here, '../src/manifest.ts'), path.join(here, '../manifest.js')].find(existsSync);

/**
 * Returns the options of webpack's ModuleFederationPlugin for a remote: an ESM container `entry.js` that does not bundle shared
 * packages.
 * @param {{key: string, entry?: string}} o key of the module; entry: file that exports defineRemote
 */
export const container = ({ key, entry = './src/remote.ts' }) => ({
  name: key,
  filename: 'entry.js',
  library: { type: 'module' },
  exposes: { './remote': { import: entry, name: 'remote' } },
  shared: Object.fromEntries(Object.entries(shared).map(([n, { version: _, ...s }]) => [n, { ...s, import: false }])),
});

/** Returns the webpack output options that a container needs to load in the host. */
export const output = (key) => ({
  publicPath: 'auto',
  uniqueName: `wattle-${key}`,
  module: true,
  chunkFormat: 'module',
  chunkLoading: 'import',
  strictModuleErrorHandling: true, // a module that threw an error is evaluated again at the next import
});

/**
 * Returns the content of remote.json: what remote.ts declares, without its code, and the texts of its titles and menus. It bundles
 * the static imports of remote.ts and runs the result here; pages, views and messages are never imported.
 * @param {{dir: string, entry?: string, version?: string}} o dir: absolute path of the remote's folder, which contains src/;
 *   version: by default that of package.json
 */
export async function declared({ dir, entry = entryOf(dir), version = packageOf(dir).version }) {
  const { describe } = await evaluated(dir, entry);
  const texts = (locale) => JSON.parse(readFileSync(path.join(dir, `src/messages/${locale}.json`), 'utf8'));
  return describe(version, { nl: texts('nl'), en: texts('en') });
}

/** Runs remote.ts and returns its key and a function that describes it. */
async function evaluated(dir, entry = entryOf(dir)) {
  const contents = `import remote from './${entry.replace(/\.tsx?$/, '')}'; import { manifestOf } from ${JSON.stringify(manifestOf)};
    export const key = remote.key; export const describe = (version, texts) => manifestOf(remote, version, texts);`;
  return run(await bundle(declaration(dir, contents, (file) => ({ path: file, external: true }))));
}

const packageOf = (dir) => JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));

/** Returns a cache group that puts all files whose chunk names satisfy `test` into one chunk. */
const together = (name, priority, test) => ({
  name,
  test: (module, { chunkGraph }) =>
    module.resource !== undefined && test([...chunkGraph.getModuleChunksIterable(module)].map((c) => c.name ?? '')),
  minChunks: 1,
  enforce: true,
  priority,
});
/**
 * Files of a remote that are bundled together, because brotli compresses one file better than two. `own`: what remote.ts declares,
 * code that several chunks share, and the tiles, because customers start on a page with tiles; a remote with many small pages adds
 * those whose imports are named own.<page>. `forms`: all imports named forms.<form>. Kits that a form or page needs are still
 * fetched only with that form or page.
 */
const chunks = {
  texts: {
    test: /messages[\\/](compiled[\\/])?(nl|en)(\.slots)?\.json$/,
    name: (module) => `texts.${path.basename(module.resource, '.json')}`, // the file name shows the language
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

/** Returns the minimizer for ES modules. */
export const minimizer = () =>
  new TerserPlugin({
    extractComments: false,
    terserOptions: { module: true, ecma: 2020, compress: { passes: 2 }, format: { comments: false } },
  });

/** Returns a plugin that keeps only the portal's languages in react-aria. */
export const portalLocales = () => locales.webpack({ locales: ['nl-NL', 'en-US'] });

/**
 * Returns the webpack configuration of a remote.
 * @param {{dir: string, key: string, out: string, entry?: string, dev?: boolean, cache?: string}} o dir: absolute path of the
 *   remote's folder; out: absolute path of the output folder, which is emptied first; cache: folder for webpack's file cache
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
      // ids by size would be shorter, but an edit then renumbers modules in chunks that webpack takes unchanged from its cache
      moduleIds: dev ? 'named' : 'deterministic',
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
      ...(dev
        ? []
        : [new CompileHints(), new WithoutDefaultMessages((file) => file?.startsWith(dir) && !file.includes('node_modules'))]),
    ],
  };
}

/** Runs webpack. @throws an Error with webpack's messages */
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

/** Returns the files below a folder, sorted. */
export const filesOf = (dir) =>
  globSync('**/*', { cwd: dir })
    .filter((f) => statSync(path.join(dir, f)).isFile())
    .sort();
/** Returns a hash of the names and contents of all files below a folder. */
export const hashOf = (dir) => {
  const h = createHash('sha256');
  for (const f of filesOf(dir)) h.update(f).update(readFileSync(path.join(dir, f)));
  return h.digest('hex').slice(0, 12);
};

/** Adds a compressed copy of each file to a folder. */
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
 * Writes webpack's output for a remote in the layout that a portal serves: a folder for this build, remote.json, and messages.json
 * with the texts by language for `wattle labels vet`.
 * @param {{dir: string, key: string, from: string, to: string}} o from: webpack's output folder; to: folder of the remote
 * @returns the hash of the build
 */
export async function publish({ dir, key, from, to }) {
  const hash = hashOf(from);
  cpSync(from, path.join(to, hash), { recursive: true });
  await compress(path.join(to, hash));
  writeFileSync(path.join(to, 'messages.json'), JSON.stringify(textsOf(dir, catalogOf({ key, dir: '' }))));
  // remote.json is written last: a portal treats a folder that contains it as complete
  writeFileSync(path.join(to, 'remote.json'), JSON.stringify({ ...(await declared({ dir })), entry: `${hash}/entry.js` }));
  return hash;
}

/** Returns the key of a remote. */
async function keyOf(dir) {
  // remote.ts imports these files, but the key that they are checked against is read from remote.ts: create empty files first
  for (const name of ['nl', 'en', 'nl.slots', 'en.slots']) {
    const file = path.join(dir, 'src/messages/compiled', `${name}.json`);
    if (existsSync(file)) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{}');
  }
  return (await evaluated(dir)).key;
}

/**
 * Builds a remote: texts, code and manifest.
 * @param {{dir: string, out?: string}} o dir: absolute path of the remote's folder, which contains package.json and src/; out:
 *   output folder, by default dist/ in that folder
 */
export async function build({ dir, out = path.join(dir, 'dist') }) {
  const key = await keyOf(dir);
  await compileTexts(dir, catalogOf({ key, dir: '' }));
  const work = `${out}.work`;
  await compile(config({ dir, key, out: work }));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const hash = await publish({ dir, key, from: work, to: out });
  rmSync(work, { recursive: true, force: true });
  console.log(`remote ${key}: ${hash}`);
}

/**
 * Builds a remote for development, and rebuilds it after every change: not minimized, with source maps. It never returns. `wattle
 * modules dev` runs it, with `out` below the folder of --remotes. Errors are printed, and the last valid build stays.
 * @param {{dir: string, out: string}} o dir: absolute path of the remote's folder; out: absolute path of the output folder, whose
 *   name is the key
 */
export async function watch({ dir, out }) {
  const key = await keyOf(dir);
  const work = `${out}.work`;
  const failed = (e) => console.error(`remote ${key}: ${e.message}`);
  const texts = () => compileTexts(dir, catalogOf({ key, dir: '' })).catch(failed);
  await texts();
  let builds = [];
  webpack(config({ dir, key, out: work, dev: true })).watch(
    { aggregateTimeout: 20, ignored: '**/node_modules' },
    async (error, stats) => {
      if (error) return failed(error);
      if (stats.hasErrors()) return failed(new Error(stats.toString({ all: false, errors: true })));
      try {
        const hash = hashOf(work);
        if (hash === builds.at(-1)) return;
        cpSync(work, path.join(out, hash), { recursive: true });
        builds = [...builds.filter((b) => b !== hash), hash];
        // the previous build stays for a page that is still loading it
        for (const old of builds.splice(0, builds.length - 2)) rmSync(path.join(out, old), { recursive: true, force: true });
        writeFileSync(path.join(out, 'messages.json'), JSON.stringify(textsOf(dir, catalogOf({ key, dir: '' }))));
        const manifest = JSON.stringify({ ...(await declared({ dir })), entry: `${hash}/entry.js` });
        writeFileSync(path.join(out, 'remote.json.part'), manifest); // a portal may read remote.json at any time
        renameSync(path.join(out, 'remote.json.part'), path.join(out, 'remote.json'));
        console.log(`remote ${key}: ${stats.endTime - stats.startTime} ms`);
      } catch (e) {
        failed(e);
      }
    },
  );
  // Texts are compiled while webpack builds; if they changed, it builds again.
  let timer;
  let running = Promise.resolve();
  watchFolder(path.join(dir, 'src'), { recursive: true }, (_, file) => {
    if (!file || !/\.tsx?$|messages[\\/]nl\.json$/.test(file) || /\.(test|gen)\.tsx?$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(texts); // one at a time
    }, 50);
  });
}
