import type { MenuItem, Needs, Overlay, Path, Remote, Route, SlotItem, Slots } from './remote';

export interface Text {
  id: string;
  defaultMessage: string;
}
type Named<T> = Omit<T, 'title' | 'label' | 'page' | 'view'> & { title: Text };

/** A remote without its functions, as remote.json holds it and the portal answer carries it. */
export interface Manifest {
  key: string;
  contract: 1;
  version: string;
  routes: readonly Named<Route>[];
  menu: readonly (Omit<MenuItem, 'label'> & { label: Text })[];
  overlays: readonly Named<Overlay>[];
  slots: { [S in keyof Slots]?: readonly SlotFrame[] };
  /** Texts of the ids named above, so that menu and titles show before the remote has loaded. */
  titles: Record<'nl' | 'en', Record<string, string>>;
}
export interface SlotFrame {
  id: string;
  order: number;
  title?: Text;
  size?: 'third' | 'half' | 'two-thirds' | 'full';
  rows?: number;
  needs?: Needs;
  summary?: true;
  /** A link, as sign-in has them, instead of a view. */
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
 * Drops the functions of a remote. `texts` are its catalogues.
 * @throws when a name is not the remote's own, or a path, overlay or slot item is declared twice
 */
export function manifestOf(remote: Remote, version: string, texts: Record<'nl' | 'en', Record<string, string>>): Manifest {
  const routes = (remote.routes ?? []).map(({ page: _, title, ...rest }) => ({ ...rest, title: text(title) }));
  const menu = (remote.menu ?? []).map(({ label, ...rest }) => ({ ...rest, label: text(label) }));
  const overlays = (remote.overlays ?? []).map(({ view: _, title, ...rest }) => ({ ...rest, title: text(title) }));
  const slots: Record<string, readonly SlotFrame[]> = {};
  for (const [name, items] of Object.entries(remote.slots ?? {})) slots[name] = (items as readonly SlotItem<never>[]).map(frame);
  once(
    routes.map((r) => r.path as string),
    'path',
  );
  once(
    overlays.map((o) => o.name),
    'overlay',
  );
  once(
    menu.map((m) => m.id),
    'menu item',
  );
  for (const [name, items] of Object.entries(slots))
    once(
      items.map((i) => i.id),
      `item of slot ${name}:`,
    );
  const named = [...routes.map((r) => r.title), ...menu.map((m) => m.label), ...overlays.map((o) => o.title)];
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
  return { key: remote.key, contract: remote.contract, version, routes, menu, overlays, slots, titles };
}

function once(names: readonly string[], what: string): void {
  const twice = names.find((n, i) => names.indexOf(n) !== i);
  if (twice !== undefined) throw new Error(`${what} ${twice} is declared twice`);
}

/** Path of an overlay above a view; the parameters stand in their declared order. */
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
