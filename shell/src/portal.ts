import type { Kind, Locale } from '@wattle/sdk';
import type { Manifest, Operation } from '@wattle/sdk/host';
import type { SessionInfo } from './session';

/** GET /api/v0/portal: what the shell needs at start for this host. */
export interface Portal {
  contract: 1;
  build: string;
  demo: boolean;
  now: string;
  zone: string;
  label: Label;
  remotes: readonly { key: string; entry: string; manifest: Manifest }[];
  slots: Readonly<Record<string, { order?: readonly string[]; hide?: readonly string[] }>>;
  /** Optional items of the main menu that the label asks for: `<module>.<item>`. */
  menu: { show?: readonly string[] };
  settings: Readonly<Record<string, unknown>>;
  /** The label's own texts. */
  messages: Readonly<Record<Locale, Record<string, string>>>;
  operations: Readonly<Record<string, Operation>>;
  session?: SessionInfo | null;
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
  favicon?: string;
  /** The label has moved to another portal; `form`: one can still sign in here. */
  migrated?: { url?: string | null; name?: string | null; form: boolean; test_host?: string | null } | null;
}
export interface Hours {
  text: string;
  from: string;
  to: string;
  /** 1 = Monday … 7 = Sunday */
  days?: readonly number[];
}

/** A host without a label: nothing, or in demo mode on plain localhost the labels there are. */
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
  /** Where one can sign in. */
  host: string;
  url: string;
  /** The label has moved: what its customers see, without a form. */
  live: { host: string; url: string } | null;
  kind: Kind;
  theme: Readonly<Record<string, string>>;
  logo: string;
}

export const isPortal = (p: Portal | NoPortal): p is Portal => p.label !== null;

/**
 * The portal that stands in the page, else what the server answers.
 * @throws when there is neither
 */
export async function loadPortal(doc: Document = document): Promise<Portal | NoPortal> {
  const inline = doc.getElementById('portal')?.textContent;
  if (inline) return JSON.parse(inline) as Portal | NoPortal;
  return fetchPortal();
}

/** @param bearer with a token the answer says whose session it is */
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
