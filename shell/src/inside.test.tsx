import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { Inside } from './inside';
import { drawShell, setWidth } from './test-shell';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

row('7.7-sign-out-effect', 'no answer that the last user got remains when the session ends', async () => {
  setWidth(1280);
  vi.stubGlobal('scrollTo', () => undefined);
  const used = vi.spyOn(QueryClient.prototype, 'mount');
  const ends: (() => void)[] = [];
  await act(async () => void drawShell(<Inside />, { does: { onEnd: (clear: () => void) => ends.push(clear) } }));
  const queries = used.mock.contexts[0] as QueryClient;
  queries.setQueryData(['billing'], ['an invoice']);
  sessionStorage.setItem('wattle:draft:acme:move', '"Lindelaan 7"');
  for (const end of ends) end();
  expect(queries.getQueryCache().getAll()).toEqual([]);
  expect(sessionStorage, 'drafts').toHaveLength(0);
});

row('2.1-unknown-path', 'leads to the landing page of the label; a page whose remote does not load keeps its path', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // React reports what a boundary catches
  setWidth(1280);
  vi.stubGlobal('scrollTo', () => undefined);
  const title = { id: 'm.t', defaultMessage: 'T' };
  const manifest = { routes: ['/account', '/notes'].map((path) => ({ path, title })) } as unknown as Partial<Manifest>;
  const remotes = { get: () => Promise.reject(new Error('503')), forget: async () => undefined };
  for (const [kind, landing] of [
    ['customer', '/dashboard'],
    ['participant', '/account'],
  ] as const)
    for (const [at, to] of [
      ['/nothing', landing],
      ['/notes/7', landing],
      ['/notes', '/notes'],
    ] as const) {
      history.replaceState(null, '', at);
      await act(async () => void drawShell(<Inside />, { manifest, remotes, label: { kind, landing } }));
      if (to !== '/dashboard') expect(await screen.findByText('Try again', undefined, { timeout: 5_000 })).toBeVisible();
      await waitFor(() => expect(location.pathname, `2.1-unknown-path: ${kind} ${at}`).toBe(to));
      cleanup();
    }
});
