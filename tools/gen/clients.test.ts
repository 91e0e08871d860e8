// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect } from 'vitest';

const documents = path.resolve(import.meta.dirname, '../../schemas/openapi');

// Integrators generate a client with the same packages: openapi-typescript for the types, openapi-fetch for the requests.
row('7-openapi-complete', 'a TypeScript client of every module compiles', async () => {
  const files = new Map<string, string>();
  for (const document of readdirSync(documents)) {
    const name = path.basename(document, '.json');
    const api = readFileSync(path.join(documents, document), 'utf8');
    const at = (file: string) => path.join(import.meta.dirname, `generated-${name}${file}.ts`);
    files.set(at('-api'), astToString(await openapiTS(api)));
    files.set(
      at(''),
      [
        `import createClient from 'openapi-fetch';`,
        `import type { paths } from './generated-${name}-api';`,
        `export const client = createClient<paths>({ baseUrl: '/api/v0' });`,
        `// @ts-expect-error no such path`,
        `export const wrong = client.GET('/no/such/path');`,
      ].join('\n'),
    );
  }
  expect(files.size).toBeGreaterThan(10);

  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...rest) => {
    const text = files.get(file);
    return text === undefined ? getSourceFile(file, target, ...rest) : ts.createSourceFile(file, text, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  expect(ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, '\n'))).toEqual([]);
});
