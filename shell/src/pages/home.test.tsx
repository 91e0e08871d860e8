import { act, cleanup, render, screen } from '@testing-library/react';
import type { SlotItem } from '@wattle/sdk';
import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { type ReactNode, useLayoutEffect } from 'react';
import { IntlProvider } from 'react-intl';
import { afterEach, expect, vi } from 'vitest';
import { compose } from '../compose';
import { type Shell, ShellContext } from '../context';
import { FirstPaintGate } from '../first-paint-gate';
import { NoticeNode } from '../slot';
import Home from './home';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type View = (props: { hold(): () => void }) => ReactNode;

let shown = 0;
/** How many views hold the first page. */
let holders = 0;
const hold = () => {
  holders++;
  return () => {
    holders--;
  };
};

/** Renders /home with two tiles, the element with the notices, and what must be paid. */
async function show(
  size: NonNullable<SlotItem<object>['size']>,
  names: object = { name: 'Fenna' },
  dueView?: View,
  code: Promise<{ default: View | undefined }> = Promise.resolve({ default: dueView }),
): Promise<void> {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const home = ['glance', 'invoices'].map((id, order) => ({ id, order, size, title: { id, defaultMessage: id } }));
  const due = dueView ? [{ id: `due${++shown}`, order: 1 }] : []; // the code of a view is fetched once per id
  const manifest = { key: 'm', slots: { home, due }, routes: [], overlays: [], menu: [], titles: {} } as unknown as Manifest;
  const remote = {
    slots: {
      home: home.map(({ id }) => ({ id, view: () => Promise.resolve({ default: () => `content of ${id}` }) })),
      due: due.map(({ id }) => ({ id, view: () => code })),
    },
    slotMessages: () => Promise.resolve({ default: {} }),
  };
  const place = { kind: 'participant', mobile: false, settings: {} } as const;
  const session = { role: 'customer', ...names };
  const shell = {
    portal: { label: { key: 'acme', promo: null }, remotes: [{ key: 'm', manifest }], slots: {}, messages: {}, zone: 'UTC' },
    session: { subscribe: () => () => undefined, get: () => session },
    remotes: { get: () => Promise.resolve(remote) },
    locale: 'en',
    place,
    composition: compose([manifest], place),
    now: () => Date.parse('2026-11-20T10:00:00Z'),
  } as unknown as Shell;
  const notices = document.createElement('div');
  notices.textContent = 'notices';
  await act(async () => {
    render(
      <IntlProvider locale="en" onError={() => undefined}>
        <ShellContext value={shell}>
          <FirstPaintGate value={hold}>
            <NoticeNode value={notices}>
              <Home />
            </NoticeNode>
          </FirstPaintGate>
        </ShellContext>
      </IntlProvider>,
    );
  });
}

row('9-home-greeting', '/home greets the customer by name', async () => {
  await show('half');
  expect(document.querySelector('h1')).toHaveTextContent('Good morning, Fenna');
});

row('9-greeting-name', 'by first name where it is known', async () => {
  await show('half', { name: 'F.A. de Boer', preferred_name: 'Fenna' });
  expect(document.querySelector('h1')?.textContent, '9-greeting-name').toBe('Good morning, Fenna');
  cleanup();
  await show('half', { name: 'F.A. de Boer' });
  expect(document.querySelector('h1')?.textContent, '9-greeting-name').toBe('Good morning, F.A. de Boer');
});

row('2.1-notices-place', 'on /home notices are below a first tile with its own row, otherwise above all tiles', async () => {
  for (const [size, order] of [
    ['full', ['glance', 'notices', 'invoices']],
    ['half', ['notices', 'glance', 'invoices']],
  ] as const) {
    await show(size);
    const text = screen.getByRole('heading', { level: 1 }).closest('[data-width]')?.textContent ?? '';
    const places = order.map((part) => text.indexOf(part));
    expect(places, size).not.toContain(-1);
    expect(places, size).toEqual([...places].sort((a, b) => a - b));
    cleanup();
  }
});

row('9-home-quiet', 'small tiles have a small title', async () => {
  for (const [size, font] of [
    ['third', '16px'],
    ['half', '20px'],
  ] as const) {
    await show(size);
    const titles = screen.getAllByRole('heading', { level: 2 });
    expect(titles).toHaveLength(2);
    for (const title of titles) expect(getComputedStyle(title).fontSize, '9-home-quiet').toBe(font);
    cleanup();
  }
});

row(
  '9-glance-due',
  'what must be paid is in one card below what shares make, or first; nothing while nothing must be paid or is not known yet',
  async () => {
    const line = () => (
      <li>
        <strong>€ 310,00</strong>
      </li>
    );
    const card = () => screen.queryByRole('region', { name: 'To pay' });
    for (const [size, order] of [
      ['full', ['content of glance', '€ 310,00', 'notices', 'content of invoices']],
      ['half', ['€ 310,00', 'notices', 'content of glance', 'content of invoices']],
    ] as const) {
      await show(size, undefined, line);
      expect(card(), '9-glance-due').toHaveTextContent('€ 310,00');
      const text = document.querySelector('[data-width]')?.textContent ?? '';
      const places = order.map((part) => text.indexOf(part));
      expect(places, '9-glance-due').not.toContain(-1);
      expect(places, '9-glance-due').toEqual([...places].sort((a, b) => a - b));
      cleanup();
    }
    for (const view of [() => null, () => <div role="status" aria-busy="true" />, undefined]) {
      await show('full', undefined, view);
      expect(card()).toBeNull();
      // what it may push down is not seen before it is known whether there is something to pay
      expect(screen.getByText(/content of glance/), 'above it').toBeVisible();
      const seen = expect(screen.getByText(/content of invoices/));
      const busy = document.querySelector('[aria-busy="true"]');
      if (busy) seen.not.toBeVisible();
      else seen.toBeVisible();
      const below = busy?.closest('section')?.parentElement?.nextElementSibling;
      if (below) expect(getComputedStyle(below).animation, '9-glance-due: at most 5 seconds').toMatch(/\b5s forwards\b/);
      else expect(busy).toBeNull();
      cleanup();
    }
  },
);

row('9-glance-due', 'the first page waits while the code of a line loads, and for as long as its view holds it', async () => {
  const Line = ({ hold }: { hold(): () => void }) => {
    useLayoutEffect(hold, [hold]);
    return null;
  };
  let load = (_: { default: View }): void => undefined;
  const code = new Promise<{ default: View }>((resolve) => {
    load = resolve;
  });
  await show('full', undefined, Line, code);
  expect(holders, '9-glance-due: its code').toBe(1);
  await act(async () => load({ default: () => null }));
  expect(holders, '9-glance-due: nothing to wait for').toBe(0);
  cleanup();
  await show('full', undefined, Line);
  expect(holders, '9-glance-due: its view').toBe(1);
  cleanup();
  expect(holders).toBe(0);
});
