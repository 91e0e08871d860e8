// Builds the shell and every remote into core/internal/http/assets/dist, precompressed:
//   shell.json {build, entry, preload, fonts, slots}   shell/<file>   remotes/<key>/remote.json   remotes/<key>/<hash>/entry.js …
//   messages.json, remotes/<key>/messages.json {nl, en}: all texts, for `wattle labels vet`; they are not served
//   bundled.json: the packages of others in all of that, for `make release`; it is not served either
// --fixture DIR builds the remotes of the browser tests' fixtures into folders below that one instead.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile, compress, filesOf, hashOf, publish } from '@wattle/sdk/build';
import { messages, textsOfShell } from './messages.mjs';
import { remoteConfig, shellConfig } from './webpack.mjs';
import { cache, dist, remotes, root } from './workspace.mjs';

/** What the first screen loads in addition to its own code. */
const initialPackages = ['react', 'react/jsx-runtime', 'react-dom', 'react-intl', 'styled-components'];

/**
 * The files in index.html: the entry, the chunks that it loads immediately (including shared packages), and the font that every
 * page needs.
 */
export function shellJson({ compilation }, dir) {
  const { chunkGraph, entrypoints, namedChunkGroups, modules } = compilation;
  const groups = [namedChunkGroups.get('start')];
  for (const m of modules)
    if (m.type === 'provide-module' && initialPackages.includes(m._name)) groups.push(chunkGraph.getBlockChunkGroup(m.blocks[0]));
  const scripts = (group) =>
    group
      .getFiles()
      .filter((f) => f.endsWith('.js'))
      .map((f) => `shell/${f}`);
  const entry = scripts(entrypoints.get('main'));
  const preload = [...new Set(groups.filter(Boolean).flatMap(scripts))].filter((f) => !entry.includes(f));
  const font = filesOf(dir).find((f) => f.startsWith('open-sans-latin.') && f.endsWith('.woff2'));
  return { entry, preload, fonts: font ? { 'Open Sans': `shell/${font}` } : {} };
}

/**
 * Returns the folders of the packages whose code or files are in webpack's output, and of webpack itself, whose runtime is in each
 * entry.
 */
export function bundled(stats) {
  const found = new Set(['node_modules/webpack']);
  const add = (m) => {
    const inside = m.resource && path.relative(root, m.resource).match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/);
    if (inside) found.add(inside[0]);
    for (const part of m.modules ?? []) add(part); // modules that webpack has concatenated
  };
  for (const { compilation } of stats)
    for (const m of compilation.modules) if (compilation.chunkGraph.getNumberOfModuleChunks(m) > 0) add(m);
  return [...found].sort();
}

/** Returns the shell's own items in slots, by slot, for `wattle labels vet`. */
export function ownItems() {
  const slots = JSON.parse(readFileSync(path.join(root, 'shell/src/items.json'), 'utf8'));
  return Object.fromEntries(Object.entries(slots).map(([slot, items]) => [slot, items.map((i) => `shell.${i.id}`).sort()]));
}

/** @param {{ fixture?: string }} [o] output folder of the fixtures; if it is given, only the fixtures are built */
export async function build({ fixture } = {}) {
  const began = performance.now();
  await messages({ fixture: !!fixture });
  const list = remotes(!!fixture).filter((r) => !!fixture === r.fixture);
  const out = (key) => (fixture ? path.join(`${fixture}-out`, key) : path.join(cache, 'out', key));
  const configs = list.map((r) => remoteConfig({ ...r, out: out(r.key) }));
  if (!fixture) configs.unshift(shellConfig({ out: out('shell') }));
  const stats = await compile(Object.assign(configs, { parallelism: 2 }));
  const remote = (r, to) => publish({ dir: path.join(root, r.dir), key: r.key, from: out(r.key), to });
  if (fixture) {
    rmSync(fixture, { recursive: true, force: true });
    for (const r of list) {
      mkdirSync(path.join(fixture, r.key), { recursive: true });
      await remote(r, path.join(fixture, r.key));
    }
    return;
  }
  for (const dir of ['shell', ...list.map((r) => r.key)].map(out))
    for (const f of filesOf(dir).filter((f) => f.endsWith('.js')))
      if (readFileSync(path.join(dir, f), 'utf8').includes(root))
        throw new Error(`${f} names the folder of this checkout, so another checkout would give another program`);
  const fresh = path.join(cache, 'dist');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(path.join(fresh, 'shell'), { recursive: true });
  cpSync(out('shell'), path.join(fresh, 'shell'), { recursive: true });
  const shell = shellJson(stats.stats[0], path.join(fresh, 'shell'));
  const hashes = [hashOf(path.join(fresh, 'shell'))];
  await compress(path.join(fresh, 'shell'));
  for (const r of list) {
    mkdirSync(path.join(fresh, 'remotes', r.key), { recursive: true });
    hashes.push(await remote(r, path.join(fresh, 'remotes', r.key)));
  }
  const id = createHash('sha256').update(hashes.join()).digest('hex').slice(0, 12);
  writeFileSync(path.join(fresh, 'messages.json'), JSON.stringify(textsOfShell()));
  writeFileSync(path.join(fresh, 'bundled.json'), JSON.stringify(bundled(stats.stats)));
  replace(fresh);
  // written last: make and the server treat a folder that contains shell.json as complete
  writeFileSync(path.join(dist, 'shell.json'), JSON.stringify({ build: id, ...shell, slots: ownItems() }));
  console.log(`build ${id}: shell and ${list.length} remote(s) in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Copies a finished build over the previous one. .keep stays, so that `go test` does not need a build. */
function replace(fresh) {
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
