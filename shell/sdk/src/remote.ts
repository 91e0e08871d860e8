import type { ComponentType } from 'react';
import type { MessageDescriptor as Message } from 'react-intl';

/** Imports a page, overlay or slot view when it is needed; left out of remote.json. */
export type Lazy<P = object> = () => Promise<{ default: ComponentType<P> }>;
/** A path of the portal; in routes `:name` is a parameter. */
export type Path = `/${string}`;
/** YYYY-MM-DD in the label's time zone. */
export type CivilDate = string & { readonly civil?: true };
export type Kind = 'participant' | 'customer';
export type Locale = 'nl' | 'en';

/**
 * Conditions, declared so that server and shell evaluate them without the code of the remote. All must hold. A route whose
 * conditions fail redirects to the landing page. `setting` is a path into this module's browser settings, such as `offer.create`.
 */
export interface Needs {
  kind?: Kind;
  setting?: string;
  /** A setting that must be off. */
  unless?: string;
  /** A setting that lists pages: holds on those and on pages below them, on all when it contains `*`. For the slot `notice` only. */
  pages?: string;
  screen?: 'mobile';
}

export interface Route {
  path: Path;
  title: Message;
  /** Who may see it; customer by default. */
  access?: 'public' | 'customer' | 'staff';
  /** A public page that a signed-in customer sees in the frame of the portal, with its menu. */
  framed?: boolean;
  /**
   * `false`: on a phone the page has no bar with the menu, because it has a bar of its own or is one thing to finish, such as a wizard.
   * The header then has the language and a link back.
   */
  phoneBar?: false;
  needs?: Needs;
  width?: 'text' | 'wide';
  /** The page draws the slot `notice` itself, where it wants the notices; without it they are below the title. */
  notices?: 'page';
  page: Lazy;
}

/** A name that belongs to one remote: its key, a dot, and a name in lower case, such as `acme.heating`. */
export type OwnName = `${string}.${string}`;

/** A place in the main menu: a group of the portal, or one that a remote declares. */
export type Group = 'finance' | 'administrative' | 'marketplace' | OwnName;

/** A heading in the main menu; items of several remotes may stand below it. */
export interface MenuGroup {
  /** `<key>.<name>`, such as `acme.heating`. */
  id: OwnName;
  title: Message;
}

/**
 * An item of the main menu. `place` has its position per kind of label; without `group` it is at top level. A group is one of the
 * portal or one that a remote declares in `groups`; where no remote of the label declares it, the item is at top level. A kind that is
 * absent does not show the item; with `optional` it shows only in labels that ask for it (`menu: show` in label.cue); with `whenAny`
 * only to customers for whom that GET of the label's modules returns a list that is not empty. `under` nests it below the item with
 * that id.
 */
export interface MenuItem {
  id: string;
  to: Path;
  label: Message;
  /** A text of at most 11 characters for the bar of a phone, where `label` is longer. */
  short?: Message;
  /** Whose menu has it; customer by default. */
  access?: 'customer' | 'staff';
  icon?: string;
  needs?: Needs;
  under?: string;
  place: Partial<Record<Kind, { group?: Group; order: number; optional?: true; whenAny?: `/${string}` }>>;
}

/**
 * A view above a page, with path /{view}/{name}/{params…}. Static names match before parameters of a route; names are unique per label
 * (checked by the server). Only those who may see `parent` can open it.
 * Opened inside the portal: the page below stays mounted, and close goes back one step.
 * Opened by deep link: /{view} is drawn below it, or `parent` when this label has no {view}; close replaces the location by that path.
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
 * Props of the views in each slot. The owner of a slot draws frame, title, skeleton of `size` and retry; the view draws only content.
 * Staff see `change-request` and `footer`; customers see all slots except `change-request`.
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
  /** Below the sign-in form: a row that opens its view in place of the form, which `back` brings back, or that is a link to a public page. */
  'sign-in': { back(): void };
  /** In the header of the pages of customers, next to the menu of the account. */
  header: object;
  /** At the bottom of every page in the frame of the portal, also of public pages and those of staff. */
  footer: object;
  /**
   * Above the content of a page, or where a page with `notices: 'page'` draws it. A view that waits for its text calls `hold`, and the function that this returns when it has it: until
   * then, and at most a second and a half, the first page is not drawn, so that the notice does not push it down.
   */
  notice: { page: Path; hold(): () => void };
  /** Tiles of the dashboard, in columns by their `size`. */
  dashboard: object;
  /** What needs the customer's attention, in a tile of the dashboard that is there only if an item draws an `Attention` of the kit. */
  attention: object;
  /** Tiles of the home page of members. A label without an item here has no home page. */
  home: object;
  /** Cards on the account page, below the customer's details. */
  account: object;
  /** In the details of a contract, below its tariff sheets. */
  agreement: { agreement: string };
  /** In the details of a contract, below each of its connections. */
  connection: { ean: string };
  /** With each project on the page of participations: once for the project, and once in the details of each participation, with its number. */
  participation: { project: string; participation?: string };
  /** On the page on which an order is checked and paid. */
  checkout: object;
  /** For staff: in the sheet of a change request, below what is asked. */
  'change-request': { id: string; kind: string };
}

/** The names of slots that remotes offer to each other; all other slots belong to the portal. */
export type OfferedSlot = Extract<keyof Slots, OwnName>;

export interface SlotOffer {
  /** What the slot is for and where it stands, for authors of other remotes. */
  about: string;
  /** Whose pages contain it; customer by default, which includes public pages. */
  access?: 'customer' | 'staff';
}

/** What a view can tell the frame of its item. */
export interface SlotControls {
  /** Removes the item with its frame. */
  hide(): void;
  /** Replaces the title, where the item shows something other than usual. Absent in portals of before. */
  retitle?: ((title: string) => void) | undefined;
}

export interface SlotItem<P> {
  /** Unique in the slot and the remote; a label orders and hides the item as `<module>.<id>`. */
  id: string;
  /** Place among the items of the slot: lower comes first. Items that a label names in its own order come before all others. */
  order: number;
  /** Heading of the frame. */
  title?: Message;
  /** Share of the row that the tile takes on the dashboard and the home page (default `full`); other slots ignore it. */
  size?: 'third' | 'half' | 'two-thirds' | 'full';
  /** Rows of 56 px that the frame reserves while data is loading, so that the layout does not shift. */
  rows?: number;
  /** The rows on a phone, where columns stand below each other; without it `rows`. */
  phoneRows?: number;
  needs?: Needs;
  view: Lazy<P & SlotControls>;
  /** Draws the most important number or line of the item where it is closed: on the dashboard on a phone, and on the account page. Text only. */
  summary?: Lazy;
}

/** A row below the sign-in form that links to a public page instead of opening a view in place. */
export interface SignInLink extends Omit<SlotItem<object>, 'view' | 'title' | 'size' | 'rows' | 'phoneRows'> {
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
  /** Slots of this remote that others may fill; their props are declared in `Slots`. */
  offers?: { readonly [S in OfferedSlot]?: SlotOffer };
  slots?: { [S in keyof Slots]?: readonly (SlotItem<Slots[S]> | (S extends 'sign-in' ? SignInLink : never))[] };
  /** Loads the message catalog. Ids start with `${key}.`; the shell applies the label's overrides before the first paint of the remote. */
  messages(locale: Locale): Promise<{ default: Record<string, unknown> }>;
  /**
   * Loads the texts of the views in slots, so that a page with a tile of this remote does not load the texts of all its pages. With it,
   * the build writes these texts to `messages/compiled/<locale>.slots.json` and leaves them out of the catalog of `messages`; the shell
   * loads both for pages and overlays.
   */
  slotMessages?(locale: Locale): Promise<{ default: Record<string, unknown> }>;
}

/** Makes a slot name that is not declared in `Slots` a type error. */
type Known<Named> = { readonly [S in keyof Named]: S extends keyof Slots ? unknown : never };
type KnownSlots<R> = (R extends { slots: infer S } ? { slots: Known<S> } : unknown) &
  (R extends { offers: infer O } ? { offers: Known<O> } : unknown);

/** Declares the React half of a module; its result is the default export of src/remote.ts, which the shell loads. */
export const defineRemote = <const R extends Remote>(remote: R & KnownSlots<R>): R => remote;
