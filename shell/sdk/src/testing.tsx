import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from 'react';
import { IntlProvider } from 'react-intl';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { type Host, HostContext, ModuleContext, type Notification, type Operation, type Portal, setTransport } from './context';
import { setSaver } from './download';
import { intlLocale } from './intl-locale';
import type { Locale } from './remote';

/** A response of the fake API: a value is the body of a 200, a Response is sent unchanged; a function returns either. */
export type Answer = unknown | ((request: FakeRequest) => unknown);
export interface FakeRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  /** The query, including parameters that occur more than once. */
  search: URLSearchParams;
  params: Record<string, string>;
  body: unknown;
  headers: Headers;
}
/** Responses by `METHOD /path/{template}`; `calls` records the requests. */
export interface FakeApi {
  answers: Record<string, Answer>;
  calls: FakeRequest[];
  /** The files that were saved. */
  saved: SavedFile[];
}

/** A saved file: either fetched and saved under a name, or a path that the browser fetches with a ticket. */
export type SavedFile = { name: string; file: Blob } | { path: string };

/** Returns a file response for the fake API. */
export const file = (name: string, content: BlobPart, type = 'application/pdf'): Response =>
  new Response(new Blob([content], { type }), {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
  });

/** Returns a problem response for the fake API. */
export const refuse = (status: number, code: string, errors?: readonly { field: string; code: string }[]): Response =>
  Response.json({ status, code, title: code, ...(errors ? { errors } : {}) }, { status });

/**
 * Installs a fake API that responds from a table. A call that matches no template fails with 404 `not_found`. `POST /downloads`
 * returns a ticket for any path, unless the table has another response for it.
 */
export function fakeApi(answers: Record<string, Answer>): FakeApi {
  const tickets: string[] = [];
  const api: FakeApi = { answers: { ...answers }, calls: [], saved: [] };
  api.answers['POST /downloads'] ??= ({ body }: FakeRequest) => ({
    url: `/api/v0/downloads/${tickets.push((body as { path: string }).path) - 1}`,
    expires_in: 60,
  });
  setSaver({
    file: (name, content) => void api.saved.push({ name, file: content }),
    address: (url) => void api.saved.push({ path: tickets[Number(url.split('/').at(-1))] ?? url }),
  });
  setTransport({
    async fetch(path, init) {
      const url = new URL(path, 'http://fake');
      for (const [name, answer] of Object.entries(api.answers)) {
        const [method = '', template = ''] = name.split(' ');
        const params = method === init.method ? match(template, url.pathname) : undefined;
        if (!params) continue;
        const request: FakeRequest = {
          method,
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          search: url.searchParams,
          params,
          body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
          headers: new Headers(init.headers),
        };
        api.calls.push(request);
        const out = await (typeof answer === 'function' ? (answer as (r: FakeRequest) => unknown)(request) : answer);
        if (out instanceof Response) return out.clone();
        return out === undefined ? new Response(null, { status: 204 }) : Response.json(out);
      }
      return refuse(404, 'not_found');
    },
    signOut: () => new Promise(() => undefined),
  });
  return api;
}

function match(template: string, path: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template.replace(/\{(\w+)\}/g, (_, n: string) => {
    names.push(n);
    return '([^/]+)';
  });
  const found = new RegExp(`^${pattern}$`).exec(path);
  return found ? Object.fromEntries(names.map((n, i) => [n, decodeURIComponent(found[i + 1] ?? '')])) : undefined;
}

export interface FakePortalProps {
  children: ReactNode;
  module?: string;
  locale?: Locale;
  /** Message catalog for the language: texts or compiled ASTs. */
  messages?: Record<string, unknown>;
  portal?: Partial<Portal>;
  settings?: unknown;
  /** The available operations; by default every operation may be called. */
  operations?: Record<string, Operation>;
  overlays?: Host['overlays'];
  now?: string;
  /** Renders the slots that the tested module owns; by default only what the module puts into them itself. */
  slot?: Host['Slot'];
  /** The path at which the children are rendered; `route` is the pattern of their route. */
  at?: string;
  route?: string;
  onNotify?(n: Notification): void;
}

const anything: Record<string, Operation> = new Proxy(
  {},
  { get: () => ({ access: 'customer', effect: 'write', impersonation: false }) },
);
const label = {
  key: '9999',
  name: 'Noorderwind',
  email: 'klantenservice@noorderwind.example',
  phone: '050 123 45 67',
  hours: [{ text: 'Ma t/m vr', from: '08:30', to: '17:00', days: [1, 2, 3, 4, 5] }],
};

const ownContent: Host['Slot'] = ({ children }) => children;

/** Provides everything that a page, overlay or slot view needs: portal, router, queries and texts. */
export function FakePortal(p: FakePortalProps): ReactElement {
  const locale = p.locale ?? 'nl';
  const queries = useMemo(
    () => new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } }),
    [],
  );
  const host: Host = {
    portal: {
      locale,
      kind: 'participant',
      timeZone: 'Europe/Amsterdam',
      demo: true,
      landing: '/account',
      label,
      session: { id: 'customer-1', role: 'customer', name: 'J. de Vries' },
      ...p.portal,
    },
    draftScope: 'test:customer-1',
    now: () => Date.parse(p.now ?? '2026-11-20T10:00:00Z'),
    settings: { [p.module ?? 'test']: p.settings ?? {} },
    operations: p.operations ?? anything,
    overlays: p.overlays ?? [],
    notify: (n) => p.onNotify?.(n),
    preload: () => undefined,
    Slot: p.slot ?? ownContent,
  };
  const page = (
    <HostContext value={host}>
      <ModuleContext value={p.module ?? 'test'}>{p.children}</ModuleContext>
    </HostContext>
  );
  const router = useMemo(
    () =>
      createMemoryRouter(
        [
          { path: p.route ?? '*', element: <Page /> },
          { path: '*', element: null },
        ],
        { initialEntries: [p.at ?? '/'] },
      ),
    [p.at, p.route],
  );
  return (
    <IntlProvider locale={intlLocale(locale)} messages={(p.messages ?? {}) as Record<string, string>} onError={() => undefined}>
      <QueryClientProvider client={queries}>
        <PageContext value={page}>
          <RouterProvider router={router} />
        </PageContext>
      </QueryClientProvider>
    </IntlProvider>
  );
}

// The router keeps its elements, so props that change between renders reach the page through a context.
const PageContext = createContext<ReactNode>(null);
const Page = (): ReactNode => useContext(PageContext);
