// @vitest-environment node
// @module-tag all
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { components, program, types } from './kit.mjs';
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
    expect(slot.description, `slot ${name} has no comment`).not.toBe('');
    const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0];
    expect(section, name).toContain(slot.description);
    expect(section, name).toContain(`- offered by: ${slot.by}\n`);
  }
  expect(page).toContain('`{ ean: string }`');
  expect(page).toContain('of six, `third` 2, `half` 3, `two-thirds` 4, `full` 6;');
  const home = page.split('\n## home\n')[1]?.split('\n## ')[0];
  expect(home).toContain('| `account.contact-info` | 40 | third | 2 |  |');
  const orders = [...(home ?? '').matchAll(/^\| `[\w.-]+` \| (\d+) \|/gm)].map(([, order]) => Number(order));
  expect(orders).toEqual([...orders].sort((a, b) => a - b));
});

row('11-reference-described', 'every prop of a component, and every field of a type that a prop names, has a text', () => {
  const p = program();
  const silent = Object.entries(components(p)).flatMap(([name, { props }]) =>
    props.flatMap((prop) => [prop, ...(prop.fields ?? [])].filter((one) => !one.description).map((one) => `${name}.${one.name}`)),
  );
  const named = types(p);
  const fields = Object.entries(named).flatMap(([name, type]) =>
    (type.fields ?? []).filter((one) => !one.description).map((one) => `${name}.${one.name}`),
  );
  expect([...silent, ...fields], 'add a comment above the prop').toEqual([]);
  expect(named.Space?.choices).toEqual(['4', '8', '12', '16', '24', '32', '48', '64']);
  expect(named.IconName?.choices).toContain("'invoice'");
  const page = read('docs/reference/components.md').split('\n## Types\n')[1];
  for (const name of ['SelectOption', 'Space', 'IconName']) expect(page).toContain(`\n### ${name}\n`);
});
