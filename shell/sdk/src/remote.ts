import type { ComponentType } from 'react';
import type { MessageDescriptor as Message } from 'react-intl';

/** Imports a page, overlay or slot view when it is needed; omitted from remote.json. */
export type Lazy<P = object> = () => Promise<{ default: ComponentType<P> }>;
/** A portal path; in routes `:name` is a parameter. */
export type Path = `/${string}`;
/** YYYY-MM-DD in the label's time zone. */
export type CivilDate = string & { readonly civil?: true };
export type Kind = 'participant' | 'customer';
export type Locale = 'nl' | 'en';

/**
 * Conditions that server and shell evaluate without the remote's code. All must hold. A route whose conditions fail redirects to
 * the landing page. `setting` is a path into this module's browser settings, such as `offer.create`.
 */
export interface Needs {
  kind?: Kind;
  setting?: string;
  /** A setting that must be off. */
  unless?: string;
  /**
   * A setting that lists pages: the condition holds on these and the pages below them, or on all pages if it contains `*`. For the
   * `notice` slot only.
   */
  pages?: string;
  screen?: 'mobile';
}

export interface Route {
  path: Path;
  title: Message;
  /** Who may see the page; customer by default. */
  access?: 'public' | 'customer' | 'staff';
  /** Shows a public page inside the portal's frame, with its menu, if the customer is signed in. */
  framed?: boolean;
  /**
   * `false` removes the menu bar from the page on a phone, because the page has its own bar or is a single task, such as a wizard.
   * The header then contains the language and a link back.
   */
  phoneBar?: false;
  needs?: Needs;
  width?: 'text' | 'wide';
  /** `page`: the page renders the `notice` slot itself, where it wants the notices. By default they are below the title. */
  notices?: 'page';
  page: Lazy;
}

/** A name that belongs to one remote: its key, a dot, and a lower-case name, such as `acme.heating`. */
export type OwnName = `${string}.${string}`;

/** A group in the main menu, provided by the portal or declared by a remote. */
export type Group = 'finance' | 'administrative' | 'marketplace' | OwnName;

/** A heading in the main menu; several remotes may have items under it. */
export interface MenuGroup {
  /** `<key>.<name>`, such as `acme.heating`. */
  id: OwnName;
  title: Message;
}

/**
 * An item of the main menu. `place` has its position per kind of label, and a kind that is absent does not show the item. `group`
 * is a group of the portal, or one that a remote declares in `groups`. Without it, or if no remote of the label declares it, the
 * item is at the top level. With `optional`, the item is shown only in labels that ask for it (`menu: show` in label.cue). With
 * `whenAny`, it is shown only to customers for whom that GET of the label's modules returns a list that is not empty. `under` nests
 * the item below the item with that id.
 */
export interface MenuItem {
  id: string;
  to: Path;
  label: Message;
  /** A text of at most 11 characters for the phone menu bar, for when `label` is longer. */
  short?: Message;
  /** Whose menu contains the item; customer by default. */
  access?: 'customer' | 'staff';
  icon?: string;
  needs?: Needs;
  under?: string;
  place: Partial<Record<Kind, { group?: Group; order: number; optional?: true; whenAny?: `/${string}` }>>;
}

/**
 * A view above a page, with path /{view}/{name}/{params…}. Static names match before route parameters; names are unique per label
 * (checked by the server). Only users who may see `parent` can open it.
 * Opened inside the portal: the page below stays mounted, and `close` goes back one step.
 * Opened by deep link: the page at /{view} is rendered below it, or `parent` if this label has no {view}; `close` replaces the
 * location with that path.
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
  /** While true, closing asks for confirmation (row face-unsaved). */
  setDirty(dirty: boolean): void;
}

/**
 * Props of the views in each slot. The owner of a slot renders frame, title, skeleton of `size` and retry; the view renders only
 * the content. Staff see `change-request` and `footer`; customers see all slots except `change-request`.
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
  /**
   * Below the sign-in form: a row that links to a public page, or opens its view instead of the form; `back` then shows the form
   * again.
   */
  'sign-in': { back(): void };
  /** In the header of customer pages, next to the account menu. */
  header: object;
  /** At the bottom of every page in the portal's frame, including public and staff pages. */
  footer: object;
  /**
   * Above the content of a page, or where a page with `notices: 'page'` renders it. A view that must first fetch its text calls
   * `hold`, and calls the returned function when it has the text. Until then, but for at most 1.5 seconds, the first page is not
   * shown, so that the notice does not push it down.
   */
  notice: { page: Path; hold(): () => void };
  /** Tiles on the dashboard, in columns according to their `size`. */
  dashboard: object;
  /** What needs the customer's attention, in a dashboard tile that is shown only if an item renders an `Attention` of the kit. */
  attention: object;
  /**
   * What members must pay, in a card on the home and account pages, below what their shares make. A view renders an `<li>` for
   * each amount, with the amount in `<strong>`, what it is for in `<p>`, details in `<small>`, and a `<div>` with its button; nothing
   * if there is none; and a `Skeleton` while it does not know that yet. Until then it also holds the first page, as a notice does;
   * afterwards what is below is not shown, but for at most five seconds.
   */
  due: { hold(): () => void };
  /** Tiles on the members' home page. A label without an item in this slot has no home page. */
  home: object;
  /** Sections of the account page, in the group that the item names. */
  account: object;
  /** In the details of a contract, below its tariff sheets. */
  agreement: { agreement: string };
  /** In the details of a contract, below each of its connections. */
  connection: { ean: string };
  /**
   * For each project on the participations page: once for the project, and once in the details of each participation, with its
   * number.
   */
  participation: { project: string; participation?: string };
  /** On the page where an order is checked and paid. */
  checkout: object;
  /** For staff: in the sheet of a change request, below the requested change. */
  'change-request': { id: string; kind: string };
}

/** The names of slots that remotes offer to each other; all other slots belong to the portal. */
export type OfferedSlot = Extract<keyof Slots, OwnName>;

export interface SlotOffer {
  /** What the slot is for and where it is shown, for authors of other remotes. */
  description: string;
  /** Whose pages contain the slot; customer by default, which includes public pages. */
  access?: 'customer' | 'staff';
}

/** How a view can control the frame of its item. */
export interface SlotControls {
  /** Removes the item and its frame. */
  hide(): void;
  /** Replaces the title when the item shows something unusual. Absent in older portals. */
  retitle?: ((title: string) => void) | undefined;
}

/** The groups of the account page: the person, contract and payment, privacy and security. */
export type AccountGroup = 'me' | 'contract' | 'security';

export interface SlotItem<P> {
  /** Unique in the slot and the remote. A label orders and hides the item as `<module>.<id>`. */
  id: string;
  /** Position among the items of the slot: lower comes first. Items in the label's own order come before all others. */
  order: number;
  /** Heading of the frame. */
  title?: Message;
  /** Share of the row that the tile occupies on the dashboard and the home page (default `full`); other slots ignore it. */
  size?: 'third' | 'half' | 'two-thirds' | 'full';
  /** Number of 56 px rows that the frame reserves while data is loading, so that the layout does not shift. */
  rows?: number;
  /** The same on a phone, where columns are below each other; by default `rows`. */
  phoneRows?: number;
  /** Group of a section of the account page (default `contract`); other slots ignore it. */
  group?: AccountGroup;
  needs?: Needs;
  view: Lazy<P & SlotControls>;
  /**
   * Renders the item's most important number or line while the item is closed: on the dashboard on a phone, and on the account
   * page. Text only.
   */
  summary?: Lazy;
}

/** A row below the sign-in form that links to a public page instead of opening a view there. */
export interface SignInLink extends Omit<SlotItem<object>, 'view' | 'title' | 'size' | 'rows' | 'phoneRows' | 'group'> {
  title: Message;
  to: Path;
}

export interface Remote {
  key: string;
  contract: 1;
  routes?: readonly Route[];
  menu?: readonly MenuItem[];
  overlays?: readonly Overlay[];
  /** Groups that this remote adds to the main menu, for its own items and those of others. */
  groups?: readonly MenuGroup[];
  /** Slots of this remote to which others may add items; their props are declared in `Slots`. */
  offers?: { readonly [S in OfferedSlot]?: SlotOffer };
  slots?: { [S in keyof Slots]?: readonly (SlotItem<Slots[S]> | (S extends 'sign-in' ? SignInLink : never))[] };
  /**
   * Loads the message catalog. Ids start with `${key}.`; the shell applies the label's overrides before the remote's first paint.
   */
  messages(locale: Locale): Promise<{ default: Record<string, unknown> }>;
  /**
   * Loads the texts of the slot views, so that a page with a tile of this remote does not load the texts of all its pages. If it is
   * present, the build writes these texts to `messages/compiled/<locale>.slots.json` and omits them from the catalog of `messages`;
   * the shell loads both for pages and overlays.
   */
  slotMessages?(locale: Locale): Promise<{ default: Record<string, unknown> }>;
}

/** Makes a slot name that is not declared in `Slots` a type error. */
type Known<Named> = { readonly [S in keyof Named]: S extends keyof Slots ? unknown : never };
type KnownSlots<R> = (R extends { slots: infer S } ? { slots: Known<S> } : unknown) &
  (R extends { offers: infer O } ? { offers: Known<O> } : unknown);

/** Declares the React part of a module. Make the result the default export of src/remote.ts, which the shell loads. */
export const defineRemote = <const R extends Remote>(remote: R & KnownSlots<R>): R => remote;
