import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import { type Problem, ProblemError, problemOf } from './problem';
import type { AccountGroup, Kind, Locale, Path, Slots } from './remote';

/** What a remote may read from the portal. It has no access to the rest of the shell. */
export interface Portal {
  readonly locale: Locale;
  readonly kind: Kind;
  readonly timeZone: string;
  readonly demo: boolean;
  /** The page that opens after signing in. */
  readonly landing: Path;
  /** What the label shows about projects, by project code: `picture` is the URL of a drawing or photo. */
  readonly projects?: Readonly<Record<string, { readonly picture: string | null }>>;
  readonly label: {
    /** The value of label_key or labelKey in calls that name their label. Never branch on it: use the label's settings instead. */
    key: string;
    name: string;
    email: string;
    phone: string;
    hours: readonly { text: string; from: string; to: string; days?: readonly number[] }[];
    privacyUrl?: string;
  };
  readonly session: null | {
    id: string;
    role: 'customer' | 'staff';
    name: string;
    /** The first name that the person uses, where it is known. */
    preferredName?: string | undefined;
    impersonator?: { name: string; until: string };
  };
}

/** Access rules of an operation, from its x-access and x-effect and the label's impersonation.allow. */
export interface Operation {
  access: 'public' | 'customer' | 'staff' | 'key';
  effect: 'read' | 'write';
  impersonation: boolean;
}

export interface Notification {
  kind: 'alert' | 'notice';
  tone: 'good' | 'bad' | 'info';
  text: string;
  at?: 'top';
}

export interface SlotProps<S extends keyof Slots> {
  name: S;
  /** The props of the slots `notice` and `due` come from the portal itself. */
  props: S extends 'notice' | 'due' ? object : Slots[S];
  /** Renders the frame around an item; by default a card with its title. */
  frame?: (item: {
    /** Unique in the slot, together with the module. */
    id: string;
    /** Key of the module that provides the item. */
    module: string;
    title?: string;
    size: 'third' | 'half' | 'two-thirds' | 'full';
    /** The summary view of the item, if it has one. Its code is fetched when it is first rendered. */
    summary?: ReactNode;
    children: ReactNode;
  }) => ReactNode;
  /** Only the items of this group. */
  group?: AccountGroup;
  /** The page's own content after the items, above the label's promo where that comes last. */
  children?: ReactNode;
}

/** What the shell provides to the SDK. */
export interface Host {
  portal: Portal;
  /** Label and subject, under which drafts are kept. */
  draftScope: string;
  /** The current time according to the server's clock, in milliseconds since 1970. */
  now(): number;
  settings: Readonly<Record<string, unknown>>;
  operations: Readonly<Record<string, Operation>>;
  overlays: readonly { name: string; params?: readonly string[] }[];
  notify(n: Notification): void;
  /** Loads the entry, page and messages for a path. */
  preload(path: string): void;
  Slot: ComponentType<SlotProps<keyof Slots>>;
}

export const HostContext = createContext<Host | null>(null);
/** Key of the module whose page, overlay or slot view is rendered. */
export const ModuleContext = createContext<string>('core');

export function useHost(): Host {
  const host = useContext(HostContext);
  if (!host) throw new Error('@wattle/sdk: used outside of the portal (in a test: wrap in FakePortal of @wattle/sdk/testing)');
  return host;
}

/** Sends requests to the server: it adds the label, language and session headers, and refreshes the session once after a 401. */
export interface Transport {
  /** @param path relative to /api/v0, including the query */
  fetch(path: string, init: RequestInit): Promise<Response>;
  signOut(): Promise<never>;
}

let transport: Transport | undefined;
export const setTransport = (t: Transport): void => {
  transport = t;
};
export function currentTransport(): Transport {
  if (!transport) throw new Error('@wattle/sdk: no transport');
  return transport;
}

export interface Call {
  path?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Returns a path with each `{name}` replaced by its value and the query appended. Undefined query values are omitted. */
export function address(template: string, { path, query }: Call): string {
  const values = (path ?? {}) as Record<string, string | number>;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const v = values[name];
    if (v === undefined || v === '') throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(v);
  });
  const search = new URLSearchParams();
  for (const [k, v] of Object.entries((query ?? {}) as Record<string, unknown>))
    for (const one of Array.isArray(v) ? v : [v]) if (one !== undefined && one !== null) search.append(k, String(one));
  const q = search.toString();
  return q ? `${filled}?${q}` : filled;
}

/**
 * Calls the API and returns the decoded body, or undefined if there is none.
 * @throws {ProblemError} for every response that is not 2xx, and with status 0 and code `network` when there is no response
 */
export async function call(method: string, template: string, c: Call = {}): Promise<unknown> {
  const answer = await raw(method, template, c);
  if (answer.status === 204 || answer.headers.get('content-length') === '0') return undefined;
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

export async function raw(method: string, template: string, c: Call): Promise<Response> {
  const init: RequestInit = { method: method.toUpperCase(), headers: { Accept: 'application/json', ...c.headers } };
  if (c.signal) init.signal = c.signal;
  if (c.body instanceof FormData) init.body = c.body;
  else if (c.body !== undefined) {
    init.body = JSON.stringify(c.body);
    init.headers = { ...(init.headers as Record<string, string>), 'Content-Type': 'application/json' };
  }
  let answer: Response;
  try {
    answer = await currentTransport().fetch(address(template, c), init);
  } catch (cause) {
    if (c.signal?.aborted || cause instanceof ProblemError) throw cause;
    throw new ProblemError({ status: 0, code: 'network', title: 'no answer' } satisfies Problem);
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

export type { Path };
