// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { Ajv } from 'ajv';
import { expect } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../schemas/asyncapi');
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const documents = new Map<string, Record<string, unknown>>(
  readdirSync(folder).map((file) => [file, read(path.join(folder, file))]),
);

/** Returns every `$ref` in a part of a document. */
function refs(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : refs(value)));
}

/** Returns the part of a document to which a reference points. */
function target(file: string, ref: string): unknown {
  const [other, pointer = ''] = ref.split('#/');
  return pointer
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], documents.get(other || file));
}

row('9-events-asyncapi', 'every document is valid AsyncAPI 3.0, and its references resolve', () => {
  const schema = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(read(schema));
  expect(documents.size).toBeGreaterThan(9);
  let foreign = 0;
  for (const [file, document] of documents) {
    expect(validate(document), `${file}: ${JSON.stringify(validate.errors?.slice(0, 3))}`).toBe(true);
    for (const ref of refs(document)) {
      expect(target(file, ref), `${file}: ${ref}`).toBeTypeOf('object');
      if (!ref.startsWith('#')) foreign++;
    }
  }
  expect(foreign).toBeGreaterThan(4); // the publisher's document describes a handled event
  expect(validate({ ...documents.get('core.json'), operations: { x: { action: 'shout' } } })).toBe(false);
});
