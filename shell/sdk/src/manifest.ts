import type {
  AccountGroup,
  MenuGroup,
  MenuItem,
  Needs,
  OfferedSlot,
  Overlay,
  Path,
  Remote,
  Route,
  SlotItem,
  SlotOffer,
  Slots,
} from './remote';

export interface Text {
  id: string;
  defaultMessage: string;
}
type Named<T> = Omit<T, 'title' | 'label' | 'page' | 'view'> & { title: Text };

/** A remote without its functions: the content of remote.json, and part of the response of GET /portal. */
export interface Manifest {
  key: string;
  contract: 1;
  /** Absent in the remote of a plugin whose package.json has none: the version of the plugin is in its Go half. */
  version?: string;
  routes: readonly Named<Route>[];
  menu: readonly (Omit<MenuItem, 'label' | 'short'> & { label: Text; short?: Text })[];
  overlays: readonly Named<Overlay>[];
  slots: { [S in keyof Slots]?: readonly SlotFrame[] };
  /** Absent in remotes that were built before groups existed. */
  groups?: readonly (Omit<MenuGroup, 'title'> & { title: Text })[];
  offers?: { readonly [S in OfferedSlot]?: SlotOffer };
  /** Texts of the ids above, so that menu and titles can be rendered before the remote has loaded. */
  titles: Record<'nl' | 'en', Record<string, string>>;
}
export interface SlotFrame {
  id: string;
  order: number;
  title?: Text;
  size?: 'third' | 'half' | 'two-thirds' | 'full';
  rows?: number;
  phoneRows?: number;
  group?: AccountGroup;
  needs?: Needs;
  summary?: true;
  /** Target of a link that is rendered instead of a view; only in the `sign-in` slot. */
  to?: Path;
}

const text = (m: { id?: string; defaultMessage?: unknown }): Text => {
  if (!m.id || typeof m.defaultMessage !== 'string') throw new Error(`a title needs an id and a text: ${JSON.stringify(m)}`);
  return { id: m.id, defaultMessage: m.defaultMessage };
};
const frame = ({ view: _, summary, title, ...rest }: SlotItem<never>): SlotFrame => ({
  ...rest,
  ...(summary ? { summary: true } : {}),
  ...(title ? { title: text(title) } : {}),
});

/**
 * Returns the manifest of a remote: what it declares, without its functions. `texts` are its message catalogs.
 * @throws when a name does not belong to the remote, or a path, overlay, group or slot item is declared twice
 */
export function manifestOf(
  remote: Remote,
  version: string | undefined,
  texts: Record<'nl' | 'en', Record<string, string>>,
): Manifest {
  const routes = (remote.routes ?? []).map(({ page: _, title, ...rest }) => ({ ...rest, title: text(title) }));
  const menu = (remote.menu ?? []).map(({ label, short, ...rest }) => ({
    ...rest,
    label: text(label),
    ...(short ? { short: text(short) } : {}),
  }));
  const overlays = (remote.overlays ?? []).map(({ view: _, title, ...rest }) => ({ ...rest, title: text(title) }));
  const groups = (remote.groups ?? []).map(({ title, ...rest }) => ({ ...rest, title: text(title) }));
  const offers = Object.entries<SlotOffer>(remote.offers ?? {});
  const slots: Record<string, readonly SlotFrame[]> = {};
  for (const [name, items] of Object.entries(remote.slots ?? {})) slots[name] = (items as readonly SlotItem<never>[]).map(frame);
  assertUnique(
    routes.map((r) => r.path as string),
    'path',
  );
  assertUnique(
    overlays.map((o) => o.name),
    'overlay',
  );
  assertUnique(
    menu.map((m) => m.id),
    'menu item',
  );
  assertUnique(
    groups.map((g) => g.id),
    'group',
  );
  for (const [what, name] of [...groups.map((g) => ['group', g.id]), ...offers.map(([slot]) => ['slot', slot])])
    if (!isOwn(remote.key, name ?? '')) throw new Error(`${what} ${name} is not ${remote.key}.<name>, in lower case`);
  for (const [slot, { description }] of offers) if (!description) throw new Error(`slot ${slot} has no description`);
  for (const [name, items] of Object.entries(slots))
    assertUnique(
      items.map((i) => i.id),
      `item of slot ${name}:`,
    );
  const named = [
    ...routes.map((r) => r.title),
    ...menu.flatMap((m) => (m.short ? [m.label, m.short] : [m.label])),
    ...overlays.map((o) => o.title),
    ...groups.map((g) => g.title),
  ];
  for (const items of Object.values(slots)) for (const i of items) if (i.title) named.push(i.title);
  const titles = { nl: {} as Record<string, string>, en: {} as Record<string, string> };
  for (const { id } of named) {
    if (!id.startsWith(`${remote.key}.`)) throw new Error(`message ${id} does not begin with ${remote.key}.`);
    for (const l of ['nl', 'en'] as const) {
      const t = texts[l][id];
      if (t === undefined) throw new Error(`message ${id} is missing in ${l}.json of ${remote.key}`);
      titles[l][id] = t;
    }
  }
  return {
    key: remote.key,
    contract: remote.contract,
    ...(version ? { version } : {}),
    routes,
    menu,
    overlays,
    slots,
    ...(groups.length > 0 ? { groups } : {}),
    ...(offers.length > 0 ? { offers: Object.fromEntries(offers) } : {}),
    titles,
  };
}

/** Returns whether a group or slot name belongs to this remote. */
const isOwn = (key: string, name: string): boolean =>
  name.startsWith(`${key}.`) && /^[a-z0-9-]+$/.test(name.slice(key.length + 1));

function assertUnique(names: readonly string[], what: string): void {
  const twice = names.find((n, i) => names.indexOf(n) !== i);
  if (twice !== undefined) throw new Error(`${what} ${twice} is declared twice`);
}

/** Returns the path of an overlay above a view, with the parameters in their declared order. */
export function overlayPath(
  view: string,
  overlay: { name: string; params?: readonly string[] },
  params: Record<string, string> = {},
): Path {
  const values = (overlay.params ?? []).map((p) => {
    const v = params[p];
    if (!v) throw new Error(`overlay ${overlay.name} needs ${p}`);
    return encodeURIComponent(v);
  });
  return `/${[view, overlay.name, ...values].join('/')}`;
}
