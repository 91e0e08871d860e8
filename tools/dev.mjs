// `make dev`: one webpack watch over all configurations writes into .cache/dev; the server serves that folder and reloads the page
// over SSE. After a change to a Go file, the server is built and restarted. Pages have the same security policy as in production.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import webpack from 'webpack';
import { shellJson } from './build.mjs';
import { manifest } from './manifest.mjs';
import { messages } from './messages.mjs';
import { remoteConfig, shellConfig } from './webpack.mjs';
import { cache, remotes, root } from './workspace.mjs';

const front = path.join(cache, 'dev');
const list = remotes();
const logInfo = (text) => console.log(`[dev] ${text}`);
const logError = (e) => console.error(`[dev] ${e.message}`);

rmSync(front, { recursive: true, force: true });
mkdirSync(front, { recursive: true });
await messages().catch(logError);

const compiler = webpack([
  shellConfig({ out: path.join(front, 'shell'), dev: true }),
  ...list.map((r) => remoteConfig({ ...r, out: path.join(front, 'remotes', r.key, 'dev'), dev: true })),
]);
let server;
compiler.watch({ aggregateTimeout: 60, ignored: ['**/node_modules', '**/.cache', '**/bin'] }, async (error, stats) => {
  if (error) return logError(error);
  if (stats.hasErrors()) return console.error(stats.toString({ all: false, errors: true, colors: true }));
  try {
    for (const r of list)
      writeFileSync(
        path.join(front, 'remotes', r.key, 'remote.json'),
        JSON.stringify({ ...(await manifest(r)), entry: 'dev/entry.js' }),
      );
    // written last: the server reloads when it changes
    writeFileSync(
      path.join(front, 'shell.json'),
      JSON.stringify({ build: `dev-${Date.now()}`, ...shellJson(stats.stats[0], path.join(front, 'shell')) }),
    );
    logInfo(`front end after ${stats.stats.map((s) => s.endTime - s.startTime).reduce((a, b) => Math.max(a, b))} ms`);
    server ??= start();
  } catch (e) {
    logError(e);
  }
});

async function start(before) {
  const binary = path.join(cache, 'wattle-dev');
  try {
    await promisify(execFile)('go', ['build', '-o', binary, './core/cmd/wattle'], {
      cwd: root,
      env: { ...process.env, CGO_ENABLED: '0' },
    });
  } catch (e) {
    console.error(e.stderr);
    return before; // keeps the last server that built
  }
  const old = await before;
  if (old) {
    const gone = new Promise((resolve) => old.once('exit', resolve));
    old.kill('SIGTERM');
    await gone;
  }
  return spawn(
    binary,
    [
      'serve',
      '--demo',
      '--labels',
      'labels',
      '--data',
      process.env.DATA ?? 'data',
      '--front',
      front,
      '--dev',
      '--addr',
      `127.0.0.1:${process.env.PORT ?? 8080}`,
    ],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
}

const debounce = (work, wait = 150) => {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, wait);
  };
};
const rebuild = debounce(() => {
  server = start(server);
});
let extracted; // one at a time
const texts = debounce(() => {
  extracted = Promise.resolve(extracted).then(() => messages().catch(logError));
});
for (const dir of ['core', 'modules', 'schemas'])
  watch(path.join(root, dir), { recursive: true }, (_, file) => file && /\.(go|sql|cue|tmpl)$/.test(file) && rebuild());
for (const dir of ['shell', 'remotes'])
  watch(
    path.join(root, dir),
    { recursive: true },
    (_, file) => file && !/compiled|node_modules/.test(file) && /\.tsx?$|messages\/nl\.json$/.test(file) && texts(),
  );

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    (await server)?.kill('SIGTERM');
    process.exit(0);
  });
