import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { Page } from '@wattle/ui';
import { afterEach, expect, vi } from 'vitest';
import { Frame } from './frame/frame';
import { Part } from './part';
import { Slot } from './slot';
import { drawInShell, setWidth } from './test-shell';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Waits until something is rendered; code and texts of remotes load in several steps. */
async function drawn(find: () => HTMLElement | null): Promise<HTMLElement | null> {
  while (!find()) await act(() => new Promise<void>((done) => void setImmediate(done)));
  return find();
}

row(
  'face-remote-down',
  'menu items stay; page and tile have a retry each in their place, and the rest of the page works',
  async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(console, 'error').mockImplementation(() => undefined); // React reports what a boundary catches
    setWidth(1280);
    let down = true;
    const forgotten: string[] = [];
    const text = (id: string) => ({ id: `m.${id}`, defaultMessage: id });
    const view = (content: string) => async () => ({ default: () => <p>{content}</p> });
    const remotes = {
      get: async () => {
        if (down) throw new Error('503');
        const tile = { id: 'tile', view: view('the tile') };
        const page = { path: '/notes', page: view('the notes') };
        return { key: 'm', contract: 1, messages: async () => ({ default: {} }), slots: { dashboard: [tile] }, routes: [page] };
      },
      forget: async (key: string) => void forgotten.push(key),
    };
    const manifest = {
      routes: [{ path: '/notes', title: text('notes') }],
      menu: [{ id: 'notes', to: '/notes', label: text('notes'), place: { customer: { order: 1 }, participant: { order: 1 } } }],
      slots: { dashboard: [{ id: 'tile', order: 1, rows: 2, title: text('tile') }] },
    } as unknown as Partial<Manifest>;
    await act(
      async () =>
        void drawInShell(
          <Frame landing="/dashboard" bare={false} page="/notes">
            <Page title="the page">
              <section aria-label="tiles">
                <Slot name="dashboard" props={{}} />
              </section>
              <section aria-label="notes">
                <Part module="m" id="/notes" pick={(r) => r.routes?.find((p) => p.path === '/notes')?.page} />
              </section>
              <p>the rest of the page</p>
            </Page>
          </Frame>,
          { manifest, remotes, at: '/notes' },
        ),
    );
    const parts = [
      ['tiles', 'the tile'],
      ['notes', 'the notes'],
    ] as const;
    const part = (name: string) => within(document.querySelector(`section[aria-label="${name}"]`) as HTMLElement);
    for (const [name] of parts) expect(await drawn(() => part(name).queryByText('Try again')), name).toBeVisible();
    expect(part('tiles').getByText('tile'), 'the frame of the tile has its title').toBeVisible();
    expect(document.querySelector('nav[aria-label="Main menu"] a[href="/notes"]')).not.toBeNull();
    expect(screen.getByText('the rest of the page')).toBeVisible();
    down = false;
    for (const [name, content] of parts) {
      expect(part(name).queryByText(content), name).toBeNull();
      await act(async () => void fireEvent.click(part(name).getByText('Try again')));
      expect(await drawn(() => part(name).queryByText(content)), name).toBeVisible();
    }
    expect(forgotten).toEqual(['m', 'm']);
  },
);
