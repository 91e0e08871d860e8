// @vitest-environment node
// A label's look (style in label.cue) affects all components: no radius of a card or control is written in pixels.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { root } from './workspace.mjs';

const files = globSync('{shell/{ui,charts,src},remotes/*/src}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (f) => f.includes('node_modules'),
})
  .filter((f) => !/\.(test|gen|d)\.tsx?$/.test(f))
  // small pictures of the brands on the demo's page, which has no label
  .filter((f) => f !== path.join('shell', 'src', 'pages', 'picture.tsx'))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/** Circles, ends of chips, removed corners, and corners of lines and marks of at most 4 px. */
const small = /^(0|50%|999px|[1-4]px)$/;

row('9-brand-radius', 'corners of cards and controls are those of the label', () => {
  const declared = files.flatMap(({ file, text }) =>
    [...text.matchAll(/border(?:-[a-z]+)*-radius: ([^;`}]+)|border[A-Za-z]*Radius: ?['"]?([^,'"}]+)/g)].map((m) => ({
      file,
      value: (m[1] ?? m[2] ?? '').trim(),
    })),
  );
  expect(declared.filter((d) => d.value.includes('var(--w-radius')).length).toBeGreaterThan(70);
  const wrong = declared.filter(
    ({ value }) =>
      !value.includes('${') &&
      value
        .split(/\s+(?![^(]*\))/)
        .some((part) => !part.includes('var(--w-radius') && !small.test(part) && !/^[1-4]$/.test(part)),
  );
  expect(wrong).toEqual([]);
  // computed in JavaScript: their pixels are small, too
  const computed = declared.filter(
    ({ value }) => value.includes('${') && /\b([5-9]|\d\d+)px/.test(value.replace(/min\([^)]*var\(--w-radius[^)]*\)\)/g, '')),
  );
  expect(computed).toEqual([]);
});
