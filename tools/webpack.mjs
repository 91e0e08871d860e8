// webpack's own module federation with ESM containers: a configuration for the shell, and the one of @wattle/sdk/build for remotes.
import path from 'node:path';
import { config, minimizer, output, portalLocales, shared } from '@wattle/sdk/build';
import webpack from 'webpack';
import { CompileHints } from '../shell/sdk/build/hints.mjs';
import { WithoutDefaultMessages } from '../shell/sdk/build/plain.mjs';
import { cache, root, sources } from './workspace.mjs';

const parser = '@formatjs/icu-messageformat-parser';
const withoutParser = { [`${parser}$`]: `${parser}/no-parser.js` };

/** Returns a chunk for modules that would otherwise be in several chunks, so that a shared file is sent only once. */
const sharedChunk = (name, { test = () => true, priority = 0 } = {}) => ({
  name,
  test: (module, graph) => module.resource !== undefined && test(module, graph), // modules of shared packages stay where they are imported
  minChunks: 2,
  enforce: true,
  priority,
});

/** Returns a function that reports whether a module is in a chunk that contains this file. */
const inChunkOf = (file) => {
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

const start = inChunkOf('shell/src/bootstrap.tsx');
const inside = inChunkOf('shell/src/inside.tsx');
const slotOfSignIn = inChunkOf('shell/src/sign-in/slot-view.tsx');
const kit = inChunkOf('shell/ui/src/index.ts');
const fields = inChunkOf('shell/ui/src/forms.ts');
const spark = inChunkOf('shell/charts/src/spark.ts');
const drawing = inChunkOf('shell/charts/src/drawing.tsx');
/**
 * The shell's code, in the order of loading: sign-in, every signed-in page, the kit and its entries. webpack does not know that
 * order: any shared package could be loaded first, so each of them would contain all its dependencies.
 */
const layers = {
  start: sharedChunk('base', { test: start, priority: 30 }),
  inside: sharedChunk('core', { test: (m, g) => inside(m, g) && !slotOfSignIn(m, g), priority: 20 }),
  kit: sharedChunk('ui', { test: kit, priority: 10 }),
  fields: sharedChunk('fields', { test: fields, priority: 5 }),
  spark: sharedChunk('spark', { test: spark, priority: 5 }),
  // the parts of recharts that a chart uses; @wattle/charts/recharts adds the rest, for remotes that draw with it
  recharts: sharedChunk('recharts', { test: drawing, priority: 4 }),
};

const buildDependencies = [import.meta.filename, path.join(root, 'tools/workspace.mjs'), path.join(root, 'package-lock.json')];

/**
 * Returns the configuration of a remote in this repository: that of @wattle/sdk/build, with a cache. `dir` is relative to the root.
 */
export function remoteConfig({ key, dir, entry, out, dev = false }) {
  const c = config({ dir: path.join(root, dir), key, entry, out, dev, cache: path.join(cache, 'webpack') });
  c.cache.buildDependencies.config.push(...buildDependencies);
  return c;
}

/** @param p.out output folder, which contains nothing else */
export function shellConfig({ out, dev = false }) {
  return {
    name: 'shell',
    mode: dev ? 'development' : 'production',
    context: path.join(root, 'shell'),
    target: ['web', 'es2022'],
    devtool: dev ? 'cheap-module-source-map' : false,
    entry: { main: './src/index.ts' },
    output: {
      path: out,
      clean: true,
      ...output('shell'),
      filename: dev ? '[name].js' : '[name].[contenthash:10].js',
      chunkFilename: dev ? '[name].js' : '[name].[contenthash:10].js',
      assetModuleFilename: '[name].[contenthash:10][ext]',
    },
    experiments: { outputModule: true },
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js'],
      alias: Object.fromEntries(Object.entries(sources).map(([n, file]) => [`${n}$`, file])),
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'esbuild-loader',
          options: { target: 'es2022', jsx: 'automatic' },
          sideEffects: false,
        },
        { test: /shell\/src\/(index|bootstrap)\.tsx?$/, sideEffects: true },
        { test: /\.woff2$/, type: 'asset/resource' },
        // webpack would write this checkout's folder for import.meta.url, so two checkouts would give two programs.
        { include: /node_modules\/react-router\//, parser: { importMeta: false } },
        // react-intl gets texts as syntax trees (shell/src/texts.ts); the parser is only loaded for other texts.
        {
          include: /node_modules\/(react-intl|@formatjs\/intl|intl-messageformat)\//,
          resolve: dev ? {} : { alias: withoutParser },
        },
      ],
    },
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(cache, 'webpack'),
      name: `shell-${dev ? 'dev' : 'build'}`,
      buildDependencies: { config: buildDependencies },
    },
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: dev ? 'named' : 'deterministic',
      splitChunks: { cacheGroups: layers },
      minimizer: [minimizer()],
    },
    performance: { hints: false },
    infrastructureLogging: { level: 'error' },
    plugins: [
      new webpack.container.ModuleFederationPlugin({ name: 'shell', shared }),
      portalLocales(),
      ...(dev
        ? []
        : [new CompileHints(), new WithoutDefaultMessages((file) => file?.startsWith(root) && !file.includes('node_modules'))]),
    ],
  };
}
