// @vitest-environment node
// The modules that replace parts of react-router export everything that its other modules import from these parts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './workspace.mjs';

const lib = path.join(root, 'node_modules/react-router/dist/production/lib');

test('the replaced modules of react-router exist, and nothing that is imported from them is missing', async () => {
  for (const [part, importers] of [
    ['components', ['dom/lib', 'components']],
    ['instrumentation', ['router/router']],
  ] as const) {
    const replaced = (await import(`./router/${part}.mjs`)) as object;
    for (const importer of importers) {
      const source = readFileSync(path.join(lib, `${importer}.js`), 'utf8');
      const [, names = ''] = new RegExp(`import \\{([^}]+)\\} from "[^"]*(?:ssr|\\.)/${part}\\.js"`).exec(source) ?? [];
      expect(names, `${importer} imports ${part}`).not.toBe('');
      expect(Object.keys(replaced), importer).toEqual(expect.arrayContaining(names.split(',').map((name) => name.trim())));
    }
  }
});
