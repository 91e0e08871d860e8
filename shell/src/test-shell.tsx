import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import type { Remote } from '@wattle/sdk';
import { createMemoryRouter, type Manifest, RouterProvider, setTransport } from '@wattle/sdk/host';
import { createContext, type ReactElement, type ReactNode, useContext } from 'react';
import { IntlProvider } from 'react-intl';
import { vi } from 'vitest';
import kitEn from '../ui/messages/en.json';
import kitNl from '../ui/messages/nl.json';
import { compose, type Place } from './compose';
import { type Shell, ShellContext } from './context';
import en from './messages/en.json';
import nl from './messages/nl.json';
import type { Label, Portal } from './portal';
import type { SessionInfo } from './session';

const messages = { en: { ...kitEn, ...en }, nl: { ...kitNl, ...nl } };

const listeners = new Set<() => void>();
let width = 1280;
/** Sets the width of the window and the results of media queries about it; vitest's `unstubAllGlobals` undoes this. */
export function setWidth(pixels: number): void {
  width = pixels;
  vi.stubGlobal('innerWidth', pixels);
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, bound = '', px = ''] = /^\((min|max)-width: (\d+)px\)$/.exec(query) ?? [];
    return {
      get matches() {
        return bound === 'min' ? width >= Number(px) : bound === 'max' && width <= Number(px);
      },
      addEventListener: (_: string, on: () => void) => listeners.add(on),
      removeEventListener: (_: string, on: () => void) => listeners.delete(on),
    };
  });
  act(() => {
    for (const on of [...listeners]) on();
    dispatchEvent(new Event('resize'));
  });
}

export const customer: SessionInfo = {
  id: 's1',
  account: 'a1',
  label: 'acme',
  role: 'customer',
  name: 'Fenna de Boer',
  username: 'fenna',
  relation: 'r1',
};

export interface ShellSpec {
  label?: Partial<Label>;
  portal?: Partial<Portal>;
  session?: SessionInfo | null;
  /** Overrides of the session's methods. */
  does?: object;
  manifest?: Partial<Manifest>;
  /** The modules of the label, instead of the single one of `manifest`. */
  manifests?: readonly Manifest[];
  remote?: Partial<Remote>;
  /** The remotes of the label, instead of the single one of `remote`. */
  remotes?: object;
  /** The code of a problem of the start. */
  startProblem?: string;
  locale?: 'nl' | 'en';
  at?: string;
  /** Returns the response to a call of the page: a status and a body. */
  answer?(path: string): readonly [status: number, body: unknown];
}

/** Renders a part of the shell in tests, for a label with one module named m. */
export function drawInShell(part: ReactElement, spec: ShellSpec = {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter([{ path: '*', element: <Page /> }], { initialEntries: [spec.at ?? '/dashboard'] });
  return drawShell(
    <QueryClientProvider client={queries}>
      <PageContext value={part}>
        <RouterProvider router={router} />
      </PageContext>
    </QueryClientProvider>,
    spec,
  );
}

/** Renders the shell, or a part of it that has its own router and queries. */
export function drawShell(part: ReactElement, spec: ShellSpec = {}) {
  const { locale = 'en', session = customer } = spec;
  const manifest = {
    key: 'm',
    routes: [],
    overlays: [],
    menu: [],
    slots: {},
    titles: {},
    ...spec.manifest,
  } as unknown as Manifest;
  const manifests = spec.manifests ?? [manifest];
  const place: Place = { kind: spec.label?.kind ?? 'customer', mobile: width < 768, settings: {} };
  const shell = {
    portal: {
      label: {
        key: 'acme',
        name: 'Acme',
        kind: 'customer',
        landing: '/dashboard',
        email: 'info@acme.example',
        phone: '050 123 45 67',
        hours: [],
        accessibility: { status: 'partial' },
        logo: '/logo.svg',
        promo: null,
        ...spec.label,
      },
      remotes: manifests.map((m) => ({ key: m.key, entry: '', manifest: m })),
      slots: {},
      menu: {},
      messages: { nl: {}, en: {} },
      operations: {},
      zone: 'Europe/Amsterdam',
      ...spec.portal,
    },
    session: {
      subscribe: () => () => undefined,
      onEnd: () => undefined,
      get: () => session,
      signOut: () => undefined,
      ...spec.does,
    },
    remotes: spec.remotes ?? {
      get: async () => ({ key: 'm', contract: 1, slotMessages: async () => ({ default: {} }), ...spec.remote }),
    },
    startProblem: spec.startProblem,
    locale,
    setLocale: () => undefined,
    place,
    composition: compose(manifests, place),
    now: () => Date.parse('2026-11-20T10:00:00Z'),
  } as unknown as Shell;
  setTransport({
    fetch: async (path) => {
      const [status, body] = spec.answer?.(path) ?? [404, { status: 404, code: 'not_found', title: 'x' }];
      return Response.json(body, { status });
    },
    signOut: () => new Promise(() => undefined),
  });
  return render(
    <IntlProvider locale={locale} messages={messages[locale]} onError={() => undefined}>
      <ShellContext value={shell}>{part}</ShellContext>
    </IntlProvider>,
  );
}

// The router keeps its elements, so the part reaches the page through a context.
const PageContext = createContext<ReactNode>(null);
const Page = (): ReactNode => useContext(PageContext);
