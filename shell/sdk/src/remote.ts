import type { ComponentType } from 'react';
import type { MessageDescriptor as Message } from 'react-intl';

/** Code of a page, overlay or slot view: loaded when it is needed, dropped from remote.json. */
export type Lazy<P = object> = () => Promise<{ default: ComponentType<P> }>;
/** A path of the portal, with `:name` for a parameter in routes. */
export type Path = `/${string}`;
/** YYYY-MM-DD in the label's time zone. */
export type CivilDate = string & { readonly civil?: true };
export type Kind = 'participant' | 'customer';
export type Locale = 'nl' | 'en';

/**
 * Declarative: server and shell decide alike, without the remote's code. All must hold. Routes that fail go to the landing.
 * `setting` is a path into this module's browser settings, such as `offer.create`.
 */
export interface Needs {
  kind?: Kind;
  setting?: string;
  /** A setting that must not hold. */
  unless?: string;
  /** A setting that lists pages: there on those and below them, on all with `*` in it. For the slot `notice`, which knows its page. */
  pages?: string;
  screen?: 'mobile';
}

export interface Route {
  path: Path;
  title: Message;
  /** Who may see it; customer by default. */
  access?: 'public' | 'customer' | 'staff';
  needs?: Needs;
  width?: 'text' | 'wide';
  page: Lazy;
}

/** A name that belongs to one remote: its key, a dot, and a name in lower case, such as `acme.heating`. */
export type OwnName = `${string}.${string}`;

/** Where in the main menu an item may stand: a group of the portal, or one that a remote declares. */
export type Group = 'finance' | 'administrative' | 'marketplace' | OwnName;

/** A heading of the main menu below which items of several remotes may stand. */
export interface MenuGroup {
  /** `<key>.<name>`, such as `acme.heating`. */
  id: OwnName;
  title: Message;
}

/**
 * `place`: where, per kind of label; group undefined = top level. A group is one of the portal or one that a remote declares in
 * `groups`; where no remote of the label declares it, the item stands at top level. Absent kind = not in that menu; `optional` = only
 * in that of labels that ask for it (`menu: show` in label.cue). `under` nests below an item id.
 */
export interface MenuItem {
  id: string;
  to: Path;
  label: Message;
  /** In whose menu it stands; customer by default. */
  access?: 'customer' | 'staff';
  icon?: string;
  needs?: Needs;
  under?: string;
  place: Partial<Record<Kind, { group?: Group; order: number; optional?: true }>>;
}

/**
 * Opens at /{view}/{name}/{params…}: static names beat a route's parameters; names are unique per label (checked by the server).
 * Opened inside the portal: the page below stays mounted and close goes back one step.
 * It is for those who may see `parent`.
 * Opened by deep link: /{view} is drawn below, or `parent` when {view} is unknown here; close replaces with it.
 */
export interface Overlay {
  name: string;
  params?: readonly string[];
  parent: Path;
  title: Message;
  needs?: Needs;
  view: Lazy<OverlayProps>;
}

export interface OverlayProps {
  params: Readonly<Record<string, string>>;
  close(): void;
  /** While true, closing asks first (row face-unsaved). */
  setDirty(dirty: boolean): void;
}

/**
 * Props of the views of each slot. The owner of a slot draws frame, title, skeleton of `size` and retry; the view draws content only.
 * Staff see `change-request` and `footer`; customers see all but `change-request`.
 *
 * A remote adds the slots that it offers to others, under names that begin with its key, and declares them in `offers`:
 *
 *     declare module '@wattle/sdk' {
 *       interface Slots {
 *         // Below the data of one heat pump.
 *         'acme.pump': { serial: string };
 *       }
 *     }
 */
export interface Slots {
  'sign-in': { back(): void };
  header: object;
  footer: object;
  notice: { page: Path };
  dashboard: object;
  home: object;
  account: object;
  agreement: { agreement: string };
  connection: { ean: string };
  participation: { project: string; participation?: string };
  checkout: object;
  'change-request': { id: string; kind: string };
}

/** The slots that remotes offer to each other; the others are the portal's. */
export type OfferedSlot = Extract<keyof Slots, OwnName>;

export interface SlotOffer {
  /** What the slot is for and where it stands, for authors of other remotes. */
  about: string;
  /** On whose pages it stands; customer by default, which a public page is too. */
  access?: 'customer' | 'staff';
}

export interface SlotItem<P> {
  id: string;
  order: number;
  title?: Message;
  size?: 'third' | 'half' | 'two-thirds' | 'full';
  /** Rows of 56 px that the frame keeps free before data has come, so that nothing jumps. */
  rows?: number;
  needs?: Needs;
  view: Lazy<P & { hide(): void }>;
  /** The one number that it is about, for where only its title is seen: the accordion of the dashboard on a phone. Text only. */
  summary?: Lazy;
}

/** A row under the sign-in form that leads to a public page instead of opening a view in place. */
export interface SignInLink extends Omit<SlotItem<object>, 'view' | 'title' | 'size' | 'rows'> {
  title: Message;
  to: Path;
}

export interface Remote {
  key: string;
  contract: 1;
  routes?: readonly Route[];
  menu?: readonly MenuItem[];
  overlays?: readonly Overlay[];
  /** Groups of the main menu that this remote adds, for its own items and those of others. */
  groups?: readonly MenuGroup[];
  /** Slots of this remote that others may fill; `Slots` has their props. */
  offers?: { readonly [S in OfferedSlot]?: SlotOffer };
  slots?: { [S in keyof Slots]?: readonly (SlotItem<Slots[S]> | (S extends 'sign-in' ? SignInLink : never))[] };
  /** Ids start with `${key}.`; the shell lays the label's overrides on top, in a provider per remote, before its first paint. */
  messages(locale: Locale): Promise<{ default: Record<string, unknown> }>;
}

/** What is wrong with a remote that names a slot which nobody has declared in `Slots`. */
type Known<Named> = { readonly [S in keyof Named]: S extends keyof Slots ? unknown : never };
type KnownSlots<R> = (R extends { slots: infer S } ? { slots: Known<S> } : unknown) &
  (R extends { offers: infer O } ? { offers: Known<O> } : unknown);

/** Declares the React half of a module; its default export is what the shell loads. */
export const defineRemote = <const R extends Remote>(remote: R & KnownSlots<R>): R => remote;
