// Texts: en.json is extracted from the source (defaultMessage), nl.json is written by hand; both must have the same ids and
// placeholders. Compiled to ASTs, so that the browser need not parse. `--check` fails when en.json is not what the source says.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const write = (file, value) => writeFileSync(path.join(root, file), `${JSON.stringify(value, null, 2)}\n`);
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
  const fresh = path.join('.cache/messages', `${c.name}.json`);
  mkdirSync(path.join(root, '.cache/messages'), { recursive: true });
  await formatjs('extract', ...files.sort(), '--throws', '--format', 'simple', '--out-file', fresh);
  const extracted = sorted(read(fresh));
  const foreign = Object.keys(extracted).filter((id) => !c.prefix.test(id));
  if (foreign.length) throw new Error(`${c.name}: ids that are not its own: ${foreign.join(', ')}`);
  if (check && JSON.stringify(extracted) !== JSON.stringify(existsSync(path.join(root, en)) ? read(en) : {}))
    throw new Error(`${en} is not what the source says: run npm run messages`);
  write(en, extracted);
  await formatjs('verify', '--source-locale', 'en', '--missing-keys', '--extra-keys', '--structural-equality', en, nl);
  if (!c.compiled) return;
  mkdirSync(path.join(root, c.compiled), { recursive: true });
  for (const locale of ['nl', 'en']) {
    const all = `.cache/messages/${c.name}.${locale}.json`;
    const kit = c.with && existsSync(path.join(root, c.with, `${locale}.json`)) ? read(`${c.with}/${locale}.json`) : {};
    write(all, { ...kit, ...read(`${c.texts}/${locale}.json`) });
    await formatjs('compile', all, '--format', 'simple', '--ast', '--out-file', `${c.compiled}/${locale}.json`);
  }
}

export async function messages({ check = false, fixture = false } = {}) {
  const [kit, ...rest] = catalogues(fixture);
  await one(kit, { check }); // first: the shell compiles the kit's texts with its own
  const failed = (await Promise.allSettled(rest.map((c) => one(c, { check })))).filter((r) => r.status === 'rejected');
  if (failed.length) throw new Error(failed.map((f) => f.reason.message).join('\n'));
}

if (import.meta.main) {
  await messages({ check: process.argv.includes('--check'), fixture: true }).catch((e) => {
    console.error(e.message);
    process.exit(1);
  });
}
