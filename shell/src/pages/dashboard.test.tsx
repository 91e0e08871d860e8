import { act, cleanup, render, screen } from '@testing-library/react';
import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { IntlProvider } from 'react-intl';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { compose } from '../compose';
import { type Shell, ShellContext } from '../context';
import Dashboard from './dashboard';

type Seen = (entries: { isIntersecting: boolean }[]) => void;
/** Observed elements, with the function to call when they come near the viewport. */
const watched = new Map<Element, Seen>();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the two-second wait ends only when a test advances the timers
  watched.clear();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #seen: Seen;
      #element: Element | undefined;
      constructor(seen: Seen) {
        this.#seen = seen;
      }
      observe(element: Element) {
        this.#element = element;
        watched.set(element, this.#seen);
      }
      disconnect() {
        if (this.#element) watched.delete(this.#element);
      }
    },
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Renders the dashboard with five tiles of a module that also fills slot attention; returns what was fetched. */
async function show(module: string): Promise<string[]> {
  const fetched: string[] = [];
  const view = (id: string) => () => {
    fetched.push(id);
    return Promise.resolve({ default: () => <li>{`content of ${id}`}</li> });
  };
  const item = (id: string, order: number) => ({ id, order, rows: 2, title: { id: `${module}.${id}`, defaultMessage: id } });
  const slots = {
    dashboard: [item('one', 10), item('two', 20), item('three', 30), item('four', 50), item('five', 60)],
    attention: [{ id: 'contract', order: 10 }],
  };
  const manifest = { key: module, slots, routes: [], overlays: [], menu: [], titles: {} } as unknown as Manifest;
  const viewed = ({ id }: { id: string }) => ({ id, view: view(id) });
  const remote = {
    key: module,
    slots: { dashboard: slots.dashboard.map(viewed), attention: slots.attention.map(viewed) },
    slotMessages: () => Promise.resolve({ default: {} }),
  };
  const place = { kind: 'customer', mobile: false, settings: {} } as const;
  const session = { role: 'customer', name: 'F.A. de Boer', preferred_name: 'Fenna' };
  const shell = {
    portal: {
      label: { key: 'acme', promo: null },
      remotes: [{ key: module, manifest }],
      slots: {},
      messages: {},
      zone: 'Europe/Amsterdam',
    },
    session: { subscribe: () => () => undefined, get: () => session },
    remotes: { get: () => Promise.resolve(remote) },
    locale: 'en',
    place,
    composition: compose([manifest], place),
    now: () => Date.parse('2026-11-20T10:00:00Z'),
  } as unknown as Shell;
  await act(async () => {
    render(
      <IntlProvider locale="en" onError={() => undefined}>
        <ShellContext value={shell}>
          <Dashboard />
        </ShellContext>
      </IntlProvider>,
    );
  });
  return fetched;
}

const waiting = () => [...watched.keys()].map((e) => e.closest('[data-tile]')?.getAttribute('data-tile'));
/** Simulates that a tile comes near the viewport. */
const comes = (tile: string) =>
  act(async () => {
    for (const [element, seen] of watched) if (element.closest(`[data-tile="${tile}"]`)) seen([{ isIntersecting: true }]);
  });
/** Waits until a view is rendered, without timers, which are fake. */
async function drawn(id: string): Promise<void> {
  while (!screen.queryByText(`content of ${id}`)) await act(() => new Promise<void>((done) => void setImmediate(done)));
}
const first = ['one', 'two', 'three'];

row(
  ['9-dashboard-later', '9-home-greeting', '9-greeting-name'],
  'the first three tiles are fetched at once, any other and attention when near the view',
  async () => {
    const fetched = await show('near');
    for (const id of first) await drawn(id);
    expect(document.querySelector('h1')?.textContent, '9-greeting-name, as on /home').toBe('Good morning, Fenna');
    expect(waiting()).toEqual(['attention', 'four', 'five']);
    await comes('five');
    await drawn('five');
    expect(fetched.slice(0, 3).sort(), 'at once').toEqual([...first].sort());
    expect(fetched.slice(3), 'not the fourth, which would have come before').toEqual(['five']);
    await comes('attention');
    await drawn('contract');
    expect(fetched.slice(3)).toEqual(['five', 'contract']);
    await comes('four');
    await drawn('four');
    expect(fetched.slice(3)).toEqual(['five', 'contract', 'four']);
    expect(waiting()).toEqual([]);
  },
);

row('9-dashboard-later', 'the rest is fetched when the page is printed', async () => {
  const fetched = await show('printed');
  for (const id of first) await drawn(id);
  expect(fetched).toEqual(first);
  await act(async () => void dispatchEvent(new Event('beforeprint')));
  for (const id of ['contract', 'four', 'five']) await drawn(id);
});

row('9-dashboard-later', 'the rest is fetched two seconds later', async () => {
  const fetched = await show('later');
  for (const id of first) await drawn(id);
  await act(async () => void vi.advanceTimersByTime(1999));
  expect(waiting()).toEqual(['attention', 'four', 'five']);
  expect(fetched).toEqual(first);
  await act(async () => void vi.advanceTimersByTime(1));
  for (const id of ['contract', 'four', 'five']) await drawn(id);
});
