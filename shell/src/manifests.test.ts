// Menus and quick start composed from the remotes of this repository, as in the portal.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Remote } from '@wattle/sdk';
import { type Manifest, manifestOf } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { createIntl } from 'react-intl';
import { beforeAll, expect } from 'vitest';
import {
  barOf,
  compose,
  type MenuSettings,
  matches,
  menuOf,
  overlayAt,
  type Place,
  parentOf,
  quickStartOf,
  slotItems,
} from './compose';
import { isOpen } from './open-paths';
import { routeTables } from './routes';

const remotes = path.join(import.meta.dirname, '../../remotes');
const all: Manifest[] = [];
beforeAll(async () => {
  for (const key of readdirSync(remotes)) {
    const folder = path.join(remotes, key, 'src');
    const { default: remote } = (await import(path.join(folder, 'remote.ts'))) as { default: Remote };
    const texts = (locale: string) =>
      JSON.parse(readFileSync(path.join(folder, `messages/${locale}.json`), 'utf8')) as Record<string, string>;
    all.push(manifestOf(remote, '1', { nl: texts('nl'), en: texts('en') }));
  }
});

type Kind = Place['kind'];
const composed = (kind: Kind, modules: readonly string[], settings = {}) =>
  compose(
    all.filter((m) => modules.includes(m.key)),
    { kind, mobile: false, settings },
  );
row('2.1-signed-in-guard', 'of all pages of all remotes only the public ones open without a session', () => {
  for (const kind of ['customer', 'participant'] as const) {
    const c = composed(
      kind,
      all.map((m) => m.key),
    );
    const seen = { public: 0, others: 0 };
    const own = ['/', '/dashboard', '/home', '/notfound'].map((path) => ({ path, access: 'customer' }));
    for (const { path, access } of [...own, ...c.routes]) {
      seen[access === 'public' ? 'public' : 'others']++;
      expect(isOpen(path.replace(/:\w+/g, '1'), c, { demo: false }), `${kind} ${path}`).toBe(access === 'public');
    }
    for (const o of c.overlays)
      expect(isOpen([o.parent, o.name, ...(o.params ?? [])].join('/'), c, { demo: false }), `${kind} ${o.name}`).toBe(false);
    expect(seen.public, kind).toBeGreaterThan(4);
    expect(seen.others, kind).toBeGreaterThan(15);
  }
});

row('2.3-account-routes-reconcile', 'are overlays with a fixed parent, above any view, and no pages', () => {
  const c = composed('participant', market);
  const { known } = routeTables(c, { demo: false, hasHome: true, role: 'customer' });
  const fixed = [
    ['/account', 'change-email-address', []],
    ['/account', 'change-phonenumber', []],
    ['/account', 'change-username', []],
    ['/account', 'change-account-password', []],
    ['/periodical-payments', 'update', ['A-1']],
    ['/periodical-payments', 'monthly-amount-info', []],
    ['/participation', 'move-shares', []],
  ] as const;
  for (const [parent, name, params] of fixed) {
    const path = [parent, name, ...params].join('/');
    const open = overlayAt(path, c.overlays);
    expect(open?.overlay, path).toMatchObject({ name, parent });
    expect(
      c.routes.some((r) => matches(r.path, path)),
      `${path} is a page`,
    ).toBe(false);
    if (open) expect(parentOf(open, known), path).toBe(parent);
    const elsewhere = overlayAt(['/home', name, ...params].join('/'), c.overlays);
    expect(elsewhere?.overlay, `/home/${name}`).toBe(open?.overlay);
    if (elsewhere) expect(parentOf(elsewhere, known), `/home/${name}`).toBe('/home');
    const nowhere = overlayAt(['/no-view', name, ...params].join('/'), c.overlays);
    if (nowhere) expect(parentOf(nowhere, known), `/no-view/${name}`).toBe(parent);
  }
  const changes = c.overlays.filter((o) => o.parent === '/account' && o.name.startsWith('change-')).map((o) => o.name);
  expect(changes.sort()).toEqual(['change-account-password', 'change-email-address', 'change-phonenumber', 'change-username']);
});

/** Returns the groups with the paths of their items and nested items. Some labels have messages in the menu. */
const menu = (
  kind: Kind,
  modules: readonly string[],
  settings = {},
  show: readonly string[] = [],
  filled: readonly string[] = [],
) =>
  menuOf(composed(kind, modules, settings).menu, kind, 'customer', { show }, [], filled).map((g) => ({
    ...(g.group ? { group: g.group } : {}),
    items: g.items.map((i) => (i.children.length > 0 ? [i.to, ...i.children.map((c) => c.to)] : i.to)),
  }));

const energy = ['account', 'billing', 'usage', 'move', 'onboarding'];
const market = [...energy, 'production', 'marketplace'];
const finance = { group: 'finance', items: ['/invoices', '/agreements', '/periodical-payments'] };
const administrative = { group: 'administrative', items: ['/move', '/iban'] };
const trade = {
  group: 'marketplace',
  items: ['/offers', '/personal-offers', '/my-offers', '/my-orders', '/my-offers/create-offer'],
};

row(
  '1-customer-domains',
  'of a label with all modules the menu leads a customer to each domain, and the account page to the rest',
  () => {
    const domains = [
      '/agreements',
      '/invoices',
      '/usage',
      '/overview', // production
      '/iban',
      '/periodical-payments',
      '/move',
      '/notifications',
      '/contact',
    ];
    const every = all.map((m) => m.key);
    const c = composed('customer', every, { notifications: { inbox: true } });
    const shown = menuOf(c.menu, 'customer', 'customer', { show: ['production.overview'] }, [], []).flatMap((g) => g.items);
    const paths = shown.map((i) => i.to);
    for (const to of domains) {
      expect(paths, to).toContain(to);
      expect(c.routes.find((r) => r.path === to)?.access ?? 'customer', to).toBe('customer');
    }
    expect(c.routes.some((r) => r.path === '/account' && (r.access ?? 'customer') === 'customer')).toBe(true);
    expect(c.overlays.filter((o) => o.parent === '/account').map((o) => o.name)).toEqual(
      expect.arrayContaining(['change-email-address', 'change-phonenumber', 'change-username', 'change-account-password']),
    );
  },
);

row('2.5-menu-customer', 'usage, finance, administrative, contact', () => {
  expect(menu('customer', energy)).toEqual([{ items: ['/usage'] }, finance, administrative, { items: ['/contact'] }]);
});

row(
  ['2.5-menu-variants', '2.5-menu-variants-choice'],
  'meter readings and production history where the label asks for them',
  () => {
    const wide = [...energy, 'production'];
    expect(menu('customer', wide)[0]).toEqual({ items: ['/usage'] });
    expect(menu('customer', wide, {}, ['usage.metermeasuring'])[0]).toEqual({ items: ['/usage', '/metermeasuring'] });
    expect(menu('customer', wide, {}, ['production.overview', 'usage.metermeasuring'])[0]).toEqual({
      items: ['/usage', '/metermeasuring', '/overview'],
    });
    expect(menu('participant', market, {}, ['usage.metermeasuring'])).toEqual(menu('participant', market));
    // the pages exist, even if the menu does not show them
    for (const to of ['/metermeasuring', '/overview'])
      expect(
        composed('customer', wide).routes.map((r) => r.path),
        to,
      ).toContain(to);
  },
);

row(['2.5-menu-participant', '2.5-menu-participation-sub', '2.5-menu-marketplace'], 'the menu of participants', () => {
  const tree = menu('participant', market);
  expect(tree).toEqual([
    { items: ['/overview', ['/participation', '/participation/move-shares']] },
    trade,
    { items: ['/contact'] },
  ]);
  const supplied = menu('participant', market, {}, [], ['/agreements']);
  expect(supplied, '2.5-menu-participant').toEqual([
    ...tree.slice(0, 2),
    { items: ['/usage'] },
    { group: 'finance', items: ['/invoices', '/periodical-payments'] },
    { items: ['/contact'] },
  ]);
  expect(menu('customer', energy, {}, [], ['/agreements'])).toEqual(menu('customer', energy));
  const single = menu('participant', market, { marketplace: { participation_single_link: true } });
  expect(single[0], '2.5-menu-participation-sub').toEqual({ items: ['/overview', '/participation'] });
  expect(single.slice(1)).toEqual(tree.slice(1));
});

row('1-label-type', 'with the same modules the main menu follows from the kind', () => {
  const modules = [...energy, 'production'];
  expect(menu('customer', modules)).toEqual([{ items: ['/usage'] }, finance, administrative, { items: ['/contact'] }]);
  expect(menu('participant', modules)).toEqual([{ items: ['/overview', '/contact'] }]);
});

row('2.5-menu-marketplace-labels', 'participants of a label without a marketplace have no submenu', () => {
  expect(menu('participant', [...energy, 'production'])).toEqual([{ items: ['/overview', '/contact'] }]);
});

row('9-phone-bar', 'three items: those that the label names, then the first of the menu', () => {
  const bar = (kind: Kind, modules: readonly string[], named: readonly string[] = [], show: readonly string[] = []) =>
    barOf(menuOf(composed(kind, modules).menu, kind, 'customer', { show }), named).map((i) => i.to);
  expect(bar('customer', energy)).toEqual(['/usage', '/invoices', '/agreements']);
  expect(bar('participant', market), 'without what is nested').toEqual(['/overview', '/participation', '/offers']);
  expect(bar('customer', energy, ['account.contact', 'billing.invoices'])).toEqual(['/contact', '/invoices', '/usage']);
  expect(bar('participant', market, ['marketplace.move-shares', 'marketplace.my-orders', 'account.contact'])).toEqual([
    '/participation/move-shares',
    '/my-orders',
    '/contact',
  ]);
  // an optional item only if the menu begins with it, such as home where members land, or if the label lists it here too
  const home = { id: 'home', to: '/home', module: 'shell', label: { id: 'h', defaultMessage: 'h' } } as const;
  const withHome = (kind: Kind, modules: readonly string[], order: number) => {
    const place = { [kind]: { order, optional: true } };
    const all = [{ ...home, place }, ...composed(kind, modules).menu];
    return barOf(menuOf(all, kind, 'customer', { show: ['shell.home'] })).map((i) => i.to);
  };
  expect(withHome('participant', market, 1), '9-phone-bar: home first').toEqual(['/home', '/overview', '/participation']);
  expect(withHome('customer', energy, 21)).toEqual(['/usage', '/invoices', '/agreements']);
  // items that are not in the menu are skipped
  expect(bar('customer', energy, [], ['usage.metermeasuring'])).toEqual(['/usage', '/invoices', '/agreements']);
  expect(bar('customer', energy, ['usage.metermeasuring'], ['usage.metermeasuring'])[0]).toBe('/metermeasuring');
  expect(bar('customer', energy, ['usage.metermeasuring', 'gone.item'])).toEqual(['/usage', '/invoices', '/agreements']);
});

row('9-menu-short', 'in the bar of a phone every item has at most 11 characters, in both languages', () => {
  const shell = (locale: string) => JSON.parse(readFileSync(path.join(import.meta.dirname, `messages/${locale}.json`), 'utf8'));
  let short = 0;
  for (const locale of ['nl', 'en'] as const) {
    for (const m of all)
      for (const item of m.menu) {
        const text = m.titles[locale][(item.short ?? item.label).id] ?? '';
        expect(text.length, `${locale} ${item.id}: ${text}`).toBeGreaterThan(0);
        expect(text.length, `${locale} ${item.id}: ${text}`).toBeLessThanOrEqual(11);
        if (item.short) short++;
      }
    for (const id of ['shell.dashboard.title', 'shell.home.title']) expect(shell(locale)[id].length, id).toBeLessThanOrEqual(11);
  }
  expect(short).toBeGreaterThan(10);
  const staff = barOf(menuOf(composed('customer', [...energy, 'staff']).menu, 'customer', 'staff'));
  expect(staff.map((i) => (i.short ?? i.label).defaultMessage)).toEqual(['To do', 'Changes', 'Applicants']);
});

/** Returns the menu groups of a label with menu settings. */
const labelMenu = (kind: Kind, modules: readonly string[], settings: MenuSettings, role: 'customer' | 'staff' = 'customer') =>
  menuOf(composed(kind, modules).menu, kind, role, settings).map((g) => ({
    ...(g.group ? { group: g.group } : {}),
    items: g.items.map((i) => (i.children.length > 0 ? [i.to, ...i.children.map((c) => c.to)] : i.to)),
  }));

row('9-menu-order', 'what the label names comes first, in its order; groups and nested items stay together', () => {
  expect(labelMenu('customer', energy, { order: ['account.contact', 'billing.iban', 'billing.agreements'] })).toEqual([
    { items: ['/contact'] },
    { group: 'administrative', items: ['/iban', '/move'] },
    { group: 'finance', items: ['/agreements', '/invoices', '/periodical-payments'] },
    { items: ['/usage'] },
  ]);
  expect(labelMenu('participant', market, { order: ['marketplace.move-shares', 'marketplace.participation'] })[0]).toEqual({
    items: [['/participation', '/participation/move-shares'], '/overview'],
  });
  expect(
    labelMenu('customer', energy, { show: ['usage.metermeasuring'], order: ['usage.metermeasuring', 'gone.item'] })[0]?.items,
  ).toEqual(['/metermeasuring', '/usage']);
  for (const nothing of [{}, { order: [] }]) expect(labelMenu('customer', energy, nothing)).toEqual(menu('customer', energy));
  const staff = [...energy, 'staff'];
  expect(labelMenu('customer', staff, { order: ['staff.staff-log'] }, 'staff')).toEqual(
    labelMenu('customer', staff, {}, 'staff'),
  );
});

row('9-menu-hide', 'what the label hides is not in the menu and is a page still; what is below it moves up', () => {
  const hide = ['billing.invoices', 'billing.agreements', 'billing.periodical-payments', 'account.contact'];
  expect(labelMenu('customer', energy, { hide })).toEqual([{ items: ['/usage'] }, administrative]);
  for (const to of ['/invoices', '/agreements', '/periodical-payments', '/contact'])
    expect(
      composed('customer', energy).routes.map((r) => r.path),
      to,
    ).toContain(to);
  expect(labelMenu('participant', market, { hide: ['marketplace.participation'] })[0]?.items).toEqual([
    '/overview',
    '/participation/move-shares',
  ]);
  const bar = barOf(menuOf(composed('customer', energy).menu, 'customer', 'customer', { hide }), ['billing.invoices']);
  expect(bar.map((i) => i.to)).toEqual(['/usage', '/move', '/iban']);
  const staff = [...energy, 'staff'];
  const ofStaff = labelMenu('customer', staff, {}, 'staff');
  expect(ofStaff.length).toBeGreaterThan(0);
  expect(labelMenu('customer', staff, { hide: ['staff.staff-start', 'staff.staff-log'] }, 'staff')).toEqual(ofStaff);
});

row('9-dashboard-order', 'a label orders and hides the tiles of modules and of the portal itself', () => {
  const at: Place = { kind: 'customer', mobile: false, settings: {} };
  const names = (slot: 'dashboard' | 'home' | 'account', settings = {}) =>
    slotItems(
      slot,
      all.filter((m) => energy.includes(m.key)),
      at,
      settings,
      'customer',
      true,
    ).map((i) => `${i.module}.${i.id}`);
  const usual = [
    'billing.open',
    'usage.month',
    'shell.attention',
    'billing.term-amount',
    'billing.latest',
    'shell.quick-start',
    'shell.promo',
    'account.service',
  ];
  expect(names('dashboard')).toEqual(usual);
  const order = ['shell.quick-start', 'account.service', 'shell.promo'];
  expect(names('dashboard', { order, hide: ['shell.attention', 'usage.month'] })).toEqual([
    ...order,
    'billing.open',
    'billing.term-amount',
    'billing.latest',
  ]);
  for (const slot of ['home', 'account'] as const) {
    expect(names(slot)).toContain('shell.promo');
    expect(names(slot), slot).not.toEqual(expect.arrayContaining([expect.stringMatching(/^shell\.(attention|quick-start)$/)]));
    expect(names(slot, { order: ['shell.promo'] })[0]).toBe('shell.promo');
    expect(names(slot, { hide: ['shell.promo'] })).toEqual(names(slot).filter((name) => name !== 'shell.promo'));
  }
});

row('9-promo-close', 'is below what the modules have on /home and the account page, unless the label orders it otherwise', () => {
  const names = (slot: 'home' | 'account', settings = {}) =>
    slotItems(slot, all, { kind: 'participant', mobile: false, settings: {} }, settings, 'customer', true).map(
      (i) => `${i.module}.${i.id}`,
    );
  for (const slot of ['home', 'account'] as const) {
    expect(names(slot).length, slot).toBeGreaterThan(3);
    expect(names(slot).at(-1), slot).toBe('shell.promo');
    const [first = ''] = names(slot);
    expect(names(slot, { order: [first, 'shell.promo'] }).indexOf('shell.promo'), slot).toBe(1);
  }
});

row('2.1-quickstart-modules', 'lists only pages that the label has, whatever its modules', () => {
  const wanted = ['/agreements', '/account', '/periodical-payments', '/move', '/invoices'];
  const optional = ['account', 'billing', 'move', 'usage', 'production', 'marketplace'];
  const seen = new Set<string>();
  for (let set = 0; set < 2 ** optional.length; set++)
    for (const kind of ['customer', 'participant'] as const) {
      const modules = optional.filter((_, i) => set & (2 ** i));
      const c = composed(kind, modules);
      const quick = quickStartOf(c).map((q) => q.to);
      expect(quick, modules.join()).toEqual(wanted.filter((to) => c.routes.some((r) => r.path === to)));
      for (const to of quick) seen.add(to);
    }
  expect([...seen].sort()).toEqual([...wanted].sort());
  expect(quickStartOf(composed('customer', [])).length).toBe(0);
  expect(quickStartOf(composed('customer', ['account', 'billing'])).map((q) => q.to)).not.toContain('/move');
});

row(
  '9-quickstart-tasks',
  'each row says what one does there, in both languages, and not the name of the page in the menu',
  () => {
    const c = composed('customer', energy);
    for (const locale of ['nl', 'en'] as const) {
      const messages = JSON.parse(readFileSync(path.join(import.meta.dirname, `messages/${locale}.json`), 'utf8'));
      const intl = createIntl({ locale, messages });
      const tasks = quickStartOf(c).map(({ to }) => intl.formatMessage({ id: 'shell.quick_start.task' }, { to: to.slice(1) }));
      expect(new Set(tasks).size, locale).toBe(5);
      expect(tasks[2], 'changing the monthly amount').toBe(
        { nl: 'Termijnbedrag wijzigen', en: 'Change your monthly amount' }[locale],
      );
      const pages = all.flatMap((m) =>
        m.menu.flatMap((i) => [i.label, i.short ?? i.label].map(({ id }) => m.titles[locale][id])),
      );
      expect(pages.length).toBeGreaterThan(20);
      for (const task of tasks) expect(pages, locale).not.toContain(task);
    }
  },
);

row('2.1-home-1060', 'a label can hide the invoices and the usage of /home, and nothing else', () => {
  const at: Place = { kind: 'participant', mobile: false, settings: {} };
  const ids = (hide: readonly string[]) => slotItems('home', all, at, { hide }, 'customer').map((i) => `${i.module}.${i.id}`);
  const whole = ids([]);
  expect(whole).toEqual(
    expect.arrayContaining(['usage.latest', 'billing.latest', 'account.contact-info', 'account.service', 'move.teaser']),
  );
  expect(ids(['billing.latest', 'usage.latest'])).toEqual(whole.filter((id) => !['billing.latest', 'usage.latest'].includes(id)));
});

row('6-sustainable-account-sections', 'with a market the account page has orders, payment data and moves, in this order', () => {
  const at: Place = { kind: 'participant', mobile: false, settings: {} };
  const sections = (modules: readonly string[]) =>
    slotItems(
      'account',
      all.filter((m) => modules.includes(m.key)),
      at,
      {},
      'customer',
    ).map((i) => `${i.module}.${i.id}`);
  const ofMarket = ['marketplace.orders', 'billing.payment-details', 'marketplace.moves'];
  expect(sections(market).filter((id) => ofMarket.includes(id))).toEqual(ofMarket);
  expect(sections(energy).filter((id) => ofMarket.includes(id))).toEqual(['billing.payment-details']);
});

row(['9-account-landing', '9-glance-due'], 'members see their shares at a glance; overdue invoices are due before orders', () => {
  const names = (slot: 'account.top' | 'due', kind: Kind = 'participant') =>
    slotItems(slot, all, { kind, mobile: false, settings: {} }, {}, 'customer').map((i) => `${i.module}.${i.id}`);
  expect(names('account.top')).toEqual(['production.glance']);
  expect(names('due'), '9-glance-due').toEqual(['billing.invoices', 'marketplace.to-pay']);
  expect(names('due', 'customer'), 'customers have the tile of the dashboard').not.toContain('billing.invoices');
});
