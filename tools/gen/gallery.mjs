// What the gallery at /dev/kit shows of each component: its props, the source of its example, and the names of the icons. The
// gallery imports this file, so everything that builds or tests the shell calls writeGallery.
import { execFile } from 'node:child_process';
import { existsSync, globSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');
const written = path.join(root, 'shell/src/pages/gallery/kit.gen.js');
const sources = [
  'shell/{ui,charts}/{package.json,src/*.{ts,tsx}}',
  'shell/src/pages/gallery/*.tsx',
  'tools/gen/{gallery,kit}.mjs',
];

/** Writes the file again if a source is newer, in a separate process, because it takes seconds and the caller can continue. */
export default async function writeGallery() {
  const made = existsSync(written) ? statSync(written).mtimeMs : 0;
  if (globSync(sources, { cwd: root }).some((file) => statSync(path.join(root, file)).mtimeMs > made))
    await promisify(execFile)(process.execPath, [import.meta.filename], { cwd: root });
}

if (import.meta.main) {
  const { documented, program, types } = await import('./kit.mjs');
  const p = program();
  const icons = types(p).IconName.choices.join(', ');
  const kit = JSON.stringify(documented(p), (key, value) => (key === 'fields' && Array.isArray(value) ? undefined : value), 2); // props only
  writeFileSync(`${written}.${process.pid}`, `export const icons = [${icons}];\nexport const kit = ${kit};\n`);
  renameSync(`${written}.${process.pid}`, written); // atomically: a watcher may read the file at any time
}
