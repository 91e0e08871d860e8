// Builds @wattle/sdk, @wattle/ui and @wattle/charts as tarballs for teams that build a remote elsewhere: ESM in dist/, one file per
// entry with its types, and shared code in chunks, so that a React context is the same whichever entry it is imported from.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { shared } from '@wattle/sdk/build';
import { build } from 'esbuild';
import { bin, cache, root } from './workspace.mjs';

const run = promisify(execFile);
const packages = ['sdk', 'ui', 'charts']; // in the order of their type dependencies
/** The export condition with which our packages resolve to TypeScript, in this repository only. */
const source = 'wattle-source';
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** @returns the names of the tarballs in `to`; all have the same version, by default that of the workspace */
export async function pack({ to = path.join(root, 'bin/packages'), work = path.join(cache, 'pack'), version = undefined } = {}) {
  rmSync(work, { recursive: true, force: true });
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of packages) await stage(name, work, version);
  const packed = await Promise.all(
    packages.map((name) =>
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], {
        cwd: path.join(work, name),
        env: { ...process.env, npm_config_update_notifier: 'false' },
      }),
    ),
  );
  return packed.map(({ stdout }) => filename(JSON.parse(stdout)));
}

/** npm 10 returns a list, later versions an object by name. */
const filename = (answer) => Object.values(answer)[0].filename;

async function stage(name, work, version) {
  const from = path.join(root, 'shell', name);
  const out = path.join(work, name);
  const own = read(path.join(from, 'package.json'));
  const entries = Object.entries(own.exports).filter(([, target]) => target[source]);
  mkdirSync(path.join(out, 'dist'), { recursive: true });
  await scripts(own, entries, from, out);
  await types(name, from, work);
  for (const [entry, target] of entries)
    for (const file of [target.types, target.default])
      if (!existsSync(path.join(out, file))) throw new Error(`${own.name}: ${entry} has no ${file}`);
  if (existsSync(path.join(from, 'src/fonts')))
    cpSync(path.join(from, 'src/fonts'), path.join(out, 'dist/fonts'), { recursive: true });
  for (const file of ['messages', 'README.md'])
    if (existsSync(path.join(from, file))) cpSync(path.join(from, file), path.join(out, file), { recursive: true });
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(path.join(root, file), path.join(out, file));
  const extra = name === 'sdk' ? forBuilding(out) : {};
  const { private: _, ...rest } = versioned(own, version);
  // The tarball does not contain the source.
  const outside = entries.map(([entry, { [source]: _, ...target }]) => [entry, target]);
  const files = [...own.files, 'CHANGELOG.md'];
  write(path.join(out, 'package.json'), {
    ...rest,
    files,
    exports: { ...own.exports, ...Object.fromEntries(outside), ...extra },
  });
}

/** Returns a package.json with another version, also in its dependencies on our other packages. */
function versioned(own, version = own.version) {
  const peers = Object.entries(own.peerDependencies).map(([n, range]) => [n, n.startsWith('@wattle/') ? `^${version}` : range]);
  return { ...own, version, peerDependencies: Object.fromEntries(peers) };
}

async function scripts(own, entries, from, out) {
  const { metafile } = await build({
    entryPoints: {
      // executed by @wattle/sdk/build
      ...(own.name === '@wattle/sdk' ? { manifest: path.join(from, 'src/manifest.ts') } : {}),
      ...Object.fromEntries(
        entries.map(([, { [source]: file, default: js }]) => [path.basename(js, '.js'), path.join(from, file)]),
      ),
    },
    outdir: path.join(out, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    packages: 'external',
    // with our tsconfig, its paths would bundle packages that must stay external
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    metafile: true,
    logLevel: 'error',
  });
  const known = { ...own.dependencies, ...own.peerDependencies };
  for (const { imports } of Object.values(metafile.outputs))
    for (const { path: what, external } of imports) {
      const library = /^(@[^/]+\/)?[^/]+/.exec(what)?.[0] ?? what;
      if (external && !known[library]) throw new Error(`${own.name} imports ${library}, which its package.json does not name`);
    }
}

/** Generates types against the packed types of the packages built before. */
async function types(name, from, work) {
  const project = path.join(work, `${name}.tsconfig.json`);
  const before = packages.slice(0, packages.indexOf(name));
  const paths = before.flatMap((p) =>
    Object.entries(read(path.join(work, p, 'package.json')).exports)
      .filter(([, target]) => target.types)
      .map(([entry, target]) => [`@wattle/${p}${entry.slice(1)}`, [path.join(work, p, target.types)]]),
  );
  const base = read(path.join(root, 'tsconfig.base.json')).compilerOptions;
  const own = read(path.join(from, 'tsconfig.json')).compilerOptions?.paths ?? {};
  write(project, {
    compilerOptions: {
      ...base,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: path.join(from, 'src'),
      outDir: path.join(work, name, 'dist'),
      typeRoots: [path.join(root, 'node_modules/@types')],
      types: ['react'],
      paths: {
        ...Object.fromEntries(Object.entries(own).map(([k, v]) => [k, v.map((p) => path.resolve(from, p))])),
        ...Object.fromEntries(paths),
      },
    },
    include: [path.join(from, 'src')],
    exclude: [path.join(from, 'src/**/*.test.*'), path.join(from, 'src/test-render.tsx')],
  });
  await run(bin('tsc'), ['-p', project, '--pretty', 'false'], { cwd: root }).catch((e) => {
    throw new Error(`types of ${name}:\n${e.stdout}`);
  });
}

/** Copies @wattle/sdk/build, with the list of packages that this host shares. */
function forBuilding(out) {
  const dist = path.join(out, 'dist/build');
  cpSync(path.join(root, 'shell/sdk/build'), dist, { recursive: true });
  const list = Object.fromEntries(Object.entries(shared).map(([n, { version: _, ...s }]) => [n, s]));
  writeFileSync(path.join(dist, 'shared.mjs'), `export const shared = ${JSON.stringify(list)};\n`);
  return { './build': { types: './dist/build/index.d.mts', default: './dist/build/index.mjs' } };
}

if (import.meta.main) {
  process.chdir(root);
  const { values } = parseArgs({ options: { to: { type: 'string' }, version: { type: 'string' } } });
  const to = path.resolve(values.to ?? 'bin/packages');
  for (const file of await pack({ to, version: values.version })) console.log(path.relative(root, path.join(to, file)));
}
