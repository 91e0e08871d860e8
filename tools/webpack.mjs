// webpack's own module federation with ESM containers: one configuration for the shell and one per remote.
import { createRequire } from 'node:module';
import path from 'node:path';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { container, output } from './outside.mjs';
import { WithoutDefaultMessages } from './plain.mjs';
import { cache, root, shared, sources } from './workspace.mjs';

const locales = createRequire(import.meta.url)('@react-aria/optimize-locales-plugin');

const parser = '@formatjs/icu-messageformat-parser';
const withoutParser = { [`${parser}$`]: `${parser}/no-parser.js` };

/** A chunk for what would else stand in several: a file that two chunks have is sent once. */
const twice = (name, { test = () => true, priority = 0 } = {}) => ({
  name,
  test: (module, graph) => module.resource !== undefined && test(module, graph), // what others give stays where it is asked for
  minChunks: 2,
  enforce: true,
  priority,
});

/** Is a module in a chunk that has this file? */
const beside = (file) => {
  const known = new WeakMap(); // by chunk
  const has = (chunk, graph) => {
    if (!known.has(chunk)) {
      const modules = [...graph.getChunkModulesIterable(chunk)];
      known.set(
        chunk,
        modules.some((m) => m.resource === path.join(root, file)),
      );
    }
    return known.get(chunk);
  };
  return (module, { chunkGraph }) => [...chunkGraph.getModuleChunksIterable(module)].some((c) => has(c, chunkGraph));
};

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
const files = {
  texts: {
    test: /messages[\\/]compiled[\\/](nl|en)\.json$/,
    name: (module) => `texts.${path.basename(module.resource, '.json')}`, // tools/sizes.mjs tells languages by it
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

const start = beside('shell/src/bootstrap.tsx');
const inside = beside('shell/src/inside.tsx');
const slotOfSignIn = beside('shell/src/sign-in/slot-view.tsx');
const kit = beside('shell/ui/src/index.ts');
const fields = beside('shell/ui/src/forms.ts');
const spark = beside('shell/charts/src/spark.ts');
/**
 * What the shell sends, in the order in which it is needed: what sign-in has, what every signed-in page has, the kit and its entries.
 * webpack cannot know that order: to it each package that is shared may be the first, so that each would bring all that it needs.
 */
const layers = {
  start: twice('base', { test: start, priority: 30 }),
  inside: twice('core', { test: (m, g) => inside(m, g) && !slotOfSignIn(m, g), priority: 20 }),
  kit: twice('ui', { test: kit, priority: 10 }),
  fields: twice('fields', { test: fields, priority: 5 }),
  spark: twice('spark', { test: spark, priority: 5 }),
};

/**
 * @param p.kind shell or remote
 * @param p.out folder that the files go to; it holds nothing else
 */
export function config({ kind, key, dir, entry, out, dev = false }) {
  const remote = kind === 'remote';
  const name = dev || remote ? '[name].js' : '[name].[contenthash:10].js';
  const chunk = dev ? '[name].js' : '[name].[contenthash:10].js';
  return {
    name: remote ? `remote-${key}` : 'shell',
    mode: dev ? 'development' : 'production',
    context: path.join(root, dir),
    target: ['web', 'es2022'],
    devtool: dev ? 'cheap-module-source-map' : false,
    entry: remote ? {} : { main: './src/index.ts' },
    output: {
      path: out,
      clean: true,
      ...output(remote ? key : 'shell'),
      filename: name,
      chunkFilename: chunk,
      assetModuleFilename: '[name].[contenthash:10][ext]',
    },
    experiments: { outputModule: true },
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js'],
      alias: Object.fromEntries(Object.entries(sources).map(([n, file]) => [`${n}$`, file])),
    },
    module: {
      rules: [
        ...(remote && !dev
          ? [{ resource: path.join(root, dir, 'src', entry), enforce: 'post', loader: path.join(root, 'tools/code-only.mjs') }]
          : []),
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'esbuild-loader',
          options: { target: 'es2022', jsx: 'automatic' },
          sideEffects: false,
        },
        { test: /shell\/src\/(index|bootstrap)\.tsx?$/, sideEffects: true },
        { test: /\.woff2$/, type: 'asset/resource' },
        // Texts come to react-intl as syntax trees (shell/src/texts.ts); the parser is fetched only for those that do not.
        {
          include: /node_modules\/(react-intl|@formatjs\/intl|intl-messageformat)\//,
          resolve: dev ? {} : { alias: withoutParser },
        },
      ],
    },
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(cache, 'webpack'),
      name: `${remote ? key : 'shell'}-${dev ? 'dev' : 'build'}`,
      buildDependencies: {
        config: [
          import.meta.filename,
          path.join(root, 'tools/outside.mjs'),
          path.join(root, 'tools/code-only.mjs'),
          path.join(root, 'tools/plain.mjs'),
          path.join(root, 'tools/workspace.mjs'),
          path.join(root, 'package-lock.json'),
        ],
      },
    },
    optimization: {
      // a remote's folder has the hash of all that is in it, so that nothing of it is kept when something of it changes
      moduleIds: remote ? 'size' : 'deterministic',
      mangleExports: remote && !dev ? 'size' : undefined,
      chunkIds: dev ? 'named' : 'deterministic',
      splitChunks: { cacheGroups: remote ? files : layers },
      minimizer: [
        new TerserPlugin({
          extractComments: false,
          terserOptions: { module: true, ecma: 2020, compress: { passes: 2 }, format: { comments: false } },
        }),
      ],
    },
    performance: { hints: false },
    infrastructureLogging: { level: 'error' },
    plugins: [
      new webpack.container.ModuleFederationPlugin(
        remote ? container({ key, entry: `./src/${entry}`, shared }) : { name: 'shell', shared },
      ),
      locales.webpack({ locales: ['nl-NL', 'en-US'] }),
      ...(dev ? [] : [new WithoutDefaultMessages((file) => file?.startsWith(root) && !file.includes('node_modules'))]),
    ],
  };
}
