// Generates core/internal/people/identity/common_passwords.gz and its .license file from the dictionaries of zxcvbn-ts: common
// passwords in all languages, Dutch words and first names. It downloads from the package registry, so it is not part of `make
// generate`: run `node tools/common-passwords.mjs` after a version change.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const sources = [
  { name: '@zxcvbn-ts/language-common', version: '4.1.3', lists: ['passwords'] },
  { name: '@zxcvbn-ts/language-nl-be', version: '3.0.2', lists: ['commonWords', 'boysFirstnames', 'girlsFirstnames'] },
];

const dir = mkdtempSync(join(tmpdir(), 'passwords-'));
const found = new Set();
try {
  for (const { name, version, lists } of sources) {
    const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: dir, encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', packed], { cwd: dir });
    for (const list of lists) {
      for (const entry of JSON.parse(readFileSync(join(dir, 'package/src', `${list}.json`), 'utf8'))) {
        // A new password contains a letter and a digit. It is compared in lower case, without accents, and by its word only.
        const text = entry.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
        if (/^[!-~]{4,}$/.test(text) && /[a-z]/.test(text) && /^[a-z0-9]/.test(text) && /[a-z0-9]$/.test(text)) found.add(text);
      }
    }
    rmSync(join(dir, 'package'), { recursive: true });
  }
} finally {
  rmSync(dir, { recursive: true });
}

const head = `Common passwords and words, in lower case, in the order of their bytes. Made by tools/common-passwords.mjs from
${sources.map(({ name, version, lists }) => `  ${name} ${version} (${lists.join(', ')})`).join('\n')}
which are under the MIT licence:

Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.
Copyright (c) 2021 @zxcvbn-ts

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
const lines = [...found].sort((a, b) => (a < b ? -1 : 1));
const file = 'core/internal/people/identity/common_passwords';
writeFileSync(`${file}.gz`, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
writeFileSync(`${file}.license`, head);
console.log(`${lines.length} passwords and words`);
