// Texts: en.json is extracted from the source (defaultMessage), nl.json is written by hand; both must have the same ids and
// placeholders. Compiled to ASTs, so that the browser need not parse. `--check` fails when en.json is not what the source says.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { bin, remotes, root } from './workspace.mjs';

const formatjs = async (...args) => {
  try {
    await promisify(execFile)(bin('formatjs'), args, { cwd: root });
  } catch (e) {
    throw new Error(`formatjs ${args[0]}: ${e.stdout}${e.stderr}`);
  }
};
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const text = (value) => `${JSON.stringify(value, null, 2)}\n`;
/** A folder for what this run works with; another run may be under way. */
const work = path.join('.cache/messages', String(process.pid));
/** Changes a file at one blow, and only when it says something else: watchers read it while it is written. */
function put(file, content) {
  const at = path.join(root, file);
  if (existsSync(at) && readFileSync(at, 'utf8') === content) return;
  writeFileSync(`${at}.${process.pid}`, content);
  renameSync(`${at}.${process.pid}`, at);
}
const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Catalogues of the repository: sources, where their texts stand, and where the compiled ones go. The kit's go into the shell's. */
export const catalogues = (fixture = false) => [
  { name: 'kit', sources: ['shell/ui/src', 'shell/charts/src'], texts: 'shell/ui/messages', prefix: /^(ui|charts)\./ },
  {
    name: 'shell',
    sources: ['shell/src', 'shell/sdk/src'],
    texts: 'shell/src/messages',
    compiled: 'shell/src/messages/compiled',
    with: 'shell/ui/messages',
    prefix: /^(core|shell)\.|^[a-z_]+$/,
  },
  ...remotes(fixture).map(({ key, dir }) => ({
    name: key,
    sources: [`${dir}/src`],
    texts: `${dir}/src/messages`,
    compiled: `${dir}/src/messages/compiled`,
    prefix: new RegExp(`^${key}\\.`),
  })),
];

async function one(c, { check }) {
  const files = c.sources
    .flatMap((s) => globSync(`${s}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((f) => !/\.(test|gen|d)\.tsx?$/.test(f));
  if (files.length === 0) return;
  const [en, nl] = [`${c.texts}/en.json`, `${c.texts}/nl.json`];
  mkdirSync(path.join(root, c.texts), { recursive: true });
  const fresh = path.join(work, `${c.name}.json`);
  await formatjs('extract', ...files.sort(), '--throws', '--format', 'simple', '--out-file', fresh);
  const extracted = sorted(read(fresh));
  const foreign = Object.keys(extracted).filter((id) => !c.prefix.test(id));
  if (foreign.length) throw new Error(`${c.name}: ids that are not its own: ${foreign.join(', ')}`);
  if (check && JSON.stringify(extracted) !== JSON.stringify(existsSync(path.join(root, en)) ? read(en) : {}))
    throw new Error(`${en} is not what the source says: run npm run messages`);
  put(en, text(extracted));
  await formatjs('verify', '--source-locale', 'en', '--missing-keys', '--extra-keys', '--structural-equality', en, nl);
  if (!c.compiled) return;
  mkdirSync(path.join(root, c.compiled), { recursive: true });
  for (const locale of ['nl', 'en']) {
    const [all, compiled] = [path.join(work, `${c.name}.${locale}.json`), path.join(work, `${c.name}.${locale}.ast.json`)];
    const kit = c.with && existsSync(path.join(root, c.with, `${locale}.json`)) ? read(`${c.with}/${locale}.json`) : {};
    writeFileSync(path.join(root, all), text({ ...kit, ...read(`${c.texts}/${locale}.json`) }));
    await formatjs('compile', all, '--format', 'simple', '--ast', '--out-file', compiled);
    put(`${c.compiled}/${locale}.json`, readFileSync(path.join(root, compiled), 'utf8'));
  }
}

/** All texts of a catalogue by locale and id; those of the shell with the kit's. What `wattle labels vet` checks a label's own texts against. */
export function textsOf(name, fixture = false) {
  const c = catalogues(fixture).find((x) => x.name === name);
  const of = (locale) => ({ ...(c.with ? read(`${c.with}/${locale}.json`) : {}), ...read(`${c.texts}/${locale}.json`) });
  return { nl: of('nl'), en: of('en') };
}

export async function messages({ check = false, fixture = false } = {}) {
  const [kit, ...rest] = catalogues(fixture);
  mkdirSync(path.join(root, work), { recursive: true });
  try {
    await one(kit, { check }); // first: the shell compiles the kit's texts with its own
    const failed = (await Promise.allSettled(rest.map((c) => one(c, { check })))).filter((r) => r.status === 'rejected');
    if (failed.length) throw new Error(failed.map((f) => f.reason.message).join('\n'));
  } finally {
    rmSync(path.join(root, work), { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await messages({ check: process.argv.includes('--check'), fixture: true }).catch((e) => {
    console.error(e.message);
    process.exit(1);
  });
}
