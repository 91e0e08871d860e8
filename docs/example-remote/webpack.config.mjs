import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { container, declared, output } from '@wattle/sdk/build';
import webpack from 'webpack';

const key = 'acme';
const dir = import.meta.dirname;
const { version } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));

const texts = (locale) => JSON.parse(readFileSync(path.join(dir, `src/messages/${locale}.json`), 'utf8'));

/**
 * Writes two files next to the folder of this build: remote.json, what the server must know before the remote has loaded, and
 * messages.json, the texts against which `wattle labels vet` checks those of a label.
 */
const manifest = {
  apply: (compiler) =>
    compiler.hooks.afterEmit.tapPromise('remote.json', async (compilation) => {
      const to = compilation.getPath(compiler.outputPath, {});
      const entry = `${path.basename(to)}/entry.js`;
      writeFileSync(path.join(to, '../messages.json'), JSON.stringify({ nl: texts('nl'), en: texts('en') }));
      writeFileSync(path.join(to, '../remote.json'), JSON.stringify({ ...(await declared({ dir, version })), entry }));
    }),
};

export default {
  mode: 'production',
  context: dir,
  target: ['web', 'es2022'],
  entry: {},
  // A build has a folder of its own: what a browser has loaded of an earlier one goes on working.
  output: {
    ...output(key),
    path: path.join(dir, 'dist/[fullhash]'),
    filename: '[name].js',
    chunkFilename: '[name].[contenthash:10].js',
  },
  experiments: { outputModule: true },
  resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js'] },
  module: {
    rules: [
      { test: /\.tsx?$/, exclude: /node_modules/, loader: 'esbuild-loader', options: { target: 'es2022', jsx: 'automatic' } },
    ],
  },
  performance: { hints: false },
  plugins: [new webpack.container.ModuleFederationPlugin(container({ key })), manifest],
};
