// Size limits in bytes that a browser really loads, with brotli: sign-in ≤ 120 KB, the first signed-in screen ≤ 200 KB, charts ≤
// 110 KB when one is shown, each remote ≤ 20 KB: all its own code and the texts of one language, because no browser loads both
// (decision 0019). Marketplace, usage and billing count as two, because some of their files are separate: the pages on which
// members buy, costs in euros with a meter's history, and of pages about money the contracts, the term amount, the bank account, what
// a button opens and what only the account page shows.
// It needs bin/wattle.
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium as browserType } from '@playwright/test';
import { chromium, serve } from './server.mjs';
import { dist } from './workspace.mjs';

const KB = 1024;
/** Remotes with files that count separately, and the purpose of these files. */
const splitRemotes = new Map([
  ['marketplace', { files: ['pages'], name: 'buying' }],
  ['usage', { files: ['hero', 'later'], name: 'costs and history' }],
  ['billing', { files: ['later'], name: 'opened later' }],
]);
const limits = { signIn: 120 * KB, first: 200 * KB, remote: 20 * KB, charts: 110 * KB };
const over = [];
function report(name, bytes, limit) {
  const line = `${name.padEnd(28)} ${(bytes / KB).toFixed(1).padStart(6)} KB of ${limit / KB}`;
  console.log(line);
  if (bytes > limit) over.push(line);
}

const size = (file) => Math.min(...[file, `${file}.br`].filter((f) => globSync(f).length > 0).map((f) => statSync(f).size));
for (const manifest of globSync(`${dist}/remotes/*/remote.json`)) {
  const dir = path.dirname(manifest);
  const { key, entry } = JSON.parse(readFileSync(manifest, 'utf8'));
  const files = globSync(`${dir}/${path.dirname(entry)}/*.js`);
  const total = (of) => files.filter(of).reduce((sum, f) => sum + size(f), 0);
  const name = (f) => path.basename(f);
  const texts = ['nl', 'en'].map((language) => total((f) => name(f).startsWith(`texts.${language}.`)));
  if (texts.includes(0)) throw new Error(`remote ${key}: a language has no catalogue`);
  const second = splitRemotes.get(key);
  const apart = (f) => second?.files.some((file) => name(f).startsWith(`${file}.`));
  report(`remote ${key}`, total((f) => !name(f).startsWith('texts.') && !apart(f)) + Math.max(...texts), limits.remote);
  if (!second) continue;
  if (total(apart) === 0) throw new Error(`remote ${key}: it has no files ${second.files} of its own`);
  report(`remote ${key}, ${second.name}`, total(apart), limits.remote);
}

// What a page with a chart fetches for its drawing, when a chart comes near the viewport (decision 0041).
const drawing = globSync(`${dist}/shell/{plot,recharts}.*.js`);
if (drawing.length !== 2) throw new Error(`the drawing of charts is ${drawing.length} files instead of two`);
report(
  'charts, lazily',
  drawing.map(size).reduce((a, b) => a + b),
  limits.charts,
);

const server = await serve();
const browser = await browserType.launch(chromium);
try {
  const context = await browser.newContext({ locale: 'nl-NL' });
  const page = await context.newPage();
  /** Returns the scripts loaded while `go` runs, until the page is idle. */
  const measure = async (go) => {
    await go();
    await page.waitForLoadState('networkidle');
    return page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((e) => e.name.endsWith('.js'))
        .reduce((sum, e) => sum + e.encodedBodySize, 0),
    );
  };
  const origin = server.origin('1042.localhost');
  const first = await measure(async () => {
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: 'Inloggen' }).waitFor();
  });
  report('sign-in', first, limits.signIn);
  await server.signIn('1042.localhost', context);
  const signedIn = await measure(async () => {
    await page.goto(`${origin}/dashboard`);
    await page.locator('h1[data-title]').waitFor();
    await page.locator('[data-tile]').first().waitFor();
  });
  report('first signed-in screen', signedIn, limits.first);
} finally {
  await browser.close();
  await server.stop();
}
if (over.length > 0) {
  console.error(`over the limit:\n${over.join('\n')}`);
  process.exit(1);
}
