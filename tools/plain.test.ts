// @vitest-environment node
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import webpack from 'webpack';
import { WithoutDefaultMessages } from '../shell/sdk/build/plain.mjs';

const source = `
export const a = { id: 'a.one', defaultMessage: 'One', values: { id: 'a.two', defaultMessage: "Two, {x}" } };
export const b = f({ defaultMessage: 'Three', id: 'a.three' }, { 'id': 'a.four', 'defaultMessage': 'Four', });
export const other = { defaultMessage: 'Five' };
export const text = "{ id: 'a.six', defaultMessage: 'Six' }";
function f(...all) { return all; }
`;

async function built(ours: boolean) {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'plain-'));
  try {
    writeFileSync(path.join(dir, 'in.mjs'), source);
    await new Promise<void>((resolve, reject) =>
      webpack(
        {
          mode: 'none',
          context: dir,
          entry: './in.mjs',
          experiments: { outputModule: true },
          output: { path: dir, filename: 'out.mjs', library: { type: 'module' } },
          plugins: [new WithoutDefaultMessages(() => ours)],
        },
        (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve()),
      ),
    );
    // written to disk, because vitest would process a file in the repository
    return (await import(
      `data:text/javascript,${encodeURIComponent(readFileSync(path.join(dir, 'out.mjs'), 'utf8'))}`
    )) as object;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('the code for browsers has English texts in the catalogues only, and no other string changes', async () => {
  expect(await built(true)).toMatchObject({
    a: { id: 'a.one', values: { id: 'a.two' } },
    b: [{ id: 'a.three' }, { id: 'a.four' }],
    other: { defaultMessage: 'Five' },
    text: "{ id: 'a.six', defaultMessage: 'Six' }",
  });
  const { a, b } = (await built(true)) as { a: object; b: object[] };
  expect(JSON.stringify([a, b])).not.toContain('defaultMessage');
});

test('code of other packages is unchanged', async () => {
  expect(JSON.stringify(await built(false))).toContain('Two, {x}');
});
