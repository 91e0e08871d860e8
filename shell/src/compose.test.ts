import type { Remote } from '@wattle/sdk';
import { type Manifest, manifestOf } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { describe, expect, test } from 'vitest';
import {
  compose,
  isPublicPath,
  matches,
  meetsNeeds,
  menuOf,
  overlayAt,
  overlaysOf,
  type Place,
  parentOf,
  slotItems,
} from './compose';
import { isOpen } from './open-paths';

const place: Place = { kind: 'customer', mobile: false, settings: { m: { offer: { create: true }, none: false, list: [] } } };
const title = { id: 'm.t', defaultMessage: 'T' };
const manifest = (m: Partial<Manifest>): Manifest => ({
  key: 'm',
  contract: 1,
  version: '1',
  routes: [],
  menu: [],
  overlays: [],
  slots: {},
  titles: { nl: {}, en: {} },
  ...m,
});

describe('what is shown', () => {
  test('needs: kind, setting and screen, all of them', () => {
    expect(meetsNeeds(undefined, 'm', place)).toBe(true);
    expect(meetsNeeds({ kind: 'participant' }, 'm', place)).toBe(false);
    expect(meetsNeeds({ setting: 'offer.create' }, 'm', place)).toBe(true);
    expect(meetsNeeds({ setting: 'offer.create' }, 'other', place)).toBe(false);
    expect(meetsNeeds({ setting: 'none' }, 'm', place)).toBe(false);
    expect(meetsNeeds({ setting: 'list' }, 'm', place)).toBe(false);
    expect(meetsNeeds({ unless: 'offer.create' }, 'm', place)).toBe(false);
    expect(meetsNeeds({ setting: 'offer.create', unless: 'none' }, 'm', place)).toBe(true);
    expect(meetsNeeds({ screen: 'mobile' }, 'm', place)).toBe(false);
    expect(meetsNeeds({ kind: 'customer', screen: 'mobile', setting: 'offer.create' }, 'm', { ...place, mobile: true })).toBe(
      true,
    );
  });

  test('a route matches segment by segment', () => {
    expect(matches('/a/:id', '/a/1')).toBe(true);
    expect(matches('/a/:id', '/a/')).toBe(false);
    expect(matches('/a', '/a/')).toBe(true);
    expect(matches('/a', '/a/b')).toBe(false);
    expect(matches('/', '/')).toBe(true);
  });

  row(['2.4-public-mode', '2.4-pending-page-reconcile', '2.4-public-mode-reconcile'], 'the first segment decides', () => {
    for (const w of [
      'verify',
      'reactivation',
      'register',
      'thank-you',
      'payment-cancelled',
      'under-construction',
      'pending-page',
      'accessibility',
    ])
      for (const p of [`/${w}`, `/${w}/x`]) {
        expect(isPublicPath(p, { publicFirst: [] }), p).toBe(true);
        expect(isOpen(p, compose([], place), { demo: false }), `${p} needs no login`).toBe(true);
        expect(isPublicPath(`/account${p}`, { publicFirst: [] }), `${p} is not the first segment`).toBe(false);
      }
    for (const p of ['/', '/account', '/registered', '/verif', '/move/register/1', '/accessibility-x', '/pages/pending-page'])
      expect(isPublicPath(p, { publicFirst: [] }), p).toBe(false);
  });

  row('2.4-public-declared', 'first segments of public pages, unless a page with a session has the same one', () => {
    const c = compose(
      [
        manifest({
          routes: [
            { path: '/Brochure/:year', title, access: 'public' },
            { path: '/projects/:id/open', title, access: 'public' },
            { path: '/:a/:b/:c/:d', title, access: 'public' },
            { path: '/desk/open', title, access: 'public' },
            { path: '/dashboard/open', title, access: 'public' },
            { path: '/gone', title, access: 'public', needs: { setting: 'no.such' } },
          ],
        }),
        manifest({ routes: [{ path: '/projects', title }] }),
        manifest({ routes: [{ path: '/desk', title, access: 'staff' }] }),
      ],
      place,
    );
    for (const p of ['/brochure', '/brochure/2026', '/brochure/no/such']) expect(isPublicPath(p, c), p).toBe(true);
    for (const p of ['/', '/projects', '/projects/1', '/desk', '/dashboard', '/gone', '/x'])
      expect(isPublicPath(p, c), p).toBe(false);
    for (const p of ['/brochure/2026', '/projects/7/open', '/desk/open']) expect(isOpen(p, c, { demo: false }), p).toBe(true);
    for (const p of ['/projects/7', '/desk', '/gone', '/dashboard']) expect(isOpen(p, c, { demo: false }), p).toBe(false);
  });
});

describe('overlays', () => {
  const { overlays } = compose(
    [
      manifest({
        overlays: [
          { name: 'change-phonenumber', parent: '/account', title },
          { name: 'update', params: ['agreement'], parent: '/periodical-payments', title },
        ],
      }),
    ],
    place,
  );
  row('2.3-prefix', 'above any view, with the declared number of parameters', () => {
    expect(overlayAt('/home/change-phonenumber', overlays)).toMatchObject({ view: 'home', params: {} });
    expect(overlayAt('/x/update/A%201', overlays)).toMatchObject({ params: { agreement: 'A 1' } });
    for (const p of ['/change-phonenumber', '/x/update', '/x/update/', '/x/change-phonenumber/1', '/x/none'])
      expect(overlayAt(p, overlays), p).toBeUndefined();
  });
  row(['2.3-close-target', '2.3-account-routes-reconcile'], 'the view below, else the fixed parent', () => {
    const open = overlayAt('/home/change-phonenumber', overlays);
    if (!open) throw new Error('not open');
    expect(parentOf(open, () => true)).toBe('/home');
    expect(parentOf(open, () => false)).toBe('/account');
  });
});

describe('slots and menu', () => {
  const m = manifest({
    slots: {
      home: [
        { id: 'b', order: 2 },
        { id: 'a', order: 1 },
        { id: 'c', order: 3, needs: { kind: 'participant' } },
      ],
    },
  });
  test('the label orders and hides what remotes put into a slot', () => {
    expect(slotItems('home', [m], place).map((i) => i.id)).toEqual(['a', 'b']);
    expect(slotItems('home', [m], place, { order: ['m.b'] }).map((i) => i.id)).toEqual(['b', 'a']);
    expect(slotItems('home', [m], place, { hide: ['m.a'] }).map((i) => i.id)).toEqual(['b']);
    expect(slotItems('dashboard', [m], place)).toEqual([]);
  });
  test('an item for some pages is shown on those and below them, and on no other page', () => {
    const notice = manifest({ slots: { notice: [{ id: 'n', order: 1, needs: { pages: 'on' } }] } });
    const there = (on: unknown, page?: `/${string}`) =>
      slotItems('notice', [notice], { ...place, settings: { m: { on } }, ...(page ? { page } : {}) }, {}, 'customer').length ===
      1;
    expect(there(['/usage'], '/usage')).toBe(true);
    expect(there(['/usage'], '/usage/871')).toBe(true);
    expect(there(['/home', '*'], '/usage')).toBe(true);
    expect(there(['/usage'], '/usages')).toBe(false);
    for (const none of [[], undefined, 'x']) expect(there(none, '/usage'), String(none)).toBe(false);
    expect(there(['/usage'])).toBe(false);
  });
  test('groups are at the position of their first item; items nest', () => {
    const item = (id: string, customer: { group?: 'finance'; order: number }, under?: string) => ({
      id,
      to: `/${id}` as const,
      module: 'm',
      label: title,
      place: { customer },
      ...(under ? { under } : {}),
    });
    const menu = menuOf(
      [
        item('z', { order: 9 }),
        item('a', { order: 1 }),
        item('f2', { group: 'finance', order: 8 }),
        item('f1', { group: 'finance', order: 2 }),
        item('sub', { order: 3 }, 'a'),
      ],
      'customer',
    );
    expect(menu.map((g) => [g.group, g.items.map((i) => i.id)])).toEqual([
      [undefined, ['a']],
      ['finance', ['f1', 'f2']],
      [undefined, ['z']],
    ]);
    expect(menu[0]?.items[0]?.children.map((i) => i.id)).toEqual(['sub']);
    expect(menuOf([item('a', { order: 1 })], 'participant')).toEqual([]);
  });

  row('9-offer-group', 'items of several remotes are in a group that one of them declares; without it at top level', () => {
    const owner = manifest({
      groups: [{ id: 'm.heat', title }],
      menu: [{ id: 'pump', to: '/pump', label: title, place: { customer: { group: 'm.heat', order: 2 } } }],
    });
    const other = manifest({
      menu: [
        { id: 'tank', to: '/tank', label: title, place: { customer: { group: 'm.heat', order: 3 } } },
        { id: 'first', to: '/first', label: title, place: { customer: { order: 1 } } },
      ],
    });
    const of = (...manifests: Manifest[]) => {
      const c = compose(manifests, place);
      return menuOf(c.menu, 'customer', 'customer', {}, c.groups).map((g) => [g.group, g.items.map((i) => i.id)]);
    };
    expect(of(owner, other)).toEqual([
      [undefined, ['first']],
      ['m.heat', ['pump', 'tank']],
    ]);
    expect(of(other)).toEqual([[undefined, ['first', 'tank']]]);
  });

  row('9-offer-slot', 'another remote fills the slot; the owner declares whether it is for customers or for staff', () => {
    const owner = (access?: 'staff' | 'customer') =>
      manifest({ offers: { 'fixture.note': { description: 'Below a note.', ...(access ? { access } : {}) } } });
    const other = manifest({ slots: { 'fixture.note': [{ id: 'remark', order: 1 }] } });
    const seen = (access: 'staff' | 'customer' | undefined, role: 'staff' | 'customer' | undefined) =>
      slotItems('fixture.note', [other, owner(access)], place, {}, role).length === 1;
    expect([seen(undefined, 'customer'), seen(undefined, undefined), seen(undefined, 'staff')]).toEqual([true, true, false]);
    expect([seen('customer', 'customer'), seen('staff', 'customer'), seen('staff', 'staff')]).toEqual([true, false, true]);
    expect(slotItems('fixture.note', [other, owner()], place, { hide: ['m.remark'] }, 'customer')).toEqual([]);
  });
});

describe('groups and slots in remote.json', () => {
  const texts = { nl: { 'm.t': 'T' }, en: { 'm.t': 'T' } };
  const remote = (more: object) =>
    ({ key: 'm', contract: 1, messages: () => Promise.resolve({ default: {} }), ...more }) as unknown as Remote;
  const made = (more: object) => manifestOf(remote(more), '1', texts);
  const t = { id: 'm.t', defaultMessage: 'T' };
  row(['9-offer-group', '9-offer-slot'], 'names begin with the key of the remote; titles and descriptions are required', () => {
    expect(made({ groups: [{ id: 'm.heat', title: t }], offers: { 'm.pump': { description: 'Below a pump.' } } })).toMatchObject({
      groups: [{ id: 'm.heat', title: t }],
      offers: { 'm.pump': { description: 'Below a pump.' } },
      titles: { nl: { 'm.t': 'T' } },
    });
    expect(Object.keys(made({}))).not.toContain('groups'); // the remote.json of a remote without groups is unchanged
    for (const [what, more] of [
      ['group finance is not m.<name>', { groups: [{ id: 'finance', title: t }] }],
      ['group x.heat is not m.<name>', { groups: [{ id: 'x.heat', title: t }] }],
      ['group m.Heat is not m.<name>', { groups: [{ id: 'm.Heat', title: t }] }],
      [
        'group m.heat is declared twice',
        {
          groups: [
            { id: 'm.heat', title: t },
            { id: 'm.heat', title: t },
          ],
        },
      ],
      ['a title needs an id', { groups: [{ id: 'm.heat', title: {} }] }],
      ['message x.t does not begin with m.', { groups: [{ id: 'm.heat', title: { ...t, id: 'x.t' } }] }],
      ['slot dashboard is not m.<name>', { offers: { dashboard: { description: 'x' } } }],
      ['slot x.pump is not m.<name>', { offers: { 'x.pump': { description: 'x' } } }],
      ['slot m.pump has no description', { offers: { 'm.pump': { description: '' } } }],
    ] as const)
      expect(() => made(more), what).toThrow(what);
  });
});

describe('staff and customers', () => {
  const both = [
    manifest({
      key: 'staff',
      routes: [{ path: '/staff', title, access: 'staff' }],
      menu: [
        {
          id: 'queue',
          to: '/staff',
          label: title,
          access: 'staff',
          place: { customer: { order: 1 }, participant: { order: 1 } },
        },
      ],
      overlays: [{ name: 'decide', parent: '/staff', title }],
      slots: { 'change-request': [{ id: 'one', order: 1 }] },
    }),
    manifest({
      routes: [{ path: '/invoices', title }],
      menu: [{ id: 'invoices', to: '/invoices', label: title, place: { customer: { order: 1 } } }],
      overlays: [
        { name: 'pay', parent: '/invoices', title },
        { name: 'welcome', parent: '/dashboard', title },
      ],
      slots: { header: [{ id: 'cart', order: 1 }], notice: [{ id: 'n', order: 1 }], footer: [{ id: 'f', order: 1 }] },
    }),
  ];
  const c = compose(both, place);
  const menu = (role: 'customer' | 'staff') => menuOf(c.menu, 'customer', role).flatMap((g) => g.items.map((i) => i.id));

  test('have their own menus, overlays and slots', () => {
    expect(menu('staff')).toEqual(['queue']);
    expect(menu('customer')).toEqual(['invoices']);
    expect(overlaysOf(c, 'staff').map((o) => o.name)).toEqual(['decide']);
    expect(overlaysOf(c, 'customer').map((o) => o.name)).toEqual(['pay', 'welcome']);
    const slots = (role: 'customer' | 'staff' | undefined) =>
      (['header', 'notice', 'footer', 'change-request', 'sign-in'] as const).filter(
        (s) => slotItems(s, both, place, {}, role).length > 0,
      );
    expect(slots('staff')).toEqual(['footer', 'change-request']);
    expect(slots('customer')).toEqual(['header', 'notice', 'footer']);
  });
});
