import type { Group, Kind, Needs, Path, Slots } from '@wattle/sdk';
import type { Manifest, SlotFrame } from '@wattle/sdk/host';
import items from './items.json';

/** Properties of label and session against which `Needs` are checked. */
export interface Place {
  kind: Kind;
  mobile: boolean;
  settings: Readonly<Record<string, unknown>>;
  /** The current page, for a slot that is on every page. */
  page?: Path;
}

/** Role of the session; undefined without a session. Each page, menu item and slot is for one role. */
export type Role = 'customer' | 'staff' | undefined;

/** The portal's slots that are not only for customers. The slots of remotes declare their own access. */
const slotRoles: Readonly<Record<string, 'staff' | 'all' | undefined>> = {
  'sign-in': 'all',
  footer: 'all',
  'change-request': 'staff',
};
const mayFill = (slot: keyof Slots, role: Role, manifests: readonly Manifest[]): boolean => {
  const who = slotRoles[slot] ?? manifests.map((m) => (m.offers as Offers)?.[slot]?.access).find(Boolean) ?? 'customer';
  return who === 'all' || (who === 'staff') === (role === 'staff');
};

type Offers = Readonly<Record<string, { access?: 'customer' | 'staff' }>> | undefined;

/** Returns whether all needs are met; a setting counts when it exists and is not false, 0 or empty. */
export function meetsNeeds(needs: Needs | undefined, module: string, at: Place): boolean {
  if (!needs) return true;
  if (needs.kind && needs.kind !== at.kind) return false;
  if (needs.screen === 'mobile' && !at.mobile) return false;
  const setting = (path: string): unknown => {
    let value: unknown = at.settings[module];
    for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
    return value;
  };
  const set = (path: string): boolean => {
    const value = setting(path);
    return Boolean(value) && !(Array.isArray(value) && value.length === 0);
  };
  return (
    (needs.setting === undefined || set(needs.setting)) &&
    (needs.unless === undefined || !set(needs.unless)) &&
    (needs.pages === undefined || onPage(setting(needs.pages), at.page))
  );
}

const onPage = (pages: unknown, page: Path | undefined): boolean =>
  Array.isArray(pages) && pages.some((p) => p === '*' || p === page || page?.startsWith(`${p}/`) === true);

/** 2.4-public-mode: first segments of paths that are public in every label, regardless of its remotes. */
const publicWords = [
  'verify',
  'reactivation',
  'register',
  'thank-you',
  'payment-cancelled',
  'under-construction',
  'pending-page',
  'accessibility',
];
/** First segments of the shell's own pages, which need a session. */
const ownWords = ['', 'dashboard', 'home', 'notfound', 'dev'];

const first = (pathname: string): string => pathname.split('/')[1] ?? '';
/** Returns whether a path is public. Only its first segment counts (2.4-public-mode-reconcile). */
export const isPublicPath = (pathname: string, { publicFirst }: Pick<Composition, 'publicFirst'>): boolean =>
  publicWords.includes(first(pathname)) || publicFirst.includes(first(pathname).toLowerCase());

type Declared<K extends 'routes' | 'overlays' | 'menu'> = Manifest[K][number] & { module: string };
export interface Composition {
  routes: readonly Declared<'routes'>[];
  overlays: readonly Declared<'overlays'>[];
  menu: readonly Declared<'menu'>[];
  /** Menu groups declared by the remotes. */
  groups: NonNullable<Manifest['groups']>;
  /** 2.4-public-declared: first segments for which all declared pages are public. */
  publicFirst: readonly string[];
}

/** Returns what the label's remotes declare, without the parts whose needs are not met. */
export function compose(manifests: readonly Manifest[], at: Place): Composition {
  const all = <K extends 'routes' | 'overlays' | 'menu'>(what: K) =>
    manifests
      .flatMap((m) => m[what].map((d) => ({ ...d, module: m.key })))
      .filter((d) => meetsNeeds(d.needs, d.module, at)) as unknown as Declared<K>[];
  const routes = all('routes');
  const closed = new Set([...ownWords, ...routes.filter((r) => r.access !== 'public').map((r) => first(r.path).toLowerCase())]);
  return {
    routes,
    overlays: all('overlays'),
    menu: all('menu'),
    groups: manifests.flatMap((m) => m.groups ?? []),
    publicFirst: routes
      .filter((r) => r.access === 'public')
      .map((r) => first(r.path).toLowerCase())
      .filter((word) => !word.startsWith(':') && !closed.has(word)),
  };
}

export interface OpenOverlay {
  overlay: Declared<'overlays'>;
  params: Record<string, string>;
  /** First segment: the view below the overlay. */
  view: string;
}

/** Returns the overlay at a path: /{view}/{name}/{params…}. A static name matches before a route parameter. */
export function overlayAt(pathname: string, overlays: readonly Declared<'overlays'>[]): OpenOverlay | undefined {
  const [, view = '', name = '', ...values] = pathname.split('/');
  const overlay = overlays.find((o) => o.name === name && (o.params?.length ?? 0) === values.length);
  if (!overlay || view === '' || values.includes('')) return undefined;
  return { overlay, view, params: Object.fromEntries((overlay.params ?? []).map((p, i) => [p, decode(values[i] ?? '')])) };
}
const decode = (s: string): string => {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
};

/** Returns the overlays for a role: those above pages that the role may see. */
export const overlaysOf = (c: Composition, role: Role): Composition['overlays'] =>
  c.overlays.filter((o) => {
    const below = c.routes.find((r) => matches(r.path, o.parent));
    return (below?.access === 'staff') === (role === 'staff');
  });

/** 2.3-close-target: returns the path that is rendered below an overlay opened by deep link, to which `close` also leads. */
export function parentOf({ overlay, view }: OpenOverlay, known: (path: string) => boolean): Path {
  return known(`/${view}`) ? `/${view}` : overlay.parent;
}

/**
 * Returns whether a path matches a route pattern, in which `:name` is one segment. The result is the same as the router's, which
 * may not have been loaded yet.
 */
export function matches(pattern: string, pathname: string): boolean {
  const wanted = pattern.split('/');
  const given = pathname.replace(/(?<=.)\/$/, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((w, i) => (w.startsWith(':') ? given[i] !== '' : w.toLowerCase() === given[i]?.toLowerCase()))
  );
}

export interface SlotEntry extends SlotFrame {
  module: string;
}

/** Returns the name of an item in a label's `slots` and `menu`: module key, dot, item id. */
const nameInLabel = ({ module, id }: { module: string; id: string }): string =>
  id.startsWith(`${module}.`) ? id : `${module}.${id}`;

/** The key that labels use to name the shell's own items; the shell has no manifest. */
export const shellKey = 'shell';

/**
 * The shell's own items on pages with slots. A label orders and hides them like the items of modules (9-dashboard-order). The build
 * writes their names into shell.json for `wattle labels vet`.
 */
const own: { key: string; slots: Manifest['slots'] } = { key: shellKey, slots: items };

/** Returns a function that gives an item's position in a label's order; items that are not in it share the last position. */
const rankIn =
  (order: readonly string[] = []) =>
  (item: { module: string; id: string }): number => {
    const i = order.indexOf(nameInLabel(item));
    return i === -1 ? order.length : i;
  };

/** Returns the items of a slot: in the label's order first, then in their own order, without those that the label hides. */
export function slotItems(
  name: keyof Slots,
  manifests: readonly Manifest[],
  at: Place,
  settings: { order?: readonly string[]; hide?: readonly string[] } = {},
  role: Role = undefined,
  withOwn = false,
): SlotEntry[] {
  if (!mayFill(name, role, manifests)) return [];
  const rank = rankIn(settings.order);
  return [...(withOwn ? [own] : []), ...manifests]
    .flatMap((m) => (m.slots[name] ?? []).map((item) => ({ ...item, module: m.key })))
    .filter((i) => meetsNeeds(i.needs, i.module, at) && !settings.hide?.includes(nameInLabel(i)))
    .sort((a, b) => rank(a) - rank(b) || a.order - b.order || a.id.localeCompare(b.id));
}

export interface MenuEntry {
  id: string;
  to: Path;
  module: string;
  label: { id: string; defaultMessage: string };
  /** Its text in the phone bar. */
  short?: { id: string; defaultMessage: string };
  icon?: string;
  /** The item is in the menu because the label asks for it. */
  optional?: true;
  children: MenuEntry[];
}
export interface MenuGroup {
  group?: Group;
  items: MenuEntry[];
}

/** A label's settings for the main menu: items `<module>.<item>`. */
export interface MenuSettings {
  /** Optional items to show. */
  show?: readonly string[];
  /** Items that are first. */
  order?: readonly string[];
  hide?: readonly string[];
}

/**
 * Returns the main menu for a kind of label. A group is at the position of its first item; an item with `under` is nested below
 * that item if the menu contains it. Optional items are shown if the label asks for them (2.5-menu-variants-choice), items with
 * `whenAny` if `filled` contains the path. The label orders and hides the items of customers (9-menu-order, 9-menu-hide). Items of
 * a group that no remote of the label declares are at the top level.
 */
export function menuOf(
  items: Composition['menu'],
  kind: Kind,
  role: Role = 'customer',
  label: MenuSettings = {},
  groups: Composition['groups'] = [],
  filled: readonly string[] = [],
): MenuGroup[] {
  const known = (group: Group | undefined) =>
    group && (!group.includes('.') || groups.some((g) => g.id === group)) ? { group } : {};
  const { show, order, hide } = role === 'staff' ? {} : label;
  const rank = rankIn(order);
  const here = items
    .filter((i) => (i.access === 'staff') === (role === 'staff') && !hide?.includes(nameInLabel(i)))
    .flatMap((i) => {
      const place = i.place[kind];
      return place && (!place.optional || show?.includes(nameInLabel(i))) && (!place.whenAny || filled.includes(place.whenAny))
        ? [{ item: i, optional: place.optional, place: { order: place.order, ...known(place.group) } }]
        : [];
    })
    .sort((a, b) => rank(a.item) - rank(b.item) || a.place.order - b.place.order || a.item.id.localeCompare(b.item.id));
  const entries = new Map<string, MenuEntry>(
    here.map(({ item, optional }) => [
      item.id,
      {
        id: item.id,
        to: item.to,
        module: item.module,
        label: item.label,
        ...(item.short ? { short: item.short } : {}),
        ...(item.icon ? { icon: item.icon } : {}),
        ...(optional ? { optional } : {}),
        children: [],
      },
    ]),
  );
  const out: MenuGroup[] = [];
  for (const { item, place } of here) {
    const entry = entries.get(item.id);
    if (!entry) continue;
    const above = item.under ? entries.get(item.under) : undefined;
    if (above) above.children.push(entry);
    else {
      const last = out.at(-1);
      const open = place.group ? out.find((g) => g.group === place.group) : last && !last.group ? last : undefined;
      if (open) open.items.push(entry);
      else out.push({ ...(place.group ? { group: place.group } : {}), items: [entry] });
    }
  }
  return out;
}

/** Number of menu items in the phone bar; next to them is the button that opens the whole menu. */
const barItems = 3;

/**
 * Returns the items of the phone bar (9-phone-bar): the menu items that the label lists, in its order, then the first ones of the
 * menu, without nested ones, and without optional ones unless the menu begins with it, such as home.
 */
export function barOf(menu: readonly MenuGroup[], named: readonly string[] = []): MenuEntry[] {
  const items = menu.flatMap((g) => g.items);
  const all = items.flatMap((i) => [i, ...i.children]);
  const first = named.flatMap((name) => all.find((i) => nameInLabel(i) === name) ?? []);
  return [...first, ...items.filter((i, n) => !(n && i.optional) && !first.includes(i))].slice(0, barItems);
}

/** Paths of the quick start, in the order given by the row (2.1-dashboard-quickstart). */
const quickStart = ['/agreements', '/account', '/periodical-payments', '/move', '/invoices'] as const;

/** Returns the quick start pages that this label has (2.1-quickstart-modules), with their menu icons. */
export const quickStartOf = ({ routes, menu }: Composition) =>
  quickStart.flatMap((to) => {
    const route = routes.find((r) => r.path === to && (r.access ?? 'customer') === 'customer');
    const item = menu.find((i) => i.to === to);
    return route ? [{ to, icon: to === '/account' ? 'user' : item?.icon }] : [];
  });
