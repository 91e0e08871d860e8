// @vitest-environment node
// Slot texts are a separate catalog: complete for every view that a slot can show, and not in any other catalog.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { catalogOf, compileTexts } from '../shell/sdk/build/messages.mjs';
import { slotSources } from '../shell/sdk/build/slots.mjs';
import { remotes, root } from './workspace.mjs';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

row('9-slot-texts', 'the texts of a view, of what it imports and of what it loads later are texts of slots', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'wattle-slots-'));
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), content);
  };
  try {
    const remote = (catalog: string) => `import { defineRemote } from '@wattle/sdk';
      import { defineMessages } from 'react-intl';
      const t = defineMessages({ title: { id: 'own.title', defaultMessage: 'title' } });
      export default defineRemote({ key: 'own', contract: 1,
        routes: [{ path: '/own', title: t.title, page: () => import('./page') }],
        slots: { dashboard: [{ id: 'a', order: 1, view: () => import('./tile'), summary: () => import('./summary') }] },
        messages: (l) => import('./messages/compiled/nl.json'), ${catalog} });`;
    const define = (...names: string[]) =>
      `import { defineMessages } from 'react-intl'; export const t = defineMessages({ ${names.map((n) => `${n}: { id: 'own.${n}', defaultMessage: '${n}' }`).join(', ')} });`;
    write('src/page.tsx', `import { t as shared } from './shared'; ${define('page')} export { shared };`);
    write(
      'src/tile.tsx',
      `import { t as shared } from './shared'; ${define('tile')} export { shared }; export const later = () => import('./later');`,
    );
    write('src/summary.tsx', define('summary'));
    write('src/shared.ts', define('shared'));
    write('src/later.tsx', define('later'));
    write(
      'src/messages/nl.json',
      JSON.stringify(Object.fromEntries(['later', 'page', 'shared', 'summary', 'tile', 'title'].map((n) => [`own.${n}`, n]))),
    );
    const compiled = path.join(dir, 'src/messages/compiled');

    write('src/remote.ts', remote(''));
    await compileTexts(dir, catalogOf({ key: 'own', dir: '' }));
    expect(Object.keys(read(path.join(compiled, 'nl.json'))), 'one catalog').toHaveLength(6);

    write('src/remote.ts', remote(`slotMessages: (l) => import('./messages/compiled/nl.slots.json')`));
    await compileTexts(dir, catalogOf({ key: 'own', dir: '' }));
    for (const locale of ['nl', 'en']) {
      expect(Object.keys(read(path.join(compiled, `${locale}.slots.json`)))).toEqual([
        'own.later',
        'own.shared',
        'own.summary',
        'own.tile',
      ]);
      expect(Object.keys(read(path.join(compiled, `${locale}.json`)))).toEqual(['own.page', 'own.title']);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

row('9-slot-texts', 'every remote with texts of slots has all its texts in exactly one catalog', async () => {
  let split = 0;
  for (const { key, dir } of remotes()) {
    const sources = await slotSources(path.join(root, dir));
    if (!sources) continue;
    split++;
    const compiled = (name: string) => Object.keys(read(path.join(root, dir, 'src/messages/compiled', `${name}.json`)));
    for (const locale of ['nl', 'en']) {
      const [slots, others] = [compiled(`${locale}.slots`), compiled(locale)];
      expect(slots.length, key).toBeGreaterThan(0);
      expect([...slots, ...others].sort(), key).toEqual(
        Object.keys(read(path.join(root, dir, 'src/messages', `${locale}.json`))).sort(),
      );
      expect(
        others.filter((id) => sources.some((s) => s.includes(`'${id}'`))),
        key,
      ).toEqual([]);
    }
  }
  expect(split).toBeGreaterThan(4);
});

row('9-later-texts', 'no other page uses a text of the pages that load their own, and each text is in one catalog', () => {
  const compiled = (name: string) => Object.keys(read(path.join(root, 'shell/src/messages/compiled', `${name}.json`)));
  const pages = ['accessibility', 'cards', 'people', 'under-construction', 'verify'];
  for (const locale of ['nl', 'en']) {
    const [first, later] = [compiled(locale), compiled(`${locale}.later`)];
    expect(later.length).toBeGreaterThan(30);
    expect(first.filter((id) => later.includes(id))).toEqual([]);
    const users = globSync('shell/{src,sdk/src,ui/src}/**/*.{ts,tsx}', { cwd: root })
      .filter((file) => !/\.test\.tsx$/.test(file))
      .filter((file) => {
        const source = readFileSync(path.join(root, file), 'utf8');
        return later.some((id) => source.includes(`'${id}'`) || source.includes(`"${id}"`));
      });
    expect(users.map((file) => path.basename(file, '.tsx')).sort()).toEqual(pages);
  }
});
