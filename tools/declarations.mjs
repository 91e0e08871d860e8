// The type declarations of a packed package in one text: those of its entries and of the files from which they take types. The text
// is the API report of the package in docs/reference/npm.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @param {string} dir an unpacked package tarball @returns {string} */
export function declarations(dir) {
  const { name, exports } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).filter(([, target]) => target.types);
  const files = entries.map(([, target]) => path.normalize(target.types));
  for (const file of files) {
    for (const [, from] of readFileSync(path.join(dir, file), 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      const other = path.join(path.dirname(file), from.replace(/\.m?js$/, '')) + (file.endsWith('.d.mts') ? '.d.mts' : '.d.ts');
      if (!files.includes(other) && !from.endsWith('.json')) files.push(other);
    }
  }
  const text = (file) => `// ${file.split(path.sep).join('/')}\n${readFileSync(path.join(dir, file), 'utf8').trim()}\n`;
  const list = entries.map(([entry, target]) => `// ${name}${entry.slice(1)}: ${path.normalize(target.types)}`);
  return `${list.join('\n')}\n\n${[...new Set(files)].sort().map(text).join('\n')}`;
}
