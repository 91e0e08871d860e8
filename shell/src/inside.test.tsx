import { QueryClient } from '@tanstack/react-query';
import { act, cleanup } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';
import { Inside } from './inside';
import { drawShell, setWidth } from './test-shell';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

row('7.7-sign-out-effect', 'no answer that the last user got remains when the session ends', async () => {
  setWidth(1280);
  vi.stubGlobal('scrollTo', () => undefined);
  const used = vi.spyOn(QueryClient.prototype, 'mount');
  const ends: (() => void)[] = [];
  await act(async () => void drawShell(<Inside />, { does: { onEnd: (clear: () => void) => ends.push(clear) } }));
  const queries = used.mock.contexts[0] as QueryClient;
  queries.setQueryData(['billing'], ['an invoice']);
  for (const end of ends) end();
  expect(queries.getQueryCache().getAll()).toEqual([]);
});
