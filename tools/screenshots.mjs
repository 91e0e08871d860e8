// `make screenshots`: one contact sheet per screen in test-results/screenshots: label A desktop nl, label B desktop en, A 390 nl, B
// 390 en. If B does not have the module of a screen, C is used. The screens are those in the manifests, plus states. Sheets that
// differ from the last run are listed at the end. LABELS=A,B,C selects other labels; arguments select the screens that contain one
// of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as browserType } from '@playwright/test';
import { binary, chromium, serve } from './server.mjs';
import { root } from './workspace.mjs';

const out = path.join(root, 'test-results/screenshots');
mkdirSync(out, { recursive: true });
const [a, b, c] = process.env.LABELS?.split(',') ?? ['1024', '1042', '1060'];
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const frames = [
  { name: `${a} nl`, label: a, locale: 'nl', size: desktop },
  { name: `${b} en`, label: b, locale: 'en', size: desktop },
  { name: `${a} nl 390`, label: a, locale: 'nl', size: phone },
  { name: `${b} en 390`, label: b, locale: 'en', size: phone },
];

const server = await serve();
const browser = await browserType.launch(chromium);
const problem = (status) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code: 'unavailable', title: '' }),
});

/** A label's manifests by module. */
async function manifestsOf(label) {
  const { body } = await server.call(`${label}.localhost`, 'GET', '/portal');
  return new Map(body.remotes.map((r) => [r.key, r.manifest]));
}
const modulesOf = new Map();
for (const label of [a, b, c]) if (label) modulesOf.set(label, await manifestsOf(label));
const known = modulesOf.get(a);
const manifests = [...known.values()];
const routes = (access) =>
  manifests.flatMap((m) => m.routes.filter((r) => (r.access ?? 'customer') === access).map((r) => r.path));
const pages = ['/dashboard', '/notfound', ...routes('customer')];
/** Returns the module of the screen at a path. */
const moduleOf = (path) =>
  [...known].find(([, m]) =>
    [...m.routes.map((r) => r.path), ...m.overlays.map((o) => `${o.parent}/${o.name}`)].some(
      (p) => path === p || path.startsWith(`${p}/`),
    ),
  )?.[0];
const overlays = manifests.flatMap((m) =>
  m.overlays.map((o) => [o.parent, o.name, ...(o.params ?? []).map((p) => `:${o.name}.${p}`)].join('/')),
);
const overlay = new Set(overlays);
/** Values of path parameters for a customer with a sample household; overlay parameters are prefixed with the overlay's name. */
const parameters = {
  ':agreementId': (who) => `${who.debtor_number}-02-1`,
  ':update.agreementId': (who) => `${who.debtor_number}-02-1`,
  ':usage-history.id': (who) =>
    Buffer.from(
      JSON.stringify({
        agreement_identifier: `${who.debtor_number}-02`,
        location_id: `L${who.id}`,
        ean_code: who.ean_codes[0],
        delivery: false,
      }),
    ).toString('base64url'),
};
/** Returns the first offer on the market, because a sample household has none. */
const firstOffer = async (page, origin) => {
  await page.goto(`${origin}/offers`);
  return (await page.locator('main a[href^="/offers/"]').first().getAttribute('href')).split('/').at(-1);
};
const fill = (url, who) =>
  url.replace(/:[\w.-]+/g, (p) => {
    if (!parameters[p]) throw new Error(`say in tools/screenshots.mjs what ${p} of ${url} is`);
    return parameters[p](who);
  });
const outside = (go, host) => ({ go, host });
const household = { sample: true };
/** @param customer body of POST dev/customers */
const inside = (go, before, customer = household) => ({ go, before, customer });
/** Returns a person in the label's demo, found by a word in the output of `wattle demo accounts`. */
const as = (word, go, module) => ({ go, person: word, module });
const open = (url) => async (page, origin, who) => {
  const to = url.includes(':identifier') ? url.replace(':identifier', await firstOffer(page, origin)) : url;
  await page.goto(origin + fill(to, who));
  await page.locator('h1').first().waitFor();
};
/** Opens everything on the page that can be opened. */
const openAll = (url) => async (page, origin, who) => {
  await open(url)(page, origin, who);
  await page.waitForTimeout(500);
  for (const shut of await page.locator('main [aria-expanded=false]').all()) await shut.click().catch(() => undefined);
  for (const shut of await page.locator('main details:not([open]) > summary').all()) await shut.click().catch(() => undefined);
};
const pendingChanges = [
  {
    module: 'billing',
    path: '/relations/bankAccountNumber',
    body: {
      change_bank_account_number: 'NL91ABNA0417164300',
      change_bank_account_name: 'J. van der Test',
      from_date: '{{day 10}}',
    },
  },
  { module: 'billing', path: '/periodicalPayments/{{debtor}}-02-1', body: { request_periodical_payment_amount: 210 } },
];
const people = JSON.parse(
  execFileSync(binary, ['demo', 'accounts', '--json', '--labels', 'labels'], { cwd: root, encoding: 'utf8' }),
);
const screens = {
  'sign-in': outside(open('/')),
  'sign-in errors': outside(async (page, origin) => {
    await open('/')(page, origin);
    await page.locator('button[type=submit]').click();
  }),
  'forgot password': outside(async (page, origin) => {
    await open('/')(page, origin);
    await page.locator('form button[type=button]').last().click();
  }),
  'forgot password code': outside(async (page, origin) => {
    await open('/')(page, origin);
    await page.locator('input').first().fill('iemand');
    await page.locator('form button[type=button]').last().click();
    await page.locator('button[type=submit]').click();
    await page.locator('input[autocomplete=one-time-code]').waitFor();
  }),
  'temporary password': outside(async (page, origin) => {
    const host = new URL(origin).hostname;
    const { body: who } = await server.call(host, 'POST', '/dev/customers', { temporary: true });
    await open('/')(page, origin);
    await page.locator('input').first().fill(who.username);
    await page.locator('input').last().fill(who.password);
    await page.locator('button[type=submit]').click();
    await page.locator('input[autocomplete=new-password]').first().waitFor();
  }),
  'sign-in migrated': outside(open('/'), '1000-live.localhost'),
  cards: outside(open('/'), 'localhost'),
  'account company': inside(open('/account'), undefined, { ...household, company: true, addresses: 4 }),
  'account pending': inside(open('/account'), undefined, { ...household, pending: true }),
  'account phone pending': {
    ...inside(open('/account/change-phonenumber'), undefined, { ...household, pending: true }),
    viewport: true,
  },
  'account impersonator': {
    async go(page, origin) {
      const { body: who } = await server.call(new URL(origin).hostname, 'POST', '/dev/customers', { impersonator: true });
      await open(`/account#impersonate=${who.impersonation_code}`)(page, origin);
    },
  },
  'iban pending': inside(open('/iban'), undefined, { ...household, calls: pendingChanges }),
  'iban wrong': inside(async (page, origin, who) => {
    await open('/iban')(page, origin, who);
    await page.locator('main input:visible').first().fill('NL00');
    await page.locator('main button[type=submit]').click();
  }),
  'term amount pending': inside(open('/periodical-payments'), undefined, { ...household, calls: pendingChanges }),
  'agreements open': inside(openAll('/agreements')),
  'invoices open': inside(openAll('/invoices')),
  'account without anything': inside(open('/account'), undefined, {}),
  ...Object.fromEntries(
    ['/dashboard', '/agreements', '/invoices', '/periodical-payments', '/products', '/usage', '/metermeasuring'].map((p) => [
      `${p} without anything`,
      inside(open(p), undefined, {}),
    ]),
  ),
  'solar dashboard': as('onnepanelen', open('/dashboard')),
  'solar usage': as('onnepanelen', open('/usage')),
  'solar invoices': as('onnepanelen', openAll('/invoices')),
  'company agreements': as('Bedrijf', openAll('/agreements')),
  'company invoices': as('Bedrijf', openAll('/invoices')),
  'company usage': as('Bedrijf', open('/usage')),
  'company readings': as('Bedrijf', open('/metermeasuring')),
  ...Object.fromEntries(
    overlays
      .filter((o) => !/info|history|notification/.test(o))
      .map((o) => [
        `${o} wrong`,
        {
          ...inside(async (page, origin, who) => {
            await open(o)(page, origin, who);
            const field = page.getByRole('dialog').locator('input:not([type=range]):not([type=radio]):visible').last();
            await field.fill('x');
            await field.press('Enter');
          }),
          viewport: true,
        },
      ]),
  ),
  ...Object.fromEntries(
    ['/participation', '/offers', '/my-offers', '/my-orders', '/personal-offers', '/checkout', '/account'].map((p) => [
      `trader ${p}`,
      as('Deelnames in', openAll(p), 'marketplace'),
    ]),
  ),
  'buyer checkout': as('winkelmand', open('/checkout'), 'marketplace'),
  'buyer orders': as('bestelling om te betalen', open('/my-orders'), 'marketplace'),
  'thank you': { ...outside(open('/thank-you?n=WyJCLVI5WUM2RUoxMjUiLDExNzZd')), module: 'marketplace' },
  'payment cancelled': { ...outside(open('/payment-cancelled')), module: 'marketplace' },
  ...Object.fromEntries(
    routes('staff')
      .filter((p) => !p.includes(':'))
      .map((p) => [p, inside(open(p), undefined, { role: 'staff' })]),
  ),
  'under construction': outside(open('/under-construction')),
  'verify failed': outside(open('/verify/nothing')),
  register: outside(open('/register')),
  'pending page': outside(open('/pending-page')),
  'reactivation failed': outside(open('/reactivation/nothing')),
  'reactivate account': outside(async (page, origin) => {
    await open('/')(page, origin);
    await page.locator('main li button').first().click();
    await page.locator('input[type=email]').waitFor();
  }),
  ...Object.fromEntries([...pages, ...overlays].map((p) => [p, { ...inside(open(p)), viewport: overlay.has(p) }])),
  ...Object.fromEntries(
    pages
      .slice(2)
      .map((p) => [`${p} loading`, inside(open(p), (page) => page.route(/\/api\/v0\/(?!auth|labels|portal)/, () => undefined))]),
  ),
  ...Object.fromEntries(
    pages.slice(2).map((p) => [
      `${p} error`,
      {
        ...inside(open(p), (page) => page.route(/\/api\/v0\/(?!auth|labels|portal|relations$)/, (r) => r.fulfill(problem(503)))),
        wait: 9000,
      }, // after three retries of the queries
    ]),
  ),
  'relation missing': inside(open('/dashboard'), (page) => page.route(/\/relations$/, (r) => r.fulfill(problem(404)))),
  menu: inside(async (page, origin) => {
    await open('/dashboard')(page, origin);
    await page.locator('header button[aria-haspopup]').last().click();
  }),
  ...Object.fromEntries(
    // one from each group of the gallery
    ['Button', 'Page', 'Money', 'Notice', 'Form', 'DataTable', 'PeriodChart', 'GlobalStyle'].map((name) => [
      `kit ${name}`,
      outside(open(`/dev/kit#${name}`)),
    ]),
  ),
};

async function shoot(name, screen, { label: wanted, locale, size }) {
  const needs = screen.module ?? moduleOf(name.split(' ')[0]);
  const label = needs && c && !modulesOf.get(wanted).has(needs) ? c : wanted;
  const host = screen.host ?? `${label}.localhost`;
  const context = await browser.newContext({ viewport: size, locale, reducedMotion: 'reduce' });
  try {
    await context.addInitScript((l) => localStorage.setItem('wattle:locale', l), locale);
    const who = screen.person
      ? people.find((p) => p.host === host && p.note.includes(screen.person))
      : screen.customer && (await server.call(host, 'POST', '/dev/customers', screen.customer)).body;
    if (who) await server.signIn(host, context, who);
    const page = await context.newPage();
    await screen.before?.(page);
    await screen.go(page, server.origin(host), who);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(screen.wait ?? 700); // skeletons appear after 150 ms, then the data
    return await page.screenshot({ fullPage: !screen.viewport, animations: 'disabled' }); // elements with a fixed position need a screenshot of the window
  } finally {
    await context.close();
  }
}

/** Places the screenshots next to each other, and returns the sheet with its difference hash. */
async function sheet(page, name, shots) {
  await page.setContent(
    `<style>body{margin:0;padding:16px;background:#d9dcd9;font:14px sans-serif}main{display:flex;gap:16px;align-items:flex-start}figure{margin:0}figcaption{padding:0 0 6px}
      img{display:block;border:1px solid #999}</style><h2>${name}</h2><main>${shots
        .map(
          (s, i) =>
            `<figure><figcaption>${frames[i].name}</figcaption><img width="${frames[i].size.width / 2}" src="data:image/png;base64,${s.toString('base64')}"></figure>`,
        )
        .join('')}</main>`,
  );
  const hash = await page.evaluate(() =>
    Array.from(document.images, (image) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 17, height: 16 });
      const draw = canvas.getContext('2d');
      draw.drawImage(image, 0, 0, 17, 16);
      const { data } = draw.getImageData(0, 0, 17, 16);
      const grey = (x, y) => data[(y * 17 + x) * 4] + data[(y * 17 + x) * 4 + 1] + data[(y * 17 + x) * 4 + 2];
      return Array.from({ length: 256 }, (_, i) => (grey(i % 16, i >> 4) < grey((i % 16) + 1, i >> 4) ? 1 : 0)).join('');
    }).join(''),
  );
  return { png: await page.screenshot({ fullPage: true }), hash };
}

const hashes = path.join(out, 'hashes.json');
const before = existsSync(hashes) ? JSON.parse(readFileSync(hashes, 'utf8')) : {};
const now = {};
const changed = [];
const failed = [];
try {
  const table = await browser.newPage({ viewport: { width: 1760, height: 600 } });
  const wanted = Object.entries(screens).filter(
    ([name]) => process.argv.length < 3 || process.argv.slice(2).some((w) => name.includes(w)),
  );
  for (const [name, screen] of wanted) {
    try {
      const shots = [];
      for (const frame of frames) shots.push(await shoot(name, screen, frame));
      const { png, hash } = await sheet(table, name, shots);
      now[name] = hash;
      writeFileSync(path.join(out, `${file(name)}.png`), png);
      if ([...hash].filter((bit, i) => bit !== before[name]?.[i]).length > 4) changed.push(name);
    } catch (e) {
      failed.push(`${name}: ${e.message.split('\n')[0]}`);
    }
  }
  writeFileSync(hashes, JSON.stringify({ ...before, ...now }));
  const all = Object.keys({ ...before, ...now });
  writeFileSync(
    path.join(out, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Screens</title><style>body{font:16px sans-serif;margin:24px}img{max-width:100%;border:1px solid #ccc}</style>${all
      .map((n) => `<h2>${n}${changed.includes(n) ? ' (changed)' : ''}</h2><img loading="lazy" src="${file(n)}.png">`)
      .join('')}`,
  );
} finally {
  await browser.close();
  await server.stop();
}
console.log(`${Object.keys(now).length} sheets in ${path.relative(root, out)}; look at: ${changed.join(', ') || 'none changed'}`);
if (failed.length > 0) {
  console.error(failed.join('\n'));
  process.exit(1);
}

function file(name) {
  return name.replace(/[^a-z0-9-]+/gi, '_').replace(/^_|_$/g, '');
}
