// @vitest-environment node
// Rules of the house that no linter of ours can say: who may import what, and what may not be used where.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { row } from './row';
import { root } from './workspace.mjs';

const read = (pattern: string | string[]) =>
  globSync(pattern, { cwd: root, exclude: (f) => /node_modules|[\\/]dist$|compiled/.test(f) }).map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
const code = ({ file }: { file: string }) => !/\.(test|gen|d)\.tsx?$|\/testing\.tsx?$/.test(file);
const imports = (text: string) => [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"\s]+)['"]/g)].map((m) => m[1] ?? '');
const remotes = read(['remotes/*/src/**/*.{ts,tsx}', 'shell/e2e/fixture/remote/src/**/*.{ts,tsx}']).filter(code);
const shell = read('shell/src/**/*.{ts,tsx}').filter(code);

describe('imports', () => {
  test('a remote imports no remote, not the shell, and no library of its own accord', () => {
    const allowed =
      /^(@wattle\/(sdk|ui|charts)(\/(forms|dates|table|phone|iban|format|html|spark))?|react|react-intl|styled-components)$/;
    // small facts of a domain, each with the row that asks for it
    const libraries = /^(libphonenumber-js(\/\w+)?|@noble\/hashes\/sha2.js)$/;
    const wrong = remotes.flatMap(({ file, text }) =>
      imports(text)
        .filter((i) => {
          if (!i.startsWith('.')) return !allowed.test(i) && !libraries.test(i);
          const target = path.normalize(path.join(path.dirname(file), i));
          return !target.startsWith(`${file.split('/src/')[0]}/src`) && !target.startsWith('schemas/');
        })
        .map((i) => `${file} imports ${i}`),
    );
    expect(wrong).toEqual([]);
  });
  test('the shell imports no remote, and react-router through the SDK only', () => {
    const wrong = shell.flatMap(({ file, text }) =>
      imports(text)
        .filter((i) => /remotes?\/|^react-router/.test(i))
        .map((i) => `${file} imports ${i}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('bans', () => {
  const uses = (files: { file: string; text: string }[], ban: RegExp) =>
    files.filter(({ text }) => ban.test(text)).map((f) => f.file);
  row(['1-currency-format', '1-date-style'], 'remotes format by the kit and take today from the server', () => {
    expect(
      uses(
        remotes,
        /\bFormatted(Number|Date|Time|Plural|RelativeTime)\b|\.toLocale\w*String\b|\.format(Date|Number|Time)\s*\(|format(Date|Number|Time)\b[^}]*\}\s*=\s*useIntl|new Date\(\s*\)|Date\.now\(|Intl\.(Number|DateTime)Format/,
      ).filter((f) => !f.includes('e2e/fixture')),
    ).toEqual([]);
  });
  test('journeys wait for what they want to see', () => {
    expect(uses(read('shell/e2e/*.ts'), /waitForTimeout|networkidle/)).toEqual([]);
  });
  row('1-no-key-in-code', 'no label key in code', () => {
    const keys = globSync('labels/*', { cwd: root })
      .map((l) => path.basename(l))
      .filter((l) => /^\d{4}$/.test(l));
    expect(keys.length).toBeGreaterThan(0);
    expect(
      uses(
        [...remotes, ...shell, ...read('shell/{sdk,ui,charts}/src/**/*.{ts,tsx}').filter(code)],
        new RegExp(`(?<!-)\\b(${keys.join('|')})\\b`),
      ),
    ).toEqual([]);
  });
  row('7.7-analytics', 'nothing of the page calls an analytics service', () => {
    expect(uses([...shell, ...remotes], /google-analytics|googletagmanager|ga_tracking_id|gtag\(/)).toEqual([]);
  });
});
