// @vitest-environment node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { files } from './reference.mjs';
import { slots } from './slots.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

row('10-reference-components', 'the generated files say what the sources say', () => {
  for (const [file, text] of Object.entries(files()))
    expect(read(file) === text, `${file} is stale: run npm run generate`).toBe(true);
});

row('10-reference-slots', 'every slot is drawn somewhere, says where, and is on the page and in the schema of labels', () => {
  const all = Object.entries(slots());
  const core =
    read('schemas/label.cue')
      .match(/#CoreSlot: ((?:"[a-z-]+"[\s|]*)+)/)?.[1]
      ?.match(/[a-z-]+/g) ?? [];
  expect(
    all
      .filter(([, slot]) => slot.by === 'the portal')
      .map(([name]) => name)
      .sort(),
  ).toEqual([...core].sort());
  const page = read('docs/reference/slots.md');
  for (const [name, slot] of all) {
    expect(slot.placed, `no page draws slot ${name}`).not.toEqual([]);
    expect(slot.about, `slot ${name} has no comment`).not.toBe('');
    const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0];
    expect(section, name).toContain(slot.about);
    expect(section, name).toContain(`- offered by: ${slot.by}\n`);
  }
  expect(page).toContain('`{ ean: string }`');
});
