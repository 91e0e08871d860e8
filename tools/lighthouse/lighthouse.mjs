// Lighthouse, mobile: the median of several runs of the main pages, for the brands of demo labels and for the same labels with only
// one color: `make lighthouse`. RUNS is the number of runs; LABELS selects labels; TABLE=1 prints Markdown. It needs an idle
// machine. CPU is the factor by which the phone is slower: Lighthouse's 4 is intended for machines with a benchmark index above
// 1,500, and 2 for those above 1,000 (see its documentation on throttling). The last line reports the index of this machine.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium as browserType } from '@playwright/test';
import lighthouse from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { binary, chromium, serve } from '../server.mjs';

const runs = Number(process.env.RUNS ?? 5);
const minScore = 95;
const cpuSlowdownMultiplier = Number(process.env.CPU ?? 4);
const categories = ['performance', 'accessibility', 'best-practices'];
const debugPort = 9333;
/** Demo labels with their own brand: a retailer, a wind cooperative and a solar cooperative. */
const labels = (process.env.LABELS ?? '1042 1024 1060').split(' ');
const pages = { customer: ['/dashboard', '/usage'], member: ['/home', '/overview', '/offers'] };

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const accounts = JSON.parse(execFileSync(binary, ['demo', 'accounts', '--json', '--labels', 'labels'], { encoding: 'utf8' }));
const temporary = mkdtempSync(path.join(tmpdir(), 'wattle-lighthouse-'));
const browser = await browserType.launchPersistentContext(path.join(temporary, 'profile'), {
  ...chromium,
  args: [...chromium.args, `--remote-debugging-port=${debugPort}`],
});

/** @returns the medians of a page, and the audits that failed in any run */
async function measure(url) {
  const seen = { lcp: [], cls: [], tbt: [], failed: new Set() };
  for (const c of categories) seen[c] = [];
  for (let i = 0; i < runs; i++) {
    const { lhr } = await lighthouse(url, {
      port: debugPort,
      onlyCategories: categories,
      disableStorageReset: true,
      logLevel: 'error',
      throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier },
    });
    indexes.push(lhr.environment.benchmarkIndex);
    for (const c of categories) seen[c].push(Math.round(lhr.categories[c].score * 100));
    seen.lcp.push(lhr.audits['largest-contentful-paint'].numericValue);
    seen.cls.push(lhr.audits['cumulative-layout-shift'].numericValue);
    seen.tbt.push(lhr.audits['total-blocking-time'].numericValue);
    for (const audit of Object.values(lhr.audits))
      if (audit.score !== null && audit.score < 1 && audit.scoreDisplayMode === 'binary') seen.failed.add(audit.id);
    const end = new URL(lhr.finalDisplayedUrl).pathname;
    if (end !== new URL(url).pathname) throw new Error(`${url} went to ${end}`);
  }
  return seen;
}

/** @returns a folder with the labels, whose style is only a color and a logo */
function plain() {
  const folder = path.join(temporary, 'plain');
  for (const label of labels) {
    cpSync(path.join('labels', label), path.join(folder, label), { recursive: true });
    const file = path.join(folder, label, 'label.cue');
    const text = readFileSync(file, 'utf8');
    const style = text.replace(/^style: \{[\s\S]*?^\}/m, 'style: {page_title: "Portal", primary_color: "#1f5fa8"}');
    if (style === text) throw new Error(`${file}: no style`);
    writeFileSync(file, style);
  }
  return folder;
}

const indexes = [];
let low = 0;
function report(brand, label, page, seen) {
  const scores = categories.map((c) => median(seen[c]));
  low += scores.filter((score) => score < minScore).length;
  const cells = [
    label,
    brand,
    page,
    ...scores,
    `${(median(seen.lcp) / 1000).toFixed(1)} s`,
    median(seen.cls).toFixed(3),
    `${Math.round(median(seen.tbt))} ms`,
    [...seen.failed].join(', '),
  ];
  console.log(process.env.TABLE ? `| ${cells.join(' | ')} |` : cells.map((c) => String(c).padEnd(11)).join(' '));
}

const head = ['label', 'brand', 'page', 'performance', 'access', 'practices', 'LCP', 'CLS', 'blocking', 'failed audits'];
console.log(
  process.env.TABLE ? `| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|` : head.map((c) => c.padEnd(11)).join(' '),
);
try {
  for (const [brand, folder] of Object.entries({ rich: 'labels', plain: plain() })) {
    const server = await serve({ labels: folder });
    for (const label of labels) {
      const host = `${label}.localhost`;
      await browser.clearCookies();
      report(brand, label, '/', await measure(`${server.origin(host)}/`));
      const { role, ...person } = accounts.find((a) => a.label === label && ['customer', 'member'].includes(a.role));
      await server.signIn(host, browser, person);
      for (const page of pages[role]) report(brand, label, page, await measure(server.origin(host) + page));
    }
    await server.stop();
  }
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true, force: true });
}
console.log(`benchmark index ${Math.round(median(indexes))}, phone ${cpuSlowdownMultiplier} times slower`);
if (low > 0) {
  console.error(`${low} scores are below ${minScore}`);
  process.exit(1);
}
