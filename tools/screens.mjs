// `make screens`: the twelve main screens in docs/screens, each in two labels at 1280 and 390 px, one in Dutch and one in English,
// and the start pages of five labels. Arguments select the screens whose names contain one of them. PNG=<folder> writes each picture to a
// file of its own there instead, at its full size.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as browserType } from '@playwright/test';
import { binary, chromium, serve } from './server.mjs';
import { root } from './workspace.mjs';

const out = path.join(root, 'docs/screens');
const png = process.env.PNG;
if (png) mkdirSync(png, { recursive: true });
const customers = ['1042', '1021'];
const members = ['1024', '1060'];
const sizes = { 1280: { width: 1280, height: 900, cut: 1500 }, 390: { width: 390, height: 844, cut: 2300 } };
/**
 * Screens by name: path, labels, and a word in the note of the demo account. A label without demo accounts gets a sample household.
 */
const screens = {
  'sign-in': ['/', customers],
  dashboard: ['/dashboard', customers],
  home: ['/home', members],
  account: ['/account', members],
  production: ['/overview', members],
  participation: ['/participation', members],
  checkout: ['/checkout', members, 'winkelmand'],
  invoices: ['/invoices', customers],
  usage: ['/usage', customers],
  'term-amount': ['/periodical-payments', customers],
  move: ['/move', customers],
  staff: ['/staff', customers],
};
const words = process.argv.slice(2);
const isChosen = (name) => words.length === 0 || words.some((w) => name.includes(w));
const chosen = Object.entries(screens).filter(([name]) => isChosen(name));

const server = await serve();
const browser = await browserType.launch(chromium);
const accounts = JSON.parse(
  execFileSync(binary, ['demo', 'accounts', '--json', '--labels', 'labels'], { cwd: root, encoding: 'utf8' }),
);

/** Customer requests, for a label whose demo has no pending ones. */
const calls = [
  { module: 'account', path: '/relations/phonenumber', body: { phone_number: '0687654321' } },
  { module: 'account', path: '/relations/email', body: { change_email: 'jip.nieuw@voorbeeld.example' } },
];

/** Sample people of labels without demo accounts: all screens of a label show the same household. */
const households = new Map();

/** @returns the person who views a screen of a label */
async function personOf(label, name, word) {
  if (name === 'sign-in') return undefined;
  const host = `${label}.localhost`;
  const roles = name === 'staff' ? ['staff'] : ['customer', 'member'];
  const found = accounts.filter((a) => a.label === label && roles.includes(a.role));
  const person = found.find((a) => word && a.note.includes(word)) ?? found[0];
  if (person) {
    const { role, ...who } = person;
    return who;
  }
  if (name === 'staff') {
    for (const asked of [calls, calls.slice(0, 1)]) {
      const { body } = await server.call(host, 'POST', '/dev/customers', { sample: true, calls: asked });
      households.set(`${label} ${body.name}`, body);
    }
  }
  const key = `${label} ${name === 'staff'}`;
  if (!households.has(key)) {
    const body = name === 'staff' ? { role: 'staff' } : { sample: true };
    households.set(key, (await server.call(host, 'POST', '/dev/customers', body)).body);
  }
  return households.get(key);
}

/** Opens some customers as staff, so that the start page has those that were opened last. */
async function openCustomers(page, label) {
  const people = [...accounts, ...households.values()].filter((a) => a.label === label && a.role === 'customer').slice(0, 4);
  for (const name of people.map((a) => a.name.split(' ').at(-1))) {
    await page.goto(`${server.origin(`${label}.localhost`)}/staff/customers`);
    await page.getByRole('searchbox').fill(name);
    await page.keyboard.press('Enter');
    await page.waitForLoadState('networkidle');
    const found = page.locator('main [data-open] a').first();
    if ((await found.count()) === 0) continue;
    await found.click();
    await page.waitForLoadState('networkidle');
  }
}

/** @returns a screenshot of a page, as a data URL */
async function takeScreenshot({ label, locale, width, url, who }) {
  const { cut, ...viewport } = sizes[width];
  const context = await browser.newContext({ viewport, locale, reducedMotion: 'reduce' });
  try {
    await context.addInitScript((l) => localStorage.setItem('wattle:locale', l), locale);
    const host = `${label}.localhost`;
    if (who) await server.signIn(host, context, who);
    const page = await context.newPage();
    if (url === screens.staff[0]) await openCustomers(page, label);
    await page.goto(server.origin(host) + url);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    // charts are fetched when they come near the viewport
    for (let y = 0; y < cut; y += 500) {
      await page.evaluate((to) => scrollTo(0, to), y);
      await page.waitForTimeout(150);
    }
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(700);
    const height = Math.min(cut, Math.max(viewport.height, await page.evaluate(() => document.documentElement.scrollHeight)));
    await page.setViewportSize({ width: viewport.width, height }); // the phone bar is at the bottom of the picture
    await page.waitForTimeout(300);
    const png = await page.screenshot({ animations: 'disabled' });
    return `data:image/png;base64,${png.toString('base64')}`;
  } finally {
    await context.close();
  }
}

/** Writes pictures next to each other, each under its caption, as one WebP file. */
async function publish(file, pictures, width) {
  if (png) {
    const name = file.replace('.webp', '');
    for (const { caption, data } of pictures)
      writeFileSync(path.join(png, `${name} ${caption}.png`.replaceAll(' ', '-')), Buffer.from(data.split(',')[1], 'base64'));
    return;
  }
  const page = await browser.newPage();
  const webp = await page.evaluate(
    async ({ pictures, width }) => {
      const [gap, caption] = [16, 40];
      const images = await Promise.all(
        pictures.map(async ({ data }) => {
          const image = new Image();
          image.src = data;
          await image.decode();
          return image;
        }),
      );
      const scale = (width - gap * (images.length + 1)) / images.reduce((sum, i) => sum + i.width, 0);
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = Math.ceil(caption + gap + Math.max(...images.map((i) => i.height * scale)));
      const draw = canvas.getContext('2d');
      draw.fillStyle = '#d9dcd9';
      draw.fillRect(0, 0, canvas.width, canvas.height);
      draw.imageSmoothingQuality = 'high';
      draw.font = '16px sans-serif';
      let x = gap;
      images.forEach((image, n) => {
        draw.fillStyle = '#000';
        draw.fillText(pictures[n].caption, x, caption - 12);
        draw.drawImage(image, x, caption, image.width * scale, image.height * scale);
        x += image.width * scale + gap;
      });
      return canvas.toDataURL('image/webp', 0.82).split(',')[1];
    },
    { pictures, width },
  );
  await page.close();
  writeFileSync(path.join(out, file), Buffer.from(webp, 'base64'));
}

try {
  for (const [name, [url, labels, word]] of chosen) {
    const pictures = [];
    const people = [];
    for (const label of labels) people.push(await personOf(label, name, word));
    for (const width of [1280, 390])
      for (const [n, label] of labels.entries()) {
        const locale = ['nl', 'en'][n];
        const data = await takeScreenshot({ label, locale, width, url, who: people[n] });
        pictures.push({ caption: `${label} ${locale} ${width}`, data });
      }
    await publish(`${name}.webp`, pictures, 2200);
  }
  if (isChosen('five-brands')) {
    const pictures = [];
    for (const [label, url] of [
      ['1000', '/dashboard'],
      ['1008', '/dashboard'],
      ['1042', '/dashboard'],
      ['1060', '/home'],
      ['1071', '/home'],
    ])
      pictures.push({
        caption: label,
        data: await takeScreenshot({ label, locale: 'nl', width: 1280, url, who: await personOf(label, 'dashboard') }),
      });
    await publish('five-brands.webp', pictures, 3000);
  }
} finally {
  await browser.close();
  await server.stop();
}
