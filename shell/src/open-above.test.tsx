// An overlay of this repository's remotes, opened by its address. Journeys open each overlay by a link.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Remote } from '@wattle/sdk';
import { type Manifest, manifestOf } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { Inside } from './inside';
import { drawShell, type ShellSpec, setWidth } from './test-shell';

const remotes = path.join(import.meta.dirname, '../../remotes');
const manifests: Manifest[] = [];
beforeAll(async () => {
  for (const key of readdirSync(remotes)) {
    const folder = path.join(remotes, key, 'src');
    const { default: remote } = (await import(path.join(folder, 'remote.ts'))) as { default: Remote };
    const texts = (locale: string) =>
      JSON.parse(readFileSync(path.join(folder, `messages/${locale}.json`), 'utf8')) as Record<string, string>;
    const manifest = manifestOf(remote, '1', { nl: texts('nl'), en: texts('en') });
    manifests.push({ ...manifest, slots: {} });
  }
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const start = '/contact';
const overlays = () => manifests.flatMap((m) => m.overlays);

const Start = () => (
  <h1 data-title tabIndex={-1}>
    Start
  </h1>
);

async function draw(width: number, at = start) {
  vi.stubGlobal('scrollTo', () => undefined);
  setWidth(width);
  history.replaceState(null, '', at);
  const texts = async () => ({ default: {} });
  const spec: ShellSpec = {
    manifests,
    label: { kind: 'participant', landing: start },
    portal: { slots: {} },
    answer: () => [200, []],
    remote: {
      messages: texts,
      slotMessages: texts,
      routes: manifests.flatMap((m) => m.routes.map((r) => ({ path: r.path, page: async () => ({ default: Start }) }))),
      overlays: overlays().map((o) => ({
        name: o.name,
        view: async () => ({ default: () => <button type="button">Inside</button> }),
      })),
    } as unknown as Partial<Remote>,
  };
  await act(async () => void drawShell(<Inside />, spec)); // the page suspends
}
const close = async () => {
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};

row('9-overlay-return', 'opened by its address, focus goes to the title of the page below', async () => {
  await draw(1280, `${start}/create-offer`);
  await within(await screen.findByRole('dialog')).findByText('Inside');
  await close();
  expect(location.pathname).toBe(start);
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});
