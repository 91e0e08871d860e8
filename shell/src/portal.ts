import type { Kind, Locale, Slots } from '@wattle/sdk';
import type { Manifest, Operation } from '@wattle/sdk/host';
import type { IllustrationName } from '@wattle/ui';
import type { MenuSettings } from './compose';
import type { Session, SessionInfo } from './session';

/** The response of GET /api/v0/portal: the data that the shell needs at start for this host. */
export interface Portal {
  contract: 1;
  build: string;
  /** Some customers of the label get other versions of remotes, which are returned only to requests with their token. */
  canary?: boolean;
  demo: boolean;
  now: string;
  zone: string;
  label: Label;
  remotes: readonly { key: string; entry: string; manifest: Manifest }[];
  slots: Readonly<Record<string, { order?: readonly string[]; hide?: readonly string[] }>>;
  /** Legal and help pages of the label, in the order of their links. */
  pages?: readonly LabelPage[];
  /** Items `<module>.<item>` of the main menu, and those that are first in the phone bar. */
  menu: MenuSettings & { bar?: readonly string[] };
  /** What the label shows about projects, by project code. */
  projects?: Readonly<Record<string, { picture: string | null }>>;
  settings: Readonly<Record<string, unknown>>;
  /** The label's overrides of texts. */
  messages: Readonly<Record<Locale, Record<string, string>>>;
  operations: Readonly<Record<string, Operation>>;
  session?: SessionInfo | null;
}

/** A legal or help page of the label at /pages/<slug>. */
export interface LabelPage {
  slug: string;
  title: Readonly<Record<Locale, string>>;
  /** Readable without a session. */
  public: boolean;
  /** Where its link is shown; `help` is the list at /pages, `link` only where a text links to it. */
  place: 'footer' | 'menu' | 'help' | 'link';
}

export interface Label {
  key: string;
  name: string;
  kind: Kind;
  landing: string;
  page_title?: string;
  email: string;
  phone: string;
  hours: readonly Hours[];
  privacy_url?: string | null;
  accessibility: { status: 'full' | 'partial' | 'none'; tested?: string | null; url?: string | null };
  logout_url?: string | null;
  logo: string;
  logo_on_header?: string | null;
  illustration?: string | null;
  /** `filled`: the header has the primary color; `centered`: from 768 px the logo is centered and the menu is below it. */
  header_style?: 'plain' | 'filled' | 'centered';
  /** The label's own illustrations, by name. */
  illustrations?: Readonly<Partial<Record<IllustrationName | 'dashboard', string>>>;
  /** Photos, by position. */
  photos?: Readonly<Partial<Record<'sign_in' | 'dashboard' | 'account', string>>>;
  favicon?: string;
  /** The promo for the day on which the page was opened. */
  promo?: Promo | null;
  /** The label has moved to another portal; with `form`, customers can still sign in here. */
  migrated?: { url?: string | null; name?: string | null; form: boolean; test_host?: string | null } | null;
}
/** A message of the label, shown on some pages for some days. */
export interface Promo {
  name: string;
  title: Readonly<Record<Locale, string>>;
  text?: Readonly<Record<Locale, string>>;
  picture?: string | null;
  /** A link to a portal page or an https address. */
  link?: { to: string; text: Readonly<Record<Locale, string>> } | null;
  slots: readonly (keyof Slots)[];
}
export interface Hours {
  text: string;
  from: string;
  to: string;
  /** 1 = Monday … 7 = Sunday */
  days?: readonly number[];
}

/** The response for a host without a label. In demo mode on plain localhost it lists the labels. */
export interface NoPortal {
  contract: 1;
  build: string;
  demo: boolean;
  label: null;
  labels?: readonly Card[];
}
export interface Card {
  key: string;
  name: string;
  /** Host on which the label's customers sign in. */
  host: string;
  url: string;
  /** For a label that has moved: the host that shows what its customers see, without a form. */
  live: { host: string; url: string } | null;
  kind: Kind;
  theme: Readonly<Record<string, string>>;
  logo: string;
  /** The illustration is shown on the primary color. */
  illustration?: string | null;
}

export const isPortal = (p: Portal | NoPortal): p is Portal => p.label !== null;

/**
 * Returns the portal response embedded in the page; if there is none, fetches it.
 * @throws when neither is available
 */
export async function loadPortal(doc: Document = document): Promise<Portal | NoPortal> {
  const inline = doc.getElementById('portal')?.textContent;
  if (inline) return JSON.parse(inline) as Portal | NoPortal;
  return fetchPortal();
}

/** @param bearer token of a session, which the response then describes */
export async function fetchPortal(bearer?: string): Promise<Portal> {
  const answer = await fetch('/api/v0/portal', {
    headers: {
      Accept: 'application/json',
      'X-PORTAL-BRANDING': location.hostname,
      ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}),
    },
    cache: 'no-store',
  });
  if (!answer.ok) throw new Error(`portal ${answer.status}`);
  return (await answer.json()) as Portal;
}

/** Returns the portal response for the customer of a session. */
export async function customerPortal(session: Session): Promise<Portal> {
  const answer = await session.fetch('/portal', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`portal ${answer.status}`);
  return (await answer.json()) as Portal;
}
