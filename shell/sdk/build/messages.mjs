// Message catalogs: en.json is extracted from the sources (defaultMessage), nl.json is written by hand; both must have the same ids
// and placeholders. They are compiled to ASTs, so that browsers need no parser.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { slotSources } from './slots.mjs';

const require = createRequire(import.meta.url);
const formatjs = async (cwd, ...args) => {
  const cli = path.join(path.dirname(require.resolve('@formatjs/cli/package.json')), 'bin/formatjs');
  try {
    await promisify(execFile)(process.execPath, [cli, ...args], { cwd });
  } catch (e) {
    throw new Error(`formatjs ${args[0]}: ${e.stdout}${e.stderr}`);
  }
};
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const text = (value) => `${JSON.stringify(value, null, 2)}\n`;
const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Replaces a file atomically, and only if its content differs: watchers may read the file at any time. */
function replaceFile(file, content) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * Returns the catalog of a remote: its sources, the folder with its texts and the folder for the compiled texts, relative to `dir`.
 */
export const catalogOf = ({ key, dir }) => ({
  name: key,
  sources: [path.join(dir, 'src')],
  texts: path.join(dir, 'src/messages'),
  compiled: path.join(dir, 'src/messages/compiled'),
  prefix: new RegExp(`^${key}\\.`),
  remote: dir,
});

/**
 * Extracts, verifies and compiles one catalog. Texts whose ids match `later` become a catalog of their own.
 * @param {string} root folder to which the paths of the catalog are relative
 * @param {{check?: boolean}} [o] check: fail when en.json differs from the texts in the sources
 */
export async function compileTexts(root, c, { check = false } = {}) {
  const files = c.sources
    .flatMap((s) => globSync(`${s}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((f) => !/\.(test|gen|d)\.tsx?$/.test(f));
  if (files.length === 0) return;
  const at = (...parts) => path.join(root, ...parts);
  const work = mkdtempSync(path.join(os.tmpdir(), 'wattle-texts-'));
  const [en, nl] = [path.join(c.texts, 'en.json'), path.join(c.texts, 'nl.json')];
  try {
    const fresh = path.join(work, 'fresh.json');
    await formatjs(root, 'extract', ...files.sort(), '--throws', '--format', 'simple', '--out-file', fresh);
    const extracted = sorted(read(fresh));
    const foreign = Object.keys(extracted).filter((id) => !c.prefix.test(id));
    if (foreign.length) throw new Error(`${c.name}: ids of other catalogs: ${foreign.join(', ')}`);
    if (check && JSON.stringify(extracted) !== JSON.stringify(existsSync(at(en)) ? read(at(en)) : {}))
      throw new Error(`${en} differs from the sources: run npm run messages`);
    replaceFile(at(en), text(extracted));
    await formatjs(root, 'verify', '--source-locale', 'en', '--missing-keys', '--extra-keys', '--structural-equality', en, nl);
    if (!c.compiled) return;
    mkdirSync(at(c.compiled), { recursive: true });
    const slots = c.remote === undefined ? undefined : await slotSources(at(c.remote));
    const inSlots = (id) => slots?.some((source) => source.includes(`'${id}'`) || source.includes(`"${id}"`)) === true;
    for (const locale of ['nl', 'en']) {
      const [all, compiled] = [path.join(work, `${locale}.json`), path.join(work, `${locale}.ast.json`)];
      const kit = c.with && existsSync(at(c.with, `${locale}.json`)) ? read(at(c.with, `${locale}.json`)) : {};
      writeFileSync(all, text({ ...kit, ...read(at(c.texts, `${locale}.json`)) }));
      await formatjs(root, 'compile', all, '--format', 'simple', '--ast', '--out-file', compiled);
      const texts = Object.entries(read(compiled));
      const catalog = (name, has) =>
        replaceFile(at(c.compiled, `${name}.json`), text(Object.fromEntries(texts.filter(([id]) => has(id)))));
      const isLater = (id) => c.later?.test(id) === true;
      catalog(locale, (id) => !inSlots(id) && !isLater(id));
      if (c.later) catalog(`${locale}.later`, isLater);
      if (slots) catalog(`${locale}.slots`, inSlots);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns all texts of a catalog by locale and id. `wattle labels vet` checks a label's texts against them. */
export function textsOf(root, c) {
  const of = (locale) => ({
    ...(c.with ? read(path.join(root, c.with, `${locale}.json`)) : {}),
    ...read(path.join(root, c.texts, `${locale}.json`)),
  });
  return { nl: of('nl'), en: of('en') };
}
