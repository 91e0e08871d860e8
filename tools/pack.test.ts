// @vitest-environment node
// @module-tag all
// A team elsewhere has only our tarballs: the example in the docs is checked and built with them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { row } from '@wattle/sdk/vitest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declarations } from './declarations.mjs';
import { pack } from './pack.mjs';
import { bin, root } from './workspace.mjs';

const run = promisify(execFile);
const home = mkdtempSync(path.join(tmpdir(), 'wattle-pack-'));
const remote = path.join(home, 'remote');
const modules = path.join(remote, 'node_modules');
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const isSource = (from: string) => !/[\\/](node_modules|dist|compiled)$/.test(from);

/** Adds the chart and the slot from docs/remotes.md to the example, as its team would. */
function shown() {
  const page = readFileSync(path.join(root, 'docs/remotes.md'), 'utf8').replaceAll('acme', 'outages');
  const block = (begin: string) => {
    const [, indent = '', text = ''] = new RegExp(`^( *)\`\`\`tsx?\\n(\\s*${begin}[^]*?)^ *\`\`\``, 'm').exec(page) ?? [];
    expect(text, begin).not.toBe('');
    return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
  };
  const edit = (file: string, ...changes: [string, string][]) => {
    let text = readFileSync(path.join(remote, file), 'utf8');
    for (const [from, to] of changes) {
      expect(text, file).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(path.join(remote, file), text);
  };
  writeFileSync(path.join(remote, 'src/parts.tsx'), block('// parts.tsx'));
  writeFileSync(path.join(remote, 'src/slots.ts'), block("declare module '@wattle/sdk'"));
  writeFileSync(
    path.join(remote, 'src/pump-page.tsx'),
    `import { Slot } from '@wattle/sdk';
import { Page } from '@wattle/ui';
import { lazy, Suspense } from 'react';

const Parts = lazy(() => import('./parts'));

export default function PumpPage() {
  return (
    <Page title="Pump">
      <Suspense>
        <Parts parts={[{ name: 'Heat pump', value: 80 }]} />
      </Suspense>
      <Slot name="outages.pump" props={{ serial: 'A1' }} />
    </Page>
  );
}
`,
  );
  edit(
    'src/remote.ts',
    [
      'const t = defineMessages({',
      "const t = defineMessages({\n  heating: { id: 'outages.heating', defaultMessage: 'Heating' },",
    ],
    ['  routes: [', "  routes: [\n    { path: '/heat-pump', title: t.heating, page: () => import('./pump-page') },"],
    ['  slots: {', "  groups: [{ id: 'outages.heating', title: t.heating }],\n  slots: {"],
    ['  slots: {', "  offers: { 'outages.pump': { description: 'Below the data of one heat pump.' } },\n  slots: {"],
  );
  edit('src/messages/nl.json', ['{', '{\n  "outages.heating": "Verwarming",']);
  edit('package.json', ['    "@wattle/sdk"', '    "@wattle/charts": "*",\n    "@wattle/sdk"']);
}

/** Creates what npm would install: our tarballs unpacked, everything else from this repository's node_modules. */
async function install(tarballs: string[]) {
  cpSync(path.join(root, 'docs/examples/outages/remotes/outages'), remote, { recursive: true, filter: isSource });
  shown();
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== '@wattle' && !name.startsWith('.')) {
      mkdirSync(modules, { recursive: true });
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
    }
  for (const file of tarballs) {
    const to = path.join(modules, '@wattle', /^wattle-([a-z]+)-/.exec(file)?.[1] ?? '');
    mkdirSync(to, { recursive: true });
    await run('tar', ['-xzf', path.join(home, 'packages', file), '--strip-components=1', '-C', to]);
  }
}

let tarballs: string[] = [];
beforeAll(async () => {
  tarballs = await pack({ to: path.join(home, 'packages'), work: path.join(home, 'work') });
  await install(tarballs);
  await run(process.execPath, ['build.mjs'], { cwd: remote }); // its types need the texts that the build compiles
}, 180_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

row(
  '10-packages-reproducible',
  'the same sources give the same tarballs, with the changelog, and another version where it is given',
  async () => {
    const sums = (names: string[], dir: string) =>
      names.map((n) =>
        createHash('sha256')
          .update(readFileSync(path.join(home, dir, n)))
          .digest('hex'),
      );
    const again = await pack({ to: path.join(home, 'again'), work: path.join(home, 'work-again') });
    expect(sums(again, 'again')).toEqual(sums(tarballs, 'packages'));
    for (const name of ['sdk', 'ui', 'charts'])
      expect(readFileSync(path.join(modules, '@wattle', name, 'CHANGELOG.md'), 'utf8')).toMatch(/^# Changelog/);

    const other = await pack({
      to: path.join(home, 'other'),
      work: path.join(home, 'work-other'),
      version: '0.9.0-dev.h0123456789ab',
    });
    expect(other).toEqual(['sdk', 'ui', 'charts'].map((n) => `wattle-${n}-0.9.0-dev.h0123456789ab.tgz`));
    const charts = json(path.join(home, 'work-other/charts/package.json'));
    expect(charts.version).toBe('0.9.0-dev.h0123456789ab');
    expect(charts.peerDependencies['@wattle/ui']).toBe('^0.9.0-dev.h0123456789ab');
  },
);

row(
  '10-reference-npm',
  'a change of what our packages declare changes a committed file (npx vitest run tools/pack.test.ts -u)',
  async () => {
    for (const name of ['sdk', 'ui', 'charts'])
      await expect(declarations(path.join(modules, '@wattle', name))).toMatchFileSnapshot(
        path.join(root, `docs/reference/npm/${name}.d.ts.txt`),
      );
  },
);

test('the tarballs contain only built files, and list their dependencies', () => {
  expect(tarballs).toHaveLength(3);
  for (const name of ['sdk', 'ui', 'charts']) {
    const dir = path.join(modules, '@wattle', name);
    const { exports, private: hidden } = json(path.join(dir, 'package.json'));
    expect(JSON.stringify(exports)).not.toContain('src/');
    expect(hidden).toBeUndefined();
    expect(globSync('**/*.{ts,tsx}', { cwd: dir }).filter((f) => !f.endsWith('.d.ts') || /test-render|\.test\./.test(f))).toEqual(
      [],
    );
  }
  // The kit's dependencies and peer dependencies are installed.
  const { version } = json(path.join(modules, '@wattle/ui/package.json'));
  expect(json(path.join(modules, '@wattle/charts/package.json')).peerDependencies['@wattle/ui']).toBe(`^${version}`);
});

row('9-offer-slot', 'the types of the tarballs are complete, and the same as in the repository', async () => {
  writeFileSync(
    path.join(remote, 'src/wrong.tsx'),
    `import { useToday, defineRemote, Slot, type Group } from '@wattle/sdk';
import { Button } from '@wattle/ui';
import { TextField } from '@wattle/ui/forms';
import { Sparkline } from '@wattle/charts';
import { fakeApi } from '@wattle/sdk/testing';
// @ts-expect-error a day is a string
export const today: number = useToday();
// @ts-expect-error there is no such contract
defineRemote({ key: 'x', contract: 99, messages: () => import('./messages/nl.json') });
// @ts-expect-error this slot is not declared
defineRemote({ key: 'x', contract: 1, slots: { 'x.none': [] }, messages: () => import('./messages/nl.json') });
// @ts-expect-error an offered slot has props
defineRemote({ key: 'x', contract: 1, offers: { 'x.none': { description: 'x' } }, messages: () => import('./messages/nl.json') });
// @ts-expect-error not a group of the portal or of a remote
export const group: Group = 'nowhere';
// the slot that this remote offers, with an item from another remote
export const fills = defineRemote({ key: 'x', contract: 1, slots: { 'outages.pump': [{ id: 'a', order: 1, view: view<{ serial: string }>() }] }, messages: () => import('./messages/nl.json') });
// @ts-expect-error a view with props other than the slot's
defineRemote({ key: 'x', contract: 1, slots: { 'outages.pump': [{ id: 'a', order: 1, view: view<{ serial: number }>() }] }, messages: () => import('./messages/nl.json') });
// @ts-expect-error the props of the slot are missing
export const place = <Slot name="outages.pump" props={{}} />;
declare function view<P>(): () => Promise<{ default: (props: P) => null }>;
// @ts-expect-error there is no such variant
export const button = <Button variant="huge">x</Button>;
// @ts-expect-error a field needs a label
export const field = <TextField value="" onChange={() => undefined} />;
// @ts-expect-error a chart needs a text alternative
export const chart = <Sparkline values={[1]} />;
// @ts-expect-error the argument is an object of responses
fakeApi(1);
`,
  );
  const { stdout } = await run(bin('tsc'), ['-p', '.', '--pretty', 'false', '--skipLibCheck', 'false'], { cwd: remote }).catch(
    (e) => e,
  );
  // Errors in the libraries' own types do not count.
  expect(
    (stdout as string).split('\n').filter((line) => /^\S+\(\d+/.test(line) && !/node_modules\/(?!@wattle\/)/.test(line)),
  ).toEqual([]);
});

row('9-charts-recharts', 'the example, which draws with recharts, bundles nothing of what the host shares', () => {
  const dist = path.join(remote, 'dist');
  const { entry, key, routes, slots, groups, offers } = json(path.join(dist, 'remote.json'));
  expect(key).toBe('outages');
  expect(routes[0]).toMatchObject({ path: '/heat-pump', title: { id: 'outages.heating' } });
  expect(slots.dashboard[0].id).toBe('near');
  expect(groups).toEqual([{ id: 'outages.heating', title: { id: 'outages.heating', defaultMessage: 'Heating' } }]);
  expect(offers).toEqual({ 'outages.pump': { description: 'Below the data of one heat pump.' } });
  expect(json(path.join(dist, 'messages.json')).nl['outages.heating']).toBe('Verwarming');
  const built = path.dirname(path.join(dist, entry));
  expect(statSync(path.join(dist, entry)).size).toBeGreaterThan(0);
  const all = globSync('**/*.js', { cwd: built }).map((f) => readFileSync(path.join(built, f), 'utf8'));
  // react, styled-components and react-query; every package may contain the few lines of react/jsx-runtime
  for (const library of ['__CLIENT_INTERNALS_DO_NOT_USE', 'data-styled', 'QueryCache', 'recharts-wrapper'])
    expect(all.join(''), `9-charts-recharts ${library}`).not.toContain(library);
  expect(all.join('')).toContain('charts/recharts');
  expect(all.join('').length).toBeLessThan(40_000);
});

row(
  '9-module-outside',
  'a remote of this repository is a remote elsewhere: checked and built with the tarballs alone',
  async () => {
    const own = path.join(home, 'production');
    cpSync(path.join(root, 'remotes/production'), own, { recursive: true, filter: isSource });
    symlinkSync(modules, path.join(own, 'node_modules'));
    const here = { cwd: own };
    await run(process.execPath, ['build.mjs'], here);
    expect(json(path.join(own, 'dist/remote.json')).key).toBe('production');
    await run(bin('tsc'), ['-p', '.', '--pretty', 'false'], here).catch((e) => expect(e.stdout).toBe(''));
  },
);
