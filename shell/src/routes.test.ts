import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { expect } from 'vitest';
import { compose, matches } from './compose';
import { fallbackOf, landingOf, routeTables } from './routes';

const title = { id: 'm.t', defaultMessage: 'T' };
const manifest = {
  key: 'm',
  contract: 1,
  version: '1',
  routes: [
    { path: '/account', title },
    { path: '/bills/:id', title },
    { path: '/market', title, needs: { kind: 'participant' } },
    { path: '/brochure/:year', title, access: 'public' },
    { path: '/desk', title, access: 'staff' },
  ],
  menu: [],
  overlays: [],
  slots: {},
  titles: { nl: {}, en: {} },
} as unknown as Manifest;

row('2.1-unknown-path', 'a path that no page of this label matches leads to the landing page of its kind, in both kinds', () => {
  for (const [kind, landing, ownPages] of [
    ['customer', '/dashboard', ['/account', '/bills/7', '/dashboard', '/home', '/notfound']],
    ['participant', '/account', ['/account', '/bills/7', '/market', '/dashboard', '/home', '/notfound']],
  ] as const) {
    // Only the manifest is available: the remote's code has not been loaded, but its paths are defined.
    const c = compose([manifest], { kind, mobile: false, settings: {} });
    const t = routeTables(c, { demo: false, hasHome: true, role: 'customer' });
    expect(landingOf(t, landing, 'customer'), kind).toBe(landing);
    const pages = [
      '/account',
      '/bills/7',
      '/market',
      '/dashboard',
      '/home',
      '/notfound',
      '/desk',
      '/bills',
      '/bills/7/8',
      '/nothing',
    ];
    expect(pages.filter(t.known), kind).toEqual(pages.filter((p) => (ownPages as readonly string[]).includes(p)));
    for (const p of ['/nothing', '/desk', '/bills', '/notfound/x', '/account/none'])
      expect(fallbackOf(p, landing, c), `${kind} ${p}`).toBe(landing);
  }
});

row('2.1-notfound-reconcile', 'only /notfound itself is the page that says so', () => {
  const c = compose([manifest], { kind: 'customer', mobile: false, settings: {} });
  const t = routeTables(c, { demo: false, hasHome: false, role: 'customer' });
  const title = (path: string) =>
    [...t.public, ...t.signedIn].find((r) => matches(r.path ?? '', path))?.handle as { title: { id: string } } | undefined;
  expect(title('/notfound')?.title.id).toBe('shell.notfound.title');
  for (const p of ['/nothing', '/notfound/x', '/not-found', '/404']) {
    expect(title(p), p).toBeUndefined();
    expect(fallbackOf(p, '/dashboard', c), p).toBe('/dashboard');
  }
});

row(
  ['2.4-public-unknown', '2.4-public-declared'],
  'an undefined path in the public page set leads to /, others to the landing page',
  () => {
    const c = compose([manifest], { kind: 'customer', mobile: false, settings: {} });
    for (const p of ['/verify', '/register/x/y', '/thank-you/x', '/pending-page/x', '/accessibility/x', '/brochure'])
      expect(fallbackOf(p, '/dashboard', c), p).toBe('/');
    for (const p of ['/registered', '/account/verify', '/nothing/brochure'])
      expect(fallbackOf(p, '/dashboard', c), p).toBe('/dashboard');
  },
);
