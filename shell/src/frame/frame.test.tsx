import { act, cleanup, screen } from '@testing-library/react';
import type { Manifest } from '@wattle/sdk/host';
import { row } from '@wattle/sdk/vitest';
import { Page as UiPage } from '@wattle/ui';
import { useLayoutEffect } from 'react';
import { afterEach, expect, vi } from 'vitest';
import type { LabelPage } from '../portal';
import { NoticePlace } from '../slot';
import { customer, drawInShell, type ShellSpec, setWidth } from '../test-shell';
import { Frame, PublicFrame } from './frame';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(HTMLElement.prototype, 'scrollIntoView');
});

const text = (id: string) => ({ id: `m.${id}`, defaultMessage: id });
const item = (id: string, order: number) => ({
  id,
  to: `/${id}` as const,
  label: text(id),
  place: { customer: { order }, participant: { order } },
});
const manifest = {
  routes: [
    { path: '/account', title: text('account') },
    { path: '/usage', title: text('usage') },
    { path: '/offers', title: text('offers'), notices: 'page' },
    { path: '/checkout', title: text('checkout'), phoneBar: false },
  ],
  menu: [item('usage', 1), item('offers', 2), item('bills', 3), item('contact', 4)],
} as unknown as Partial<Manifest>;
type Page = Parameters<typeof Frame>[0]['page'];
const show = (at: Page, spec: ShellSpec = {}, bare = false) =>
  drawInShell(
    <Frame landing="/dashboard" bare={bare} page={at}>
      <UiPage title="the page">
        <p>its content</p>
        {at === '/offers' && <NoticePlace />}
      </UiPage>
    </Frame>,
    { manifest, at, ...spec },
  );
// by selector, because role queries on a whole frame take a second per run
const one = (selector: string) => document.querySelector<HTMLElement>(selector);
const bar = () => one('nav[aria-label="Go to"]');
const menu = () => one('nav[aria-label="Main menu"]');
const header = () => one('header') as HTMLElement;
const footer = () => one('footer') as HTMLElement;
const links = (of: HTMLElement | null) => [...(of?.querySelectorAll('a') ?? [])];
const targets = (of: HTMLElement | null) => links(of).map((a) => a.getAttribute('href'));
const follows = (before: Element, other: Element) =>
  Boolean(before.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** A page, one without the phone bar, and one without a relation, in every kind of frame. */
const screens = [
  [767, '/usage', false],
  [767, '/checkout', false],
  [767, '/usage', true],
  [768, '/usage', false],
  [1100, '/usage', false],
  [1100, '/usage', true],
] as const;

row('2.5-menu-dashboard-mobile', 'in the menu up to 767 px and not from 768 px on', () => {
  for (const [width, there] of [
    [767, true],
    [768, false],
    [1100, false],
  ] as const) {
    setWidth(width);
    show('/usage');
    expect(targets(bar() ?? menu()).includes('/dashboard'), `${width}`).toBe(there);
    cleanup();
  }
});

row('9-phone-bar', 'up to 767 px, after the content, with three items, the current one marked, and the whole menu', () => {
  setWidth(767);
  const { container } = show('/usage');
  expect(targets(bar())).toEqual(['/dashboard', '/usage', '/offers']);
  expect(links(bar()).map((a) => a.getAttribute('aria-current'))).toEqual([null, 'page', null]);
  const [whole, ...others] = bar()?.querySelectorAll('button') ?? [];
  expect([whole?.textContent, whole?.getAttribute('aria-haspopup'), others.length]).toEqual(['Menu', 'dialog', 0]);
  for (const before of ['main', 'footer'])
    expect(follows(container.querySelector(before) as Element, bar() as Element)).toBe(true);
  expect(menu(), 'the bar takes the place of the menu').toBeNull();
  cleanup();
  setWidth(768);
  show('/usage');
  expect([bar(), menu() !== null]).toEqual([null, true]);
});

row('9-phone-bar', 'each item of the bar is also in the menu that its button opens, and leads to the same page', async () => {
  for (const settings of [{}, { bar: ['m.contact', 'shell.dashboard'], hide: ['m.usage'] }, { hide: ['shell.dashboard'] }]) {
    setWidth(390);
    show('/offers', { portal: { menu: settings } });
    const short = targets(bar());
    expect(short).toHaveLength(3);
    await act(async () => void bar()?.querySelector('button')?.click());
    await screen.findByText('Sign out', { selector: 'button, button *' });
    expect(targets(menu()), JSON.stringify(settings)).toEqual(expect.arrayContaining(short));
    cleanup();
  }
});

row(
  '9-menu-current',
  'what contains the current page is marked too: its group, the item above it, the button of the menu',
  async () => {
    const inGroup = (id: string, order: number) => ({ ...item(id, order), place: { customer: { order, group: 'marketplace' } } });
    const grouped = {
      routes: manifest.routes,
      menu: [
        item('usage', 1),
        inGroup('offers', 2),
        inGroup('orders', 3),
        item('shares', 4),
        { ...item('move', 5), to: '/shares/move', under: 'shares' },
      ],
    } as unknown as Partial<Manifest>;
    const marked = (of: HTMLElement | null) =>
      [...(of?.querySelectorAll('[aria-current]') ?? [])].map((e) => [e.textContent?.trim(), e.getAttribute('aria-current')]);
    for (const [width, at, marks] of [
      [
        1280,
        '/orders',
        [
          ['Marketplace', 'true'],
          ['orders', 'page'],
        ],
      ],
      [
        1280,
        '/shares/move',
        [
          ['shares', 'true'],
          ['move', 'page'],
        ],
      ],
      [1280, '/shares', [['shares', 'page']]],
      [1280, '/account', []],
      [768, '/orders', [['Marketplace', 'true']]],
      [768, '/shares/move', [['shares', 'true']]],
      [768, '/usage', [['usage', 'page']]],
      [767, '/usage', [['usage', 'page']]],
      [767, '/orders', [['Menu', 'true']]],
      [767, '/account', [['Menu', 'true']]],
      [767, '/shares/move', [['Menu', 'true']]],
      [767, '/elsewhere', []],
    ] as const) {
      setWidth(width);
      show(at, { manifest: grouped });
      expect(marked(bar() ?? menu()), `9-menu-current: ${width} ${at}`).toEqual(marks);
      cleanup();
    }
    setWidth(767);
    show('/shares/move', { manifest: grouped, portal: { menu: { bar: ['m.shares'] } } });
    expect(marked(bar()), '9-menu-current: below an item of the bar').toEqual([['shares', 'true']]);
    cleanup();
    setWidth(768);
    show('/orders', { manifest: grouped });
    await act(async () =>
      [...(menu()?.querySelectorAll('button') ?? [])].find((b) => b.textContent?.includes('Marketplace'))?.click(),
    );
    const open = await screen.findAllByRole('menuitem', undefined, { timeout: 5_000 });
    expect(
      open.map((link) => [link.textContent, link.getAttribute('aria-current')]),
      '9-menu-current',
    ).toEqual([
      ['offers', null],
      ['orders', 'page'],
    ]);
  },
);

row('9-phone-bar', 'not on a page that does without it, which has a way back and the language; nor without a relation', () => {
  setWidth(767);
  show('/checkout');
  expect(bar()).toBeNull();
  const back = () => one('a[aria-label="Stop and go back"]');
  expect(back(), 'back to the first page').toHaveAttribute('href', '/dashboard');
  expect(header()).toContainElement(back());
  expect(header().querySelector('button[aria-label="NL, Nederlands"]')).not.toBeNull();
  const css = [...document.querySelectorAll('style')].map((s) => s.textContent).join('');
  expect(css, 'below 375 px without the current language').toMatch(
    /@media\s*\(max-width:\s*374px\)\s*\{[^{}]*\[aria-pressed\]\s*\{\s*display:\s*none/,
  );
  expect(css, 'from 375 px without the third button').toMatch(/@media\s*\(min-width:\s*375px\)\s*\{[^{}]*\{\s*display:\s*none/);
  cleanup();
  setWidth(768); // the page has the menu of wider screens
  show('/checkout');
  expect(menu()).not.toBeNull();
  expect(back()).toBeNull();
  cleanup();
  setWidth(767);
  show('/usage', {}, true);
  expect([bar(), menu()], 'without a relation').toEqual([null, null]);
  cleanup();
  drawInShell(
    <PublicFrame wide={false}>
      <h1>a page</h1>
    </PublicFrame>,
    { manifest, session: null },
  );
  expect(bar(), 'without a session').toBeNull();
});

row('9-menu-hide', 'with every item hidden, account and signing out are reachable at every width', async () => {
  const hide = ['shell.dashboard', 'm.usage', 'm.offers', 'm.bills', 'm.contact'];
  const labelled = (spec: ShellSpec = {}) => show('/usage', { portal: { menu: { hide } }, ...spec });
  for (const width of [390, 767, 768, 1100]) {
    const signOut = vi.fn();
    setWidth(width);
    labelled({ does: { signOut } });
    expect(targets(bar()), `${width}`).toEqual([]);
    expect(targets(menu()), `${width}`).toEqual([]);
    const opener = width < 768 ? bar()?.querySelector('button') : header().querySelector('button[aria-haspopup="menu"]');
    await act(async () => void (opener as HTMLElement).click());
    const link = await screen.findByText('Account', { selector: 'a, a *' });
    expect(link.closest('a'), `${width}`).toHaveAttribute('href', '/account');
    await act(
      async () => void screen.getByText('Sign out', { selector: 'button, [role=menuitem], button *, [role=menuitem] *' }).click(),
    );
    expect(signOut, `${width}`).toHaveBeenCalledOnce();
    cleanup();
  }
});

row('1-language-switch', 'on every screen: with and without a session, at every width, also without a relation', () => {
  for (const [width, at, bare] of screens) {
    setWidth(width);
    show(at, {}, bare);
    // on a phone with a bar, the switch is in the sheet with the whole menu
    const there = width > 767 || at === '/checkout' || bare;
    for (const name of ['NL, Nederlands', 'EN, English'])
      expect(one(`button[aria-label="${name}"]`) !== null, `${width} ${at} ${name}`).toBe(there);
    expect(bar() !== null, `${width} ${at}`).toBe(!there);
    cleanup();
  }
  drawInShell(<PublicFrame wide={false}>a page</PublicFrame>, { session: null });
  for (const name of ['NL, Nederlands', 'EN, English']) expect(one(`button[aria-label="${name}"]`), name).not.toBeNull();
});

row('face-skip-link', 'the first tab stop of a page is a link to its content, with and without a session', () => {
  const outside = (wide: boolean) => drawInShell(<PublicFrame wide={wide}>a page</PublicFrame>, { session: null });
  const inside = screens.map(([width, at, bare]) => () => {
    setWidth(width);
    show(at, {}, bare);
  });
  for (const [n, part] of [...inside, () => outside(false), () => outside(true)].entries()) {
    part();
    const [first] = document.querySelectorAll<HTMLElement>('a, button, input, [tabindex="0"]');
    expect(first, `${n}`).toHaveAttribute('href', '#content');
    expect(first, `${n}`).toHaveTextContent('Skip to the content');
    HTMLElement.prototype.scrollIntoView = () => undefined; // missing in jsdom
    act(() => first?.click());
    expect(one('main#content'), `${n}`).toHaveFocus();
    cleanup();
  }
});

row('6-impersonator-banner', 'on every screen of a session of an impersonator, and of no other', () => {
  const impersonator = { name: 'Sam Staf', until: '2026-11-20T10:30:00Z' };
  for (const [width, at, bare] of screens) {
    setWidth(width);
    show(at, { session: { ...customer, impersonator } }, bare);
    expect(screen.getByText(/You are viewing as/), `${width} ${at}`).toHaveTextContent('You are viewing as Fenna de Boer.');
    cleanup();
    show(at, {}, bare);
    expect(screen.queryByText(/You are viewing as/), `${width} ${at}`).toBeNull();
    cleanup();
  }
});

row('2.5-footer-privacy', 'leads to the address or the page that the label names; there is none without', () => {
  setWidth(1280);
  for (const frame of ['signed in', 'public'])
    for (const [url, target] of [
      ['https://acme.example/privacy', '_blank'],
      ['/pages/privacy', null],
      [null, undefined],
    ] as const) {
      if (frame === 'public')
        drawInShell(<PublicFrame wide={false}>a page</PublicFrame>, { session: null, label: { privacy_url: url } });
      else show('/usage', { label: { privacy_url: url } });
      const link = links(footer()).find((a) => a.textContent?.startsWith('Privacy and cookies'));
      expect(link?.getAttribute('href'), frame).toBe(url ?? undefined);
      expect(link?.getAttribute('target'), frame).toBe(target);
      cleanup();
    }
});

row('2.5-logo-landing', 'the logo links to the landing page of the label', () => {
  setWidth(1280);
  for (const landing of ['/dashboard', '/account'] as const) {
    drawInShell(
      <Frame landing={landing} bare={false} page="/usage">
        the page
      </Frame>,
      { manifest, at: '/usage' },
    );
    expect(header().querySelector('a:has(img[alt="Acme"])')).toHaveAttribute('href', landing);
    cleanup();
  }
});

row('9-staff-mark', 'the header says that staff are signed in, also on a phone; not for customers', () => {
  for (const width of [1280, 390]) {
    setWidth(width);
    show('/usage', { session: { ...customer, role: 'staff' } });
    expect(header(), `${width}`).toHaveTextContent('Staff');
    cleanup();
    show('/usage');
    expect(header(), `${width}`).not.toHaveTextContent('Staff');
    cleanup();
  }
});

row('9-staff-footer', 'staff have the accessibility statement in the footer, and nothing for customers', () => {
  setWidth(1280);
  const pages = (['footer', 'help'] as const).map((place) => ({
    slug: place,
    title: { nl: place, en: place },
    public: true,
    place,
  }));
  const linked = (role: 'staff' | 'customer') => {
    show('/usage', { portal: { pages }, label: { privacy_url: '/pages/privacy' }, session: { ...customer, role } });
    const found = targets(footer());
    cleanup();
    return found;
  };
  expect(linked('staff')).toEqual(['/accessibility']);
  expect(linked('customer')).toEqual([
    'mailto:info@acme.example',
    'tel:0501234567',
    '/pages',
    '/pages/footer',
    '/pages/privacy',
    '/accessibility',
  ]);
});

row('9-label-pages-places', 'a page is linked where the label says, and one that is not public only with a session', () => {
  setWidth(1280);
  const page = (slug: string, place: LabelPage['place'], isPublic: boolean): LabelPage => ({
    slug,
    title: { nl: slug, en: slug },
    public: isPublic,
    place,
  });
  const all = (['footer', 'menu', 'help', 'link'] as const).flatMap((place) => [
    page(`${place}-open`, place, true),
    page(`${place}-closed`, place, false),
  ]);
  const linked = (of: HTMLElement | null) => targets(of).filter((to) => to?.startsWith('/pages'));
  for (const kind of ['customer', 'participant'] as const) {
    show('/usage', { portal: { pages: all }, label: { kind } });
    expect(linked(menu()), kind).toEqual(['/pages/menu-open', '/pages/menu-closed']);
    expect(linked(footer()), kind).toEqual(['/pages', '/pages/footer-open', '/pages/footer-closed']);
    cleanup();
  }
  show('/usage', { portal: { pages: all }, session: { ...customer, role: 'staff' } });
  expect(menu(), 'the menu of staff has no pages of customers').toBeNull();
  cleanup();
  const outside = (pages: readonly LabelPage[]) => {
    drawInShell(<PublicFrame wide={false}>a page</PublicFrame>, { session: null, portal: { pages } });
    const found = linked(footer());
    cleanup();
    return found;
  };
  expect(outside(all)).toEqual(['/pages', '/pages/footer-open']);
  expect(outside(all.filter((p) => !p.public)), 'no list of help without a page of help').toEqual([]);
});

row(
  ['9-notice-still', '2.1-notices-place'],
  'below the title, or where the page asks for it; the page is first drawn with them',
  async () => {
    setWidth(1280);
    let release = () => {};
    function Notice({ hold }: { hold(): () => void }) {
      useLayoutEffect(() => {
        release = hold();
      }, [hold]);
      return <p>a notice</p>;
    }
    const view = () => Promise.resolve({ default: Notice });
    for (const [at, order] of [
      ['/usage', ['the page', 'a notice', 'its content']],
      ['/offers', ['the page', 'its content', 'a notice']],
    ] as const) {
      await act(async () => {
        show(at, {
          manifest: { ...manifest, slots: { notice: [{ id: 'n', order: 1 }] } } as unknown as Partial<Manifest>,
          remote: { slots: { notice: [{ id: 'n', order: 1, view }] } } as never,
        });
      });
      await screen.findByText('a notice', undefined, { timeout: 5_000 });
      const places = order.map((text) => screen.getByText(text));
      const [title] = places;
      expect(title, `${at} waits`).not.toBeVisible();
      act(release);
      expect(title, at).toBeVisible();
      for (const [i, place] of places.slice(1).entries()) expect(follows(places[i] as Element, place), at).toBe(true);
      cleanup();
    }
  },
);

row(
  '9-public-layout',
  'from 960 px the picture is next to the page, below that a band on top whose height waits for nothing',
  () => {
    setWidth(1280);
    drawInShell(
      <PublicFrame wide={false}>
        <h1>a page</h1>
      </PublicFrame>,
      { session: null, label: { illustration: '/illustration.svg' } },
    );
    const picture = one('div[aria-hidden]:has(> img[src="/illustration.svg"])') as HTMLElement;
    expect(picture.previousElementSibling, 'next to the page').toContainElement(one('main'));
    const css = [...document.querySelectorAll('style')].map((s) => s.textContent).join('');
    const band = [...picture.classList].map((name) =>
      new RegExp(`@media \\(([a-z]+-width: \\d+px)\\)\\{\\.${name}\\{([^}]*)\\}`).exec(css)?.slice(1),
    );
    expect(band.filter(Boolean)).toEqual([
      ['max-width: 959px', expect.stringMatching(/order:-1;.*position:relative;.*height:clamp\(48px, 20vh, 176px\)/)],
    ]);
    // in one column: logo and language at the top, then the page, then the links
    expect([...(one('main')?.parentElement?.children ?? [])].map((e) => e.tagName)).toEqual(['HEADER', 'MAIN', 'FOOTER']);
    expect([...header().children].map((e) => e.querySelector('img, button')?.tagName)).toEqual(['IMG', 'BUTTON']);
  },
);
