// webpack's own module federation with ESM containers: one configuration for the shell and one per remote.
import { createRequire } from 'node:module';
import path from 'node:path';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { container, output } from './outside.mjs';
import { cache, root, shared, sources } from './workspace.mjs';

const locales = createRequire(import.meta.url)('@react-aria/optimize-locales-plugin');

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
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'esbuild-loader',
          options: { target: 'es2022', jsx: 'automatic' },
          sideEffects: false,
        },
        { test: /shell\/src\/(index|bootstrap)\.tsx?$/, sideEffects: true },
        { test: /\.woff2$/, type: 'asset/resource' },
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
          path.join(root, 'tools/workspace.mjs'),
          path.join(root, 'package-lock.json'),
        ],
      },
    },
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: dev ? 'named' : 'deterministic',
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
    ],
  };
}
