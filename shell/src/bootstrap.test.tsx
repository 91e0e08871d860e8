import { act, fireEvent, screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { afterEach, expect, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  document.getElementById('root')?.remove();
});

row('8-startup-failure', 'a start without an answer shows the general error, in the language of the reader', async () => {
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  localStorage.setItem('wattle:locale', 'nl');
  const asked = vi.fn(async () => new Response('{}', { status: 503 }));
  vi.stubGlobal('fetch', asked);
  await act(async () => void (await import('./bootstrap')));
  expect(await screen.findByText('Dit portaal is nu niet beschikbaar', { selector: 'h1' })).toBeVisible();
  expect(asked.mock.calls.map(([url]: unknown[]) => url)).toEqual(['/api/v0/portal']);
  expect([document.title, document.documentElement.lang]).toEqual(['Dit portaal is nu niet beschikbaar', 'nl']);
  expect(root.querySelector('img, nav, form'), 'nothing of a label').toBeNull();
  expect(screen.getByText('Probeer opnieuw')).toBeVisible();
  await act(async () => void fireEvent.click(screen.getByText('EN')));
  expect(await screen.findByText('This portal is not available right now', { selector: 'h1' })).toBeVisible();
  expect(document.title).toBe('This portal is not available right now');
});
