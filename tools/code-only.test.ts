// @vitest-environment node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { codeOnly } from '../shell/sdk/build/code-only.mjs';
import { remotes, root } from './workspace.mjs';

const define = 'const defineRemote = (r) => r; const defineMessages = (m) => m;\n';
const run = async (code: string) => {
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(define + code.replace(/^import .*\n/gm, '').replace(/import\(/g, 'String('))}`
  )) as { default: Record<string, unknown> };
  return module.default;
};
/** Replaces functions by their source, so that both sides can be compared. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, v) => (typeof v === 'function' ? String(v) : v)) ?? 'null');

test('paths and their code stay, and what is in the manifest is removed', async () => {
  const code = `const t = defineMessages({ a: { id: 'm.a' } });
const page = () => import('./p');
export default defineRemote({
  key: 'm',
  contract: 1,
  routes: [{ path: '/a', title: t.a, width: 'wide', page }, { path: '/b/:id', title: t.a, access: 'public', page: () => import('./b') }],
  menu: [{ id: 'a', to: '/a', label: t.a, place: { customer: { order: 1 } } }],
  overlays: [{ name: 'o', params: ['id'], parent: '/a', title: t.a, view: () => import('./o') }],
  slots: { account: [{ id: 's', order: 1, title: t.a, rows: 2, view: page, summary: page }] },
  messages: (l) => import('./' + l),
  slotMessages: (l) => import('./slots/' + l),
});`;
  const out = codeOnly(code);
  expect(out).not.toMatch(/m\.a|menu|title|order|parent|wide/);
  expect(plain(await run(out))).toMatchObject({
    key: 'm',
    contract: 1,
    routes: [{ path: '/a' }, { path: '/b/:id' }],
    overlays: [{ name: 'o' }],
    slots: { account: [{ id: 's' }] },
    slotMessages: expect.stringContaining('./slots/'),
  });
});

test('code in any other form is unchanged', () => {
  for (const code of [
    'export default make({ menu: [1] });',
    'const r = {}; export default defineRemote(r);',
    'export default defineRemote({ ...rest, menu: [] });',
  ])
    expect(codeOnly(code)).toBe(code);
  const used =
    "const t = defineMessages({ a: {} });\nexport const other = t;\nexport default defineRemote({ key: 'm', menu: [] });";
  expect(codeOnly(used)).toContain('export const other = t;');
  expect(codeOnly(used)).toContain('defineMessages');
});

test('every remote of this repository keeps its paths, overlays and views', async () => {
  for (const { dir, entry } of remotes(true)) {
    const code = transformSync(readFileSync(path.join(root, dir, 'src', entry), 'utf8'), { loader: 'tsx', format: 'esm' }).code;
    const [before, after] = (await Promise.all([run(code), run(codeOnly(code))])) as Record<string, never>[];
    const found = (r: Record<string, unknown> | undefined) =>
      plain({
        routes: (r?.routes as { path: string; page: unknown }[] | undefined)?.map((x) => [x.path, x.page]),
        overlays: (r?.overlays as { name: string; view: unknown }[] | undefined)?.map((x) => [x.name, x.view]),
        slots: Object.entries((r?.slots as Record<string, { id: string; view: unknown; summary: unknown }[]>) ?? {}).map(
          ([name, list]) => [name, list.map((x) => [x.id, x.view, x.summary])],
        ),
      });
    expect(found(after), dir).toEqual(found(before));
    expect(Object.keys(after ?? {}), dir).not.toContain('menu');
  }
});
