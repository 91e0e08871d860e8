// Lighthouse, mobile, median of five runs for sign-in and for the first signed-in page: `make lighthouse`.
// Playwright drives Chromium, because the id token is in the page's memory and the session in a cookie.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const runs = Number(process.env.RUNS ?? 5);
const categories = ['performance', 'accessibility', 'best-practices'];
const label = process.env.LABEL ?? '1042';

const data = await mkdtemp(path.join(tmpdir(), 'wattle-lighthouse-'));
const server = spawn(
  path.join(root, 'bin/wattle'),
  ['serve', '--demo', '--labels', path.join(root, 'labels'), '--data', data, '--addr', '127.0.0.1:0'],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
const port = await new Promise((resolve, reject) => {
  let seen = '';
  server.stdout.on('data', (chunk) => {
    seen += chunk;
    const found = /"addr":\s*"[^"]*:(\d+)"/.exec(seen);
    if (found) resolve(Number(found[1]));
  });
  server.on('exit', (code) => reject(new Error(`wattle serve ended with ${code}`)));
});

const debugPort = 9333;
const browser = await chromium.launchPersistentContext(path.join(data, 'profile'), {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    `--remote-debugging-port=${debugPort}`,
    '--host-resolver-rules=MAP *.localhost 127.0.0.1',
  ],
});
const origin = `http://${label}.localhost:${port}`;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(name, url) {
  const scores = Object.fromEntries(categories.map((c) => [c, []]));
  const failed = new Set();
  for (let i = 0; i < runs; i++) {
    const { lhr } = await lighthouse(url, {
      port: debugPort,
      onlyCategories: categories,
      disableStorageReset: true,
      logLevel: 'error',
    });
    for (const c of categories) scores[c].push(Math.round(lhr.categories[c].score * 100));
    for (const audit of Object.values(lhr.audits))
      if (audit.score !== null && audit.score < 1 && audit.scoreDisplayMode === 'binary') failed.add(audit.id);
  }
  const line = categories.map((c) => `${c} ${median(scores[c])}`).join(', ');
  console.log(`${name}: ${line}${failed.size ? ` (failed audits: ${[...failed].join(', ')})` : ''}`);
}

try {
  await measure('sign-in', `${origin}/`);
  const accounts = await new Promise((resolve) => {
    const out = spawn(path.join(root, 'bin/wattle'), ['demo', 'accounts', '--json', '--labels', path.join(root, 'labels')]);
    let text = '';
    out.stdout.on('data', (chunk) => {
      text += chunk;
    });
    out.on('exit', () => resolve(JSON.parse(text)));
  });
  const customer = accounts.find((a) => a.label === label && ['customer', 'member'].includes(a.role));
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  await page.getByLabel(/gebruikersnaam|username/i).fill(customer.username);
  await page.getByLabel(/^wachtwoord|^password/i).fill(customer.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/account|dashboard/);
  await page.close();
  await measure('dashboard', `${origin}/dashboard`);
  await measure('account', `${origin}/account`);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await rm(data, { recursive: true, force: true });
}
