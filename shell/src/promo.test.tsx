import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { IntlProvider } from 'react-intl';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Shell, ShellContext } from './context';
import type { Promo } from './portal';
import { PromoPlace } from './promo';
import { addClosed, closedIn } from './promo.rules';
import { Slot } from './slot';

const winter: Promo = {
  name: 'winter',
  title: { nl: 'Een warme winter', en: 'A warm winter' },
  text: { nl: 'Zo bespaar je.', en: 'How to save.' },
  picture: '/api/v0/labels/acme/pictures/promo-winter?v=1',
  link: { to: 'https://acme.example/winter', text: { nl: 'Lees meer', en: 'Read more' } },
  slots: ['dashboard', 'home'],
};
const show = (promo: Promo | null, slot: 'dashboard' | 'account' = 'dashboard', locale: 'nl' | 'en' = 'nl') =>
  render(
    <IntlProvider
      locale={locale}
      messages={{ 'shell.promo.close': 'Niet meer tonen', 'ui.new_tab': '(opent in een nieuw tabblad)' }}
      onError={() => undefined}
    >
      <ShellContext value={{ portal: { label: { key: 'acme', promo } }, locale } as unknown as Shell}>
        <h1 data-title tabIndex={-1}>
          Goedemorgen
        </h1>
        <PromoPlace slot={slot} />
      </ShellContext>
    </IntlProvider>,
  );

let near: (entries: { isIntersecting: boolean }[]) => void;
beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(changed: typeof near) {
        near = changed;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});
const comes = () => act(() => near([{ isIntersecting: true }]));

row('9-promo-close', 'on its pages, in the language of the customer, when it comes near the view', async () => {
  show(winter);
  const title = screen.getByText('Een warme winter');
  expect(title, 'it takes its place').not.toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.querySelector('img'), 'its picture is not fetched').toBeNull();
  comes();
  const section = await screen.findByRole('region', { name: 'Een warme winter' });
  expect(section).toHaveTextContent('Zo bespaar je.');
  expect(section.querySelector('img')).toHaveAttribute('src', winter.picture);
  const link = screen.getByRole('link', { name: 'Lees meer (opent in een nieuw tabblad)' });
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  cleanup();
  show(winter, 'account');
  show(null);
  expect(screen.queryByText('Een warme winter')).toBeNull();
  show({ ...winter, link: { to: '/usage', text: { nl: 'Naar je verbruik', en: 'Your usage' } } }, 'dashboard', 'en');
  comes();
  expect(await screen.findByRole('link', { name: 'Your usage' })).not.toHaveAttribute('target');
  expect(screen.getByRole('region', { name: 'A warm winter' })).toBeVisible();
});

row(['9-promo-close', '9-account-groups'], 'below all groups of the account page, unless the label orders it otherwise', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  const session = { role: 'customer' };
  const section = (id: string, group?: string) => ({ id, group, order: 10, title: { id, defaultMessage: `of a ${id}` } });
  const account = [section('module'), section('guard', 'security'), section('person', 'me')];
  const manifest = { key: 'm', slots: { account } } as unknown as Manifest;
  for (const [settings, order] of [
    [{}, ['of a person', 'of a module', 'of a guard', 'of the page', 'Een warme winter']],
    [{ order: ['m.module', 'shell.promo'] }, ['of a person', 'of a module', 'Een warme winter', 'of a guard', 'of the page']],
    [{ order: ['shell.promo', 'm.module'] }, ['of a person', 'Een warme winter', 'of a module', 'of a guard', 'of the page']],
    [{ hide: ['shell.promo', 'm.person'] }, ['of a module', 'of a guard', 'of the page']],
  ] as const) {
    const shell = {
      portal: {
        label: { key: 'acme', promo: { ...winter, slots: ['account'] } },
        remotes: [{ key: 'm', manifest }],
        slots: { account: settings },
        messages: {},
      },
      session: { subscribe: () => () => undefined, get: () => session },
      remotes: { get: () => new Promise(() => undefined) },
      locale: 'nl',
      place: { kind: 'participant', mobile: false, settings: {} },
    } as unknown as Shell;
    render(
      <IntlProvider locale="nl" onError={() => undefined}>
        <ShellContext value={shell}>
          {(['me', 'contract', 'security'] as const).map((group) => (
            <Slot key={group} name="account" group={group} props={{}} frame={({ title }) => <p>{title}</p>}>
              {group === 'security' && <p>of the page</p>}
            </Slot>
          ))}
        </ShellContext>
      </IntlProvider>,
    );
    const found = screen.getAllByText(/^of (a \w+|the page)$|^Een warme winter$/);
    expect(
      found.map((e) => e.textContent),
      '9-promo-close',
    ).toEqual(order);
    cleanup();
  }
});

row('9-promo-close', 'stays closed in this browser, with focus on the title; another one is shown', async () => {
  const { unmount } = show(winter);
  comes();
  const close = await screen.findByRole('button', { name: 'Niet meer tonen' });
  close.focus();
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByText('Een warme winter')).toBeNull();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  unmount();
  show(winter);
  expect(screen.queryByText('Een warme winter')).toBeNull();
  cleanup();
  show({ ...winter, name: 'spring' });
  expect(screen.getByText('Een warme winter')).toBeInTheDocument();
});

row('9-promo-close', 'comes when the page is printed, or 2 seconds later, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    for (const comes of [() => dispatchEvent(new Event('beforeprint')), () => vi.advanceTimersByTime(1)]) {
      show(winter);
      await act(async () => void vi.advanceTimersByTime(1999));
      expect(document.querySelector('img')).toBeNull();
      await act(async () => void comes());
      expect(document.querySelector('img')).toHaveAttribute('src', winter.picture);
      expect(screen.getByText('Een warme winter')).toBeVisible();
      cleanup();
    }
  } finally {
    vi.useRealTimers();
  }
});

test('the names of closed promos, whatever was stored', () => {
  for (const broken of [null, '', '{', '1', '{"a":1}', '[1]']) expect(closedIn(broken), String(broken)).toEqual([]);
  expect(closedIn(addClosed(addClosed(null, 'a'), 'b'))).toEqual(['a', 'b']);
  expect(closedIn(addClosed('["a","b"]', 'a'))).toEqual(['b', 'a']);
  let stored = '[]';
  for (let i = 0; i < 30; i++) stored = addClosed(stored, `p${i}`);
  expect(closedIn(stored).length).toBe(20);
  expect(closedIn(stored).at(-1)).toBe('p29');
});
