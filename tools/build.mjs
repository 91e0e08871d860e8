// Builds the shell and every remote into core/internal/assets/dist, precompressed:
//   shell.json {build, entry, preload, fonts}   shell/<file>   remotes/<key>/remote.json   remotes/<key>/<hash>/entry.js …
//   messages.json, remotes/<key>/messages.json {nl, en}: all texts, for `wattle labels vet`; they are not served
// --fixture DIR builds the fixture remote of the browser tests into that folder instead.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import webpack from 'webpack';
import { manifest } from './manifest.mjs';
import { messages, textsOf } from './messages.mjs';
import { config } from './webpack.mjs';
import { cache, dist, remotes, root } from './workspace.mjs';

const files = (dir) =>
  globSync('**/*', { cwd: dir })
    .filter((f) => statSync(path.join(dir, f)).isFile())
    .sort();
const hashOf = (dir) => {
  const h = createHash('sha256');
  for (const f of files(dir)) h.update(f).update(readFileSync(path.join(dir, f)));
  return h.digest('hex').slice(0, 12);
};

function compile(configs) {
  return new Promise((resolve, reject) => {
    const compiler = webpack(Object.assign(configs, { parallelism: 2 }));
    compiler.run((error, stats) =>
      compiler.close(() => {
        if (error) reject(error);
        else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true, errorDetails: true })));
        else resolve(stats);
      }),
    );
  });
}

async function compress(dir) {
  await Promise.all(
    files(dir)
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

/** What the first screen of all loads beside its own code. */
const firstShared = ['react', 'react/jsx-runtime', 'react-dom', 'react-intl', 'styled-components'];

/** What index.html names: the entry, the chunks that it asks for at once (shared packages too), and the font that every page needs. */
export function shellJson({ compilation }, dir) {
  const { chunkGraph, entrypoints, namedChunkGroups, modules } = compilation;
  const groups = [namedChunkGroups.get('start')];
  for (const m of modules)
    if (m.type === 'provide-module' && firstShared.includes(m._name)) groups.push(chunkGraph.getBlockChunkGroup(m.blocks[0]));
  const scripts = (group) =>
    group
      .getFiles()
      .filter((f) => f.endsWith('.js'))
      .map((f) => `shell/${f}`);
  const entry = scripts(entrypoints.get('main'));
  const preload = [...new Set(groups.filter(Boolean).flatMap(scripts))].filter((f) => !entry.includes(f));
  const font = files(dir).find((f) => f.startsWith('open-sans-latin.') && f.endsWith('.woff2'));
  return { entry, preload, fonts: font ? { 'Open Sans': `shell/${font}` } : {} };
}

async function remote(r, from, to) {
  const hash = hashOf(from);
  cpSync(from, path.join(to, hash), { recursive: true });
  await compress(path.join(to, hash));
  writeFileSync(path.join(to, 'messages.json'), JSON.stringify(textsOf(r.key, r.key === 'fixture')));
  writeFileSync(path.join(to, 'remote.json'), JSON.stringify({ ...(await manifest(r)), entry: `${hash}/entry.js` }));
  return hash;
}

/** @param {{ fixture?: string }} [o] where the fixture goes, to build only that */
export async function build({ fixture } = {}) {
  const began = performance.now();
  await messages({ fixture: !!fixture });
  const list = remotes(!!fixture).filter((r) => !!fixture === (r.key === 'fixture'));
  const out = (key) => (fixture ? `${fixture}-out` : path.join(cache, 'out', key));
  const configs = list.map((r) => config({ kind: 'remote', ...r, out: out(r.key) }));
  if (!fixture) configs.unshift(config({ kind: 'shell', dir: 'shell', out: out('shell') }));
  const stats = await compile(configs);
  if (fixture) {
    rmSync(fixture, { recursive: true, force: true });
    mkdirSync(fixture, { recursive: true });
    await remote(list[0], out('fixture'), fixture);
    return;
  }
  const fresh = path.join(cache, 'dist');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(path.join(fresh, 'shell'), { recursive: true });
  cpSync(out('shell'), path.join(fresh, 'shell'), { recursive: true });
  const shell = shellJson(stats.stats[0], path.join(fresh, 'shell'));
  const hashes = [hashOf(path.join(fresh, 'shell'))];
  await compress(path.join(fresh, 'shell'));
  for (const r of list) {
    mkdirSync(path.join(fresh, 'remotes', r.key), { recursive: true });
    hashes.push(await remote(r, out(r.key), path.join(fresh, 'remotes', r.key)));
  }
  const id = createHash('sha256').update(hashes.join()).digest('hex').slice(0, 12);
  writeFileSync(path.join(fresh, 'messages.json'), JSON.stringify(textsOf('shell')));
  publish(fresh);
  // last: make and the server take a folder with shell.json for a whole one
  writeFileSync(path.join(dist, 'shell.json'), JSON.stringify({ build: id, ...shell }));
  console.log(`build ${id}: shell and ${list.length} remote(s) in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Copies a finished build over the previous one; .keep stays, so that `go test` needs no build. */
function publish(fresh) {
  mkdirSync(dist, { recursive: true });
  for (const f of readdirSync(dist)) if (f !== '.keep') rmSync(path.join(dist, f), { recursive: true, force: true });
  cpSync(fresh, dist, { recursive: true });
}

if (import.meta.main) {
  process.chdir(root);
  if (!existsSync(path.join(root, 'node_modules'))) throw new Error('run npm ci first');
  const [, , flag, folder] = process.argv;
  await build({ fixture: flag === '--fixture' ? path.resolve(folder) : undefined }).catch((e) => {
    console.error(e.message);
    process.exit(1);
  });
}
