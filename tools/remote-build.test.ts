// @vitest-environment node
// @module-tag all
// A separately built remote is the same as in the build of all remotes.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { compile, config, filesOf } from '@wattle/sdk/build';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { root } from './workspace.mjs';

row('9-remote-alone', 'a remote has the same files whether it is built alone or with others', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'wattle-remote-'));
  try {
    const dir = (key: string) => path.join(root, 'remotes', key);
    await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { build } from '@wattle/sdk/build'; await build(${JSON.stringify({ dir: dir('move'), out: path.join(home, 'alone') })});`,
      ],
      { cwd: dir('move') },
    );
    const { entry, key, version } = JSON.parse(readFileSync(path.join(home, 'alone/remote.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect({ key, version }).toEqual({
      key: 'move',
      version: JSON.parse(readFileSync(path.join(dir('move'), 'package.json'), 'utf8')).version,
    });
    const alone = path.join(home, 'alone', path.dirname(entry ?? ''));
    await compile(['move', 'production'].map((key) => config({ dir: dir(key), key, out: path.join(home, 'all', key) })));
    const all = path.join(home, 'all/move');
    const files = filesOf(all);
    expect(files.length).toBeGreaterThan(3);
    expect(filesOf(alone).filter((f) => !/\.(br|gz)$/.test(f))).toEqual(files);
    for (const f of files) expect(readFileSync(path.join(alone, f)).equals(readFileSync(path.join(all, f))), f).toBe(true);
    for (const f of files.filter((f) => f.endsWith('.js'))) {
      const code = readFileSync(path.join(alone, f), 'utf8');
      expect(code.startsWith('//# allFunctionsCalledOnLoad\n'), f).toBe(code.length > 40_000);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
