// Pages that combine all modules, in every label of the demo: menus, /dashboard, /home and the sections of /account.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../../tools/workspace.mjs';
import { test } from './demo';
import { customers, desktop, expect, type Portal, participants, phone, rows } from './harness';
import { newLabel, waitForLabel } from './new-label';

/** The demo's labels with their configuration. */
const labels = readdirSync(path.join(root, 'labels')).map((key) => {
  const cue = readFileSync(path.join(root, 'labels', key, 'label.cue'), 'utf8');
  return {
    key,
    host: `${key}.localhost`,
    kind: /^kind: "(\w+)"/m.exec(cue)?.[1] as 'customer' | 'participant',
    show: (/^menu: show: \[(.*)\]/m.exec(cue)?.[1]?.match(/[a-z.-]+/g) ?? []) as string[],
    market: /^\tmarketplace:/m.test(cue),
    centered: /header_style: +"centered"/.test(cue),
    notifications: /^\t(notifications:|modules: notifications:)/m.test(cue) && !/inbox: false/.test(cue),
  };
});
const sustainable = ['1024', '1060', '1071'];

interface Entry {
  text: string;
  to: string;
  below?: Entry[];
}
/** Returns the main menu: groups with their heading, items, and nested items. */
const menuOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Hoofdmenu' }).evaluate((nav) => {
    const entries = (list: Element | null): { text: string; to: string; below?: Entry[] }[] =>
      [...(list?.children ?? [])].flatMap((li) => {
        const a = li.querySelector('a');
        const below = li.querySelector('ul');
        const to = a?.getAttribute('href') ?? '';
        return [{ text: a?.textContent?.trim() ?? '', to, ...(below ? { below: entries(below) } : {}) }];
      });
    return [...nav.children].map((group) => ({
      heading: group.querySelector('h2')?.textContent ?? '',
      items: entries(group.querySelector('ul')),
    }));
  });

/** Returns the main menu from the phone's sheet: at other widths, the menu below a centered logo has groups that must be opened. */
async function menuOnPhone(page: Page) {
  await page.setViewportSize(phone);
  await page.reload(); // an open menu closes soon after a change of width
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = await menuOf(page);
  await page.setViewportSize(desktop);
  // the start page is an item only on a phone
  return menu.map((group) => ({ ...group, items: group.items.filter((i) => i.to !== '/dashboard') }));
}
/** The order of the menu in labels without their own order. */
const usualOrder = {
  customer: [
    '/home',
    '/usage',
    '/metermeasuring',
    '/overview',
    '/invoices',
    '/agreements',
    '/periodical-payments',
    '/move',
    '/iban',
  ],
  participant: [
    '/home',
    '/overview',
    '/participation',
    '/offers',
    '/personal-offers',
    '/my-offers',
    '/my-orders',
    '/my-offers/create-offer',
  ],
};
/** Sorts a menu in that order, regardless of the label's own (9-menu-order). */
function inUsualOrder(menu: { heading: string; items: Entry[] }[], kind: keyof typeof usualOrder): typeof menu {
  const order = [...usualOrder[kind], '/usage', '/invoices', '/periodical-payments', '/notifications', '/contact'];
  const rank = ({ to }: Entry) => (order.includes(to) ? order.indexOf(to) : order.length);
  const groups: typeof menu = [];
  const items = menu.flatMap(({ heading, items }) => items.map((item) => ({ heading, item })));
  for (const { heading, item } of items.sort((a, b) => rank(a.item) - rank(b.item))) {
    const last = groups.at(-1);
    if (last?.heading === heading) last.items.push(item);
    else groups.push({ heading, items: [item] });
  }
  return groups;
}

const finance = {
  heading: 'Financieel',
  items: [
    { text: 'Facturen', to: '/invoices' },
    { text: 'Contracten', to: '/agreements' },
    { text: 'Termijnbedrag', to: '/periodical-payments' },
  ],
};
const administrative = {
  heading: 'Regelen',
  items: [
    { text: 'Verhuizen', to: '/move' },
    { text: 'Rekeningnummer', to: '/iban' },
  ],
};
const marketplace = {
  heading: 'Marktplaats',
  items: [
    { text: 'Aanbod', to: '/offers' },
    { text: 'Persoonlijk aanbod', to: '/personal-offers' },
    { text: 'Mijn aanbod', to: '/my-offers' },
    { text: 'Mijn bestellingen', to: '/my-orders' },
    { text: 'Aanbod plaatsen', to: '/my-offers/create-offer' },
  ],
};
const contact = { text: 'Contact', to: '/contact' };
const usage = { text: 'Verbruik', to: '/usage' };
const variants: Record<string, { text: string; to: string }> = {
  'shell.home': { text: 'Start', to: '/home' },
  'usage.metermeasuring': { text: 'Meterstanden', to: '/metermeasuring' },
  'production.overview': { text: 'Opbrengst', to: '/overview' },
};

test(
  rows(
    [
      '2.5-menu-customer',
      '2.5-menu-participant',
      '2.5-menu-participation-sub',
      '2.5-menu-marketplace',
      '2.5-menu-variants',
      '2.5-menu-variants-choice',
      '1-sustainable-labels',
    ],
    'the main menu of every label',
  ),
  async ({ at, page, context }) => {
    await page.setViewportSize(desktop);
    expect(labels.filter((l) => l.kind === 'participant').map((l) => l.key)).toEqual(sustainable);
    expect(new Set(labels.flatMap((l) => l.show)).size, 'labels with variants').toBeGreaterThan(1);
    for (const l of labels) {
      const portal = at(l.host);
      await context.clearCookies();
      await portal.signIn();
      await portal.open('/contact');
      const menu = inUsualOrder(await (l.centered ? menuOnPhone(page) : menuOf(page)), l.kind);
      const where = `label ${l.key}`;
      if (l.kind === 'customer') {
        const has = (id: string) => (l.show.includes(id) ? [variants[id]] : []);
        const shown = Object.values(variants).filter((v) => menu[0]?.items.some((i) => i.to === v.to));
        expect(shown.length, `2.5-menu-variants: ${where}`).toBe(l.show.length);
        expect(menu[0]?.items, `2.5-menu-variants-choice: ${where}`).toEqual([
          ...has('shell.home'),
          usage,
          ...has('usage.metermeasuring'),
          ...has('production.overview'),
        ]);
        expect(menu.slice(1), `2.5-menu-customer: ${where}`).toEqual([
          finance,
          administrative,
          { heading: '', items: [contact] },
        ]);
      } else {
        const home = l.show.includes('shell.home') ? [variants['shell.home']] : [];
        const [share] = menu[0]?.items.slice(home.length + 1) ?? [];
        expect(menu[0]?.items.slice(0, home.length + 1), `2.5-menu-participant: ${where}`).toEqual([
          ...home, // 2.5-menu-variants-choice
          { text: 'Opbrengst', to: '/overview' },
        ]);
        expect(share, `2.5-menu-participation-sub: ${where}`).toEqual({
          text: 'Mijn delen',
          to: '/participation',
          ...(l.key === '1071' ? {} : { below: [{ text: 'Delen verhuizen', to: '/participation/move-shares' }] }),
        });
        expect(menu[1], `2.5-menu-marketplace: ${where}`).toEqual(marketplace);
        // a label's own pages are in addition to the menu of the spec (9-label-pages-places)
        const last = menu.slice(2).flatMap((g) => g.items.filter((i) => !i.to.startsWith('/pages/')));
        expect(last, `2.5-menu-participant: ${where}`).toEqual([
          ...(l.notifications ? [{ text: expect.any(String), to: '/notifications' }] : []),
          contact,
        ]);
        if (l.key === sustainable[0]) {
          // the same member with an energy contract, also if the page is opened directly
          await context.clearCookies();
          await portal.signIn(await portal.customer({ sample: true }));
          await portal.open('/contact');
          await expect(page.getByRole('navigation', { name: 'Hoofdmenu' }).getByRole('link', { name: 'Facturen' })).toBeVisible();
          const supplied = inUsualOrder(await menuOf(page), l.kind);
          expect(supplied.slice(0, 2), `2.5-menu-participant: ${where}`).toEqual(menu.slice(0, 2));
          expect(supplied.slice(2, 4), `2.5-menu-participant: ${where}, with a contract`).toEqual([
            { heading: '', items: [usage] },
            { heading: 'Financieel', items: finance.items.filter((i) => i.to !== '/agreements') },
          ]);
          expect(supplied.slice(4)).toEqual(menu.slice(2));
          for (const to of ['/usage', '/invoices', '/periodical-payments']) {
            await portal.go(to);
            await expect(page, `2.5-menu-participant: ${to}`).toHaveURL(portal.url(to));
          }
        }
      }
      // each leads to a different page
      for (const to of menu.flatMap((g) => g.items.flatMap((i) => [i.to, ...(i.below ?? []).map((b) => b.to)]))) {
        await portal.go(to);
        await expect(page, `${where}: ${to}`).toHaveURL(portal.url(to));
      }
      await expect(
        page.locator('header').getByRole('button', { name: /winkelmand/i }),
        `1-sustainable-labels: ${where}`,
      ).toHaveCount(sustainable.includes(l.key) ? 1 : 0);
    }
  },
);

test(
  rows(
    ['2.5-menu-variants', '2.5-menu-variants-choice', '2.5-menu-marketplace-labels', '2.1-quickstart-modules', '9-home-greeting'],
    'menus by configuration: all variants, no marketplace, no moves',
  ),
  async ({ at, page, context, labels: folder }, info) => {
    const unique = `w${info.parallelIndex}r${info.repeatEachIndex}`;
    const one = `variants-${unique}`;
    const other = `plain-${unique}`;
    const undo = [
      newLabel(folder, one, '1042', (cue) =>
        cue
          .replace('\tusage: {}', '\tusage: {}\n\tproduction: {}')
          .replace('\nmodules: {', '\nmenu: show: ["shell.home", "usage.metermeasuring", "production.overview"]\n\nmodules: {'),
      ),
      newLabel(folder, other, '1060', (cue) =>
        cue
          .replace(/^\tmarketplace: .*$/m, '')
          .replace(/^\t(move|onboarding): .*$/gm, '')
          .replace(/^changes: .*$/m, ''),
      ),
    ];
    try {
      let portal = at(`${one}.localhost`);
      await waitForLabel(portal);
      await portal.signIn();
      await portal.open('/home');
      await expect(page, '2.5-menu-variants').toHaveURL(/\/home$/);
      await expect(portal.heading(), '9-home-greeting').toHaveText(/^Goede(morgen|middag|navond), \S/);
      expect((await menuOf(page))[0]?.items, '2.5-menu-variants-choice').toEqual([
        variants['shell.home'],
        usage,
        variants['usage.metermeasuring'],
        variants['production.overview'],
      ]);

      portal = at(`${other}.localhost`);
      await waitForLabel(portal);
      await context.clearCookies();
      await portal.signIn();
      await portal.open('/contact');
      const menu = await menuOf(page);
      expect(menu.map((g) => g.heading).filter(Boolean), '2.5-menu-marketplace-labels').toEqual([]);
      expect(menu.flatMap((g) => g.items.map((i) => i.to))).toEqual(['/overview', '/notifications', '/contact']);
      await portal.open('/dashboard');
      const quick = page.getByRole('region', { name: 'Regel het zelf' }).getByRole('link');
      await expect(quick.first()).toBeVisible();
      expect(await quick.evaluateAll((all) => all.map((a) => a.getAttribute('href'))), '2.1-quickstart-modules').toEqual([
        '/agreements',
        '/account',
        '/periodical-payments',
        '/invoices',
      ]);
    } finally {
      for (const u of undo) u();
    }
  },
);

test(
  rows(
    ['2.1-dashboard-quickstart', '2.1-dashboard-latest-invoices', '2.1-quickstart-modules', '9-quickstart-tasks'],
    'quick start and latest invoices, on every label',
  ),
  async ({ at, page, context }) => {
    await page.setViewportSize(desktop);
    for (const l of labels) {
      const portal = at(l.host);
      await context.clearCookies();
      await portal.signIn(await portal.customer({ sample: true }));
      await portal.open('/dashboard');
      const quick = page.getByRole('region', { name: 'Regel het zelf' });
      await expect(quick.getByRole('link')).toHaveCount(5); // the tile is drawn after those at the top
      const links = await quick.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      const routes = await page.evaluate(() => {
        const { remotes } = JSON.parse(document.getElementById('portal')?.textContent ?? '{}') as {
          remotes: { manifest: { routes: { path: string }[] } }[];
        };
        return remotes.flatMap((r) => r.manifest.routes.map((route) => route.path));
      });
      expect(routes, `2.1-quickstart-modules: ${l.key}`).toEqual(expect.arrayContaining(links.map((to) => to ?? '')));
      expect(links, `2.1-dashboard-quickstart: ${l.key}`).toEqual([
        '/agreements',
        '/account',
        '/periodical-payments',
        '/move',
        '/invoices',
      ]);
      expect(await quick.getByRole('link').allInnerTexts(), `9-quickstart-tasks: ${l.key}`).toEqual([
        'Contract bekijken',
        'Gegevens wijzigen',
        'Termijnbedrag wijzigen',
        'Verhuizing doorgeven',
        'Factuur downloaden',
      ]);
      const tops = await quick.getByRole('link').evaluateAll((all) => all.map((a) => Math.round(a.getBoundingClientRect().top)));
      expect(new Set(tops).size, `9-quickstart-tasks: one row, ${l.key}`).toBe(1);
      for (const to of links) {
        await quick.locator(`a[href="${to}"]`).click();
        await expect(page, `2.1-dashboard-quickstart: ${l.key}`).toHaveURL(new RegExp(`${to}(\\?.*)?$`));
        await page.goBack();
      }
      const latest = page.getByRole('region', { name: 'Laatste facturen' });
      await expect(latest.getByRole('listitem').first(), `2.1-dashboard-latest-invoices: ${l.key}`).toContainText('29-11-2026');
      await latest.getByRole('link', { name: 'Alle facturen' }).click();
      await expect(page, `2.1-dashboard-latest-invoices: ${l.key}`).toHaveURL(portal.url('/invoices'));
    }
  },
);

/** Returns the edges of what is on the page, and the rows of tiles from left to right and from top to bottom, in pixels. */
const tiles = (page: Page) =>
  page.locator('[data-tile]:visible').evaluateAll((all) => {
    const box = (e: Element) => {
      const r = e.getBoundingClientRect();
      return { left: Math.round(r.left), right: Math.round(r.right), top: Math.round(r.top), bottom: Math.round(r.bottom) };
    };
    const lines = new Map<number, ReturnType<typeof box>[]>();
    for (const tile of all) {
      const b = box(tile.firstElementChild ?? tile);
      lines.set(b.top, [...(lines.get(b.top) ?? []), b]);
    }
    const page = document.querySelector('main [data-width]');
    if (!page) throw new Error('the page has no column');
    const { paddingLeft, paddingRight } = getComputedStyle(page);
    const { left, right } = page.getBoundingClientRect();
    const whole = {
      left: Math.round(left + Number.parseFloat(paddingLeft)),
      right: Math.round(right - Number.parseFloat(paddingRight)),
    };
    const gap = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--w-gap'));
    return { whole, gap, lines: [...lines.values()] };
  });

test(
  rows(
    ['2.1-home-content', '2.1-home-1060', '9-home-no-holes', '9-home-quiet'],
    '/home of every label has full rows at any width',
  ),
  async ({ at, page, context }) => {
    const widths = [1920, 1440, 1280, 1100, 1099, 1000, 900, 800, 768, 600, 480, 390, 320];
    const every = [customers, participants, '1060.localhost'];
    const names = ['Laatste meting', 'Laatste facturen', 'Contactgegevens', 'Klantenservice', 'Ga je verhuizen?'];
    for (const l of labels) {
      const portal = at(l.host);
      await context.clearCookies();
      await page.setViewportSize(desktop);
      const who = await portal.customer({ sample: true });
      await portal.signIn(who);
      // the customer has consented to daily values
      await portal.open('/home');
      await expect(page, '2.5-menu-variants').toHaveURL(/\/home$/);
      await expect(page.locator('[data-tile]').last()).toBeVisible();
      // in 1071 the latest bills come first
      const ordered = ['Laatste facturen', 'Laatste meting', ...names.slice(2)];
      const shown = l.key === '1060' ? names.slice(2) : l.key === '1071' ? ordered : names;
      const titles = page.locator('[data-tile] h2');
      await expect(titles, `${l.key === '1060' ? '2.1-home-1060' : '2.1-home-content'}: ${l.key}`).toHaveText(shown);
      const tile = (name: string) => page.getByRole('region', { name });
      await expect(tile('Contactgegevens'), '2.1-home-content').toContainText(who.debtor_number);
      await expect(tile('Contactgegevens'), '2.1-home-content').toContainText(/06[\d ]{8,}/);
      await expect(tile('Klantenservice').getByRole('link', { name: /@/ }), '2.1-home-content').toBeVisible();
      await expect(tile('Ga je verhuizen?').getByRole('link'), '2.1-home-content').toHaveAttribute('href', '/move');
      for (const name of names) {
        if (!shown.includes(name)) continue;
        const look = await tile(name).evaluate((e) => [getComputedStyle(e).borderLeftWidth, getComputedStyle(e).fontSize]);
        const quiet = ['Contactgegevens', 'Klantenservice', 'Ga je verhuizen?'].includes(name);
        expect(look, `9-home-quiet: ${l.key} ${name}`).toEqual(quiet ? ['0px', '14px'] : ['1px', '16px']);
      }
      if (l.key !== '1060') {
        await expect(tile('Laatste meting').getByRole('listitem'), `2.1-home-content: ${l.key}`).toHaveText([
          /^Stroom.*\d/s,
          /^Gas.*\d/s,
        ]);
        await expect(tile('Laatste facturen').getByRole('listitem').first(), `2.1-home-content: ${l.key}`).toContainText('€');
      }
      for (const to of ['/home', '/dashboard']) {
        await page.setViewportSize(desktop);
        await portal.open(to);
        await expect(page.locator('[data-tile]').last()).toBeVisible();
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        // the label chooses the tiles, but all labels share the layout: only one label of each kind is checked at every width
        for (const width of every.includes(l.host) ? widths : [1280, 900, 390]) {
          if (to === '/dashboard' && width < 768) continue; // an accordion at this width
          await page.setViewportSize({ width, height: 900 });
          await expect(async () => {
            const { whole, gap, lines } = await tiles(page);
            expect(lines.length).toBeGreaterThan(0);
            for (const line of lines) {
              line.sort((a, b) => a.left - b.left);
              const where = `9-home-no-holes: ${l.key} ${to} at ${width}`;
              expect(Math.abs((line[0]?.left ?? -9) - (whole?.left ?? 0)), where).toBeLessThanOrEqual(1);
              expect(Math.abs((line.at(-1)?.right ?? -9) - (whole?.right ?? 0)), where).toBeLessThanOrEqual(1);
              for (const [i, b] of line.entries()) {
                expect(Math.abs(b.bottom - (line[0]?.bottom ?? 0)), where).toBeLessThanOrEqual(1);
                const before = line[i - 1];
                if (before) expect(Math.abs(b.left - before.right - gap), where).toBeLessThanOrEqual(1);
              }
            }
          }).toPass({ timeout: 20_000 });
        }
      }
    }
    await page.setViewportSize(desktop);
    await portalAccessible(at(participants));
  },
);

const portalAccessible = async (portal: Portal) => {
  await portal.signIn(await portal.customer({ sample: true }));
  await portal.open('/home');
  await portal.accessible();
};

test(
  rows(
    ['2.1-account-sections', '6-sustainable-account-sections', '6-sections-reconcile', '1-sustainable-labels'],
    'the sections of /account, on every label',
  ),
  async ({ at, page, context }) => {
    await page.setViewportSize(desktop);
    const always = ['Contactgegevens', 'Bedrijf', 'Privacy', 'Betaalgegevens', 'Wachtwoord', 'Waar je bent ingelogd'];
    for (const l of labels) {
      const portal = at(l.host);
      await context.clearCookies();
      await portal.signIn(await portal.customer({ sample: true, company: true, addresses: 2 }));
      const asked: string[] = [];
      page.on('request', (r) => asked.push(new URL(r.url()).pathname));
      await portal.open('/account');
      const section = (name: string) => page.getByRole('region', { name, exact: true });
      for (const name of always) await expect(section(name), `2.1-account-sections: ${l.key} ${name}`).toBeVisible();
      const market = sustainable.includes(l.key);
      for (const name of ['Mijn bestellingen', 'Delen die verhuizen'])
        await expect(section(name), `1-sustainable-labels: ${l.key} ${name}`).toHaveCount(market ? 1 : 0);
      await expect(section('Leveringsadressen'), `6-sections-reconcile: ${l.key}`).toHaveCount(market ? 0 : 1);
      await expect(section('Betaalgegevens'), `6-sustainable-account-sections: ${l.key}`).toContainText(/\d{4}$|•|\*/m);
      expect(
        asked.some((p) => p.endsWith('/bankAccountDetails')),
        `6-sustainable-account-sections: ${l.key} takes payment data from the relation`,
      ).toBe(!market);
      page.removeAllListeners('request');
    }
  },
);

test(rows('1-special-texts-labels', 'only 1024 and 1071 have their own texts'), async ({ at, page }) => {
  for (const l of labels) {
    await page.goto(at(l.host).url('/'));
    const own = await page.evaluate(
      () =>
        (
          JSON.parse(document.getElementById('portal')?.textContent ?? '{}') as {
            messages: Record<string, Record<string, string>>;
          }
        ).messages,
    );
    const has = ['1024', '1071'].includes(l.key);
    for (const locale of ['nl', 'en'])
      expect(Object.keys(own[locale] ?? {}).length > 0, `1-special-texts-labels: ${l.key} ${locale}`).toBe(has);
  }
  // two labels show their own variant, the third the general one
  const textsByLabel = new Map<string, string>();
  for (const key of sustainable) {
    const portal = at(`${key}.localhost`);
    await page.context().clearCookies();
    await portal.signIn(await portal.customer({ sample: true }));
    await portal.open('/my-offers/create-offer');
    const sheet = page.getByRole('dialog');
    await sheet.locator('input[value="transfer"]').check({ force: true });
    const text = sheet.getByText(/actief stroomcontract/);
    await expect(text).toBeVisible();
    textsByLabel.set(key, (await text.textContent()) ?? '');
  }
  expect(new Set(textsByLabel.values()).size, '1-special-texts-labels').toBe(3);
  expect(textsByLabel.get('1024')).toContain('Polderwiek');
  expect(textsByLabel.get('1071')).toContain('Gildekracht');
});

test(
  rows('1-customer-domains', 'all tasks of a customer can be reached from the first screens'),
  async ({ at, portal, page }) => {
    await page.setViewportSize(phone);
    await portal.signIn(await portal.customer({ sample: true }));
    await portal.open('/dashboard');
    const follow = async (to: string, shows: string | RegExp) => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog').locator(`a[href="${to}"]`).click();
      await expect(page, `1-customer-domains: ${to}`).toHaveURL(new RegExp(`${to}(\\?.*)?$`));
      await expect(page.locator('main').getByText(shows).first(), `1-customer-domains: ${to}`).toBeVisible();
    };
    await follow('/agreements', /Contractnummer/);
    await follow('/invoices', /Termijn|Jaarafrekening/);
    await follow('/usage', /kWh/);
    await follow('/periodical-payments', /per maand/);
    await expect(page.getByRole('link', { name: 'Bedrag wijzigen' }).first()).toBeVisible();
    await follow('/move', /Welk contract|Waar ga je/);
    await page.getByRole('link', { name: 'Stoppen en teruggaan' }).click(); // the form has no menu on a phone
    await follow('/iban', /Rekeningnummer/);
    await follow('/contact', /Klantenservice/);
    await expect(page.getByRole('button', { name: 'Versturen' })).toBeVisible();
    await follow('/account', /Contactgegevens/);
    await page.getByRole('region', { name: 'Wachtwoord' }).getByRole('button').first().click();
    for (const what of ['E-mailadres', 'Telefoonnummer', 'Gebruikersnaam', 'Wachtwoord'])
      await expect(page.getByRole('button', { name: `${what} wijzigen` }), `1-customer-domains: ${what}`).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Privacy' }).getByRole('button').first(),
      '1-customer-domains: consent',
    ).toBeVisible();
    const informed = labels.find((l) => l.notifications);
    if (!informed) return;
    await page.context().clearCookies();
    const other = at(informed.host);
    await other.signIn();
    await other.open('/account');
    await follow('/notifications', /./);
  },
);
