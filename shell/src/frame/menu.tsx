import { useQueries } from '@tanstack/react-query';
import type { Group as GroupName } from '@wattle/sdk';
import { call, RouterLink, useLocation } from '@wattle/sdk/host';
import { Icon, type IconName, loadOverlays, Menu as Popup, Sheet } from '@wattle/ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { defineMessages, useIntl } from 'react-intl';
import styled, { createGlobalStyle } from 'styled-components';
import { barOf, type MenuEntry, type MenuGroup, matches, menuOf } from '../compose';
import { useSession, useShell } from '../context';
import { pagePath, titleOf } from '../label-pages';
import { preload } from '../preload';
import { useScreen } from '../screen';
import { useSlot } from '../slot';
import { useLabelPages } from '../use-label-pages';

/** Position of the label's own pages: after the items of all modules. */
const lastOrder = 1_000;

/** Titles of the portal's groups; remotes declare the titles of their own groups. */
const groups = defineMessages({
  finance: { id: 'shell.menu.finance', defaultMessage: 'Finance' },
  administrative: { id: 'shell.menu.administrative', defaultMessage: 'Arrange' },
  marketplace: { id: 'shell.menu.marketplace', defaultMessage: 'Marketplace' },
});
const names = defineMessages({
  menu: { id: 'shell.menu', defaultMessage: 'Menu' },
  main: { id: 'shell.menu.main', defaultMessage: 'Main menu' },
  bar: { id: 'shell.menu.bar', defaultMessage: 'Go to' },
  dashboard: { id: 'shell.dashboard.title', defaultMessage: 'Overview' },
  home: { id: 'shell.home.title', defaultMessage: 'Home' },
});

/**
 * Returns the main menu of this label; staff have a different one. It contains the overview only on a phone
 * (2.5-menu-dashboard-mobile), and home only if the label asks for it and has content for it (2.5-menu-variants).
 */
export function useMenu(): MenuGroup[] {
  const { composition, portal } = useShell();
  const mobile = useScreen() === 'mobile';
  const role = useSession()?.role;
  const { kind } = portal.label;
  const overview = {
    id: 'dashboard',
    to: '/dashboard' as const,
    module: 'shell',
    label: names.dashboard,
    icon: 'dashboard',
    place: { customer: { order: 0 } },
  };
  const home = {
    id: 'home',
    to: '/home' as const,
    module: 'shell',
    label: names.home,
    icon: 'home',
    place: { customer: { order: 1, optional: true as const }, participant: { order: 1, optional: true as const } },
  };
  const pages = useLabelPages()
    .filter((p) => p.place === 'menu')
    .map((p, i) => ({
      id: `page-${p.slug}`,
      to: pagePath(p),
      module: 'shell',
      label: titleOf(p),
      icon: 'info',
      place: { [kind]: { order: lastOrder + i } },
    }));
  const own = [...(mobile ? [overview] : []), ...(useSlot('home').length > 0 ? [home] : []), ...pages];
  const filled = useFilled([...new Set(composition.menu.flatMap((i) => i.place[kind]?.whenAny ?? []))]);
  return menuOf([...own, ...composition.menu], kind, role, portal.menu, composition.groups, filled);
}

/**
 * Returns the paths whose lists are not empty for this customer. The query keys are those of useGet, because pages read the same
 * responses.
 */
function useFilled(paths: readonly `/${string}`[]): string[] {
  const isCustomer = useSession()?.role === 'customer';
  const lists = useQueries({
    queries: paths.map((path) => ({
      queryKey: [path, {}],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await call('get', path, { signal })) ?? null,
      enabled: isCustomer,
    })),
  });
  return paths.filter((_, i) => {
    const list = lists[i]?.data;
    return Array.isArray(list) && list.length > 0;
  });
}

/** Returns a function that translates the title of a menu group. */
function useGroupTitle(): (group: GroupName) => string {
  const intl = useIntl();
  const { composition } = useShell();
  return (group) => {
    if (isCore(group)) return intl.formatMessage(groups[group]);
    const declared = composition.groups.find((g) => g.id === group);
    return declared ? intl.formatMessage(declared.title) : '';
  };
}
const isCore = (group: GroupName): group is keyof typeof groups => group in groups;

/** From 1100 px: a rail at the left, with groups as headings. */
export function Rail({ groups: menu }: { groups: readonly MenuGroup[] }): ReactElement {
  const intl = useIntl();
  return (
    <RailNav aria-label={intl.formatMessage(names.main)}>
      <Rows groups={menu} />
    </RailNav>
  );
}

/** `page`: the item is that of the current page. `true`: the page's item is among those that it contains. */
type Current = 'page' | 'true' | undefined;

/** Returns whether a page is at the path of an item, or below it. */
const isWithin = (pathname: string, to: string): boolean =>
  matches(to, pathname) || pathname.toLowerCase().startsWith(`${to.toLowerCase()}/`);

/**
 * Returns a function that says whether an item is the current one (9-menu-current). If the pages of other items are below the item's
 * page, only its own path makes it the current one.
 */
function useCurrent(menu: readonly MenuGroup[]): (item: MenuEntry) => Current {
  const { pathname } = useLocation();
  return (item) => {
    if (item.children.some(({ to }) => isWithin(pathname, to))) return 'true';
    const below = menu.some((g) => g.items.some(({ to }) => to.startsWith(`${item.to}/`)));
    const exact = below || item.children.length > 0;
    return (exact ? matches(item.to, pathname) : isWithin(pathname, item.to)) ? 'page' : undefined;
  };
}

/** Returns whether one of the items is the current one or contains it. */
const containing = (items: readonly MenuEntry[], current: (item: MenuEntry) => Current): Current =>
  items.some(current) ? 'true' : undefined;

function Rows({ groups: menu }: { groups: readonly MenuGroup[] }): ReactNode {
  const title = useGroupTitle();
  const current = useCurrent(menu);
  return menu.map((g) => (
    <Group key={g.group ?? g.items[0]?.id}>
      {g.group && <Heading aria-current={containing(g.items, current)}>{title(g.group)}</Heading>}
      <ul>
        {g.items.map((i) => (
          <li key={i.id}>
            <Row item={i} current={current(i)} />
            {i.children.length > 0 && (
              <ul>
                {i.children.map((c) => (
                  <li key={c.id}>
                    <Row item={c} current={current(c)} nested />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Group>
  ));
}

function Row({ item, current, nested = false }: { item: MenuEntry; current: Current; nested?: boolean }): ReactElement {
  const intl = useIntl();
  const shell = useShell();
  const load = () => preload(item.to, shell);
  return (
    <Entry to={item.to} aria-current={current} $nested={nested} onPointerEnter={load} onFocus={load} onTouchStart={load}>
      {item.icon && <Icon name={item.icon as IconName} size={20} />}
      <span>{intl.formatMessage(item.label)}</span>
    </Entry>
  );
}

/** 768–1099 px, and wider below a centered logo: a bar in which the items of a group open below its name. */
export function Bar({
  groups: menu,
  closes,
  centered,
}: {
  groups: readonly MenuGroup[];
  closes: string;
  centered: boolean;
}): ReactElement {
  const intl = useIntl();
  const titleOf = useGroupTitle();
  const current = useCurrent(menu);
  const popup = (id: string, title: string, items: readonly MenuEntry[]) => (
    <Popup
      key={`${id} ${closes}`}
      label={title}
      items={items.map((i) => ({
        id: i.id,
        text: intl.formatMessage(i.label),
        icon: i.icon as IconName | undefined,
        href: i.to,
        current: current(i) === 'page',
      }))}
      trigger={(props) => (
        <BarItem as="button" aria-current={containing(items, current)} {...props}>
          {title} <Icon name="down" size={16} />
        </BarItem>
      )}
    />
  );
  return (
    <BarNav aria-label={intl.formatMessage(names.main)} $centered={centered}>
      {menu.flatMap((g) =>
        g.group
          ? [popup(g.group, titleOf(g.group), g.items)]
          : g.items.map((i) =>
              i.children.length > 0 ? (
                popup(i.id, intl.formatMessage(i.label), [i, ...i.children])
              ) : (
                <BarItem key={i.id} as={RouterLink} to={i.to} aria-current={current(i)}>
                  {intl.formatMessage(i.label)}
                </BarItem>
              ),
            ),
      )}
    </BarNav>
  );
}

/**
 * Up to 767 px: a bar at the bottom of the window with three menu items and a button that opens the whole menu (9-phone-bar), a
 * sheet from the bottom with large rows. `closes` changes with navigation and width (2.5-menu-closes).
 */
export function PhoneBar({
  groups: menu,
  closes,
  children,
}: {
  groups: readonly MenuGroup[];
  closes: string;
  children?: ReactNode;
}): ReactElement {
  const intl = useIntl();
  const [openFor, setOpenFor] = useState<string>();
  const [opened, setOpened] = useState(false); // the sheet's code is fetched when it first opens
  const open = openFor === closes;
  if (openFor !== undefined && !open) setOpenFor(undefined); // going back must not open it again
  const title = intl.formatMessage(names.menu);
  const shell = useShell();
  const current = useCurrent(menu);
  const { pathname } = useLocation();
  const items = barOf(menu, shell.portal.menu.bar);
  // a page that is only in the sheet, which also has the account
  const inSheet = isWithin(pathname, '/account') || menu.some((g) => g.items.some(current));
  return (
    <>
      <RoomForBar />
      <PhoneNav aria-label={intl.formatMessage(names.bar)}>
        <ul>
          {items.map((i) => (
            <li key={i.id}>
              <RouterLink to={i.to} aria-current={current(i)} onTouchStart={() => preload(i.to, shell)}>
                <Icon name={(i.icon ?? 'right') as IconName} size={24} />
                <span>{intl.formatMessage(i.short ?? i.label)}</span>
              </RouterLink>
            </li>
          ))}
          <li>
            <button
              type="button"
              aria-haspopup="dialog"
              aria-expanded={open}
              aria-current={inSheet && !items.some(current) ? 'true' : undefined}
              onPointerEnter={prefetchCode}
              onFocus={prefetchCode}
              onClick={() => {
                setOpened(true);
                setOpenFor(closes);
              }}
            >
              <Icon name="menu" size={24} />
              <span>{title}</span>
            </button>
          </li>
        </ul>
      </PhoneNav>
      {opened && (
        <Sheet title={title} isOpen={open} onClose={() => setOpenFor(undefined)} from="bottom">
          <Large>
            <nav aria-label={intl.formatMessage(names.main)}>
              <Rows groups={menu} />
            </nav>
            {children}
          </Large>
        </Sheet>
      )}
    </>
  );
}

const prefetchCode = () => void loadOverlays().catch(() => undefined); // only a prefetch: opening the menu tries again

const RailNav = styled.nav`
  width: 248px; flex: none; padding: 24px 16px; position: sticky; top: 64px; align-self: flex-start; max-height: calc(100vh - 64px); overflow-y: auto;
`;
const Group = styled.div`
  ul { list-style: none; margin: 0; padding: 0; }
  & + & { margin-top: 16px; }
`;
const Heading = styled.h2`
  font-size: 14px; font-weight: 400; color: var(--w-text-quiet); padding: 8px 12px;
  &[aria-current] { color: var(--w-primary-ink); font-weight: 600; }
`;
const Entry = styled(RouterLink).withConfig({ shouldForwardProp: (p) => p !== '$nested' })<{ $nested: boolean }>`
  display: flex; align-items: center; gap: 12px; min-height: 48px; padding: 0 12px; padding-left: ${(p) => (p.$nested ? '44px' : '12px')};
  border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none;
  svg { color: var(--w-text-quiet); flex: none; }
  &:hover { background: var(--w-tint); }
  &[aria-current] { color: var(--w-primary-ink); font-weight: 600; svg { color: inherit; } }
  &[aria-current='page'] { background: var(--w-tint); }
`;
const BarNav = styled.nav<{ $centered: boolean }>`
  display: flex; gap: 4px; ${(p) => (p.$centered ? 'justify-content: safe center;' : '')} overflow-x: auto; padding: 0 16px; background: var(--w-surface); border-bottom: 1px solid var(--w-line);
`;
const BarItem = styled.a`
  display: flex; align-items: center; gap: 4px; white-space: nowrap; min-height: 48px; padding: 0 12px; color: var(--w-text); text-decoration: none;
  border-bottom: 3px solid transparent;
  &:hover { color: var(--w-primary-ink); }
  &[aria-current] { color: var(--w-primary-ink); font-weight: 600; border-color: currentColor; }
`;
/** Keeps the end of the page, toasts and focused controls above the bar. */
const RoomForBar = createGlobalStyle`
  @media screen {
    :root { --w-bar: 68px; --w-bottom: calc(var(--w-bar) + env(safe-area-inset-bottom)); }
    html { scroll-padding-bottom: calc(var(--w-bottom) + 16px); }
    body { padding-bottom: var(--w-bottom); }
  }
  @media screen and (max-height: 440px) { :root { --w-bar: 48px; } } /* a phone in landscape */
`;
const PhoneNav = styled.nav`
  position: fixed; inset: auto 0 0; z-index: 10; background: var(--w-surface); border-top: 1px solid var(--w-line);
  padding: 0 max(4px, env(safe-area-inset-right)) env(safe-area-inset-bottom) max(4px, env(safe-area-inset-left));
  ul { list-style: none; display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); }
  li { display: grid; }
  a, button {
    display: flex; flex-direction: column; align-items: center; gap: 2px; min-width: 0; height: calc(var(--w-bar) - 1px);
    padding: 5px 2px 0; border-top: 3px solid transparent; color: var(--w-text); font-size: 14px; line-height: 1.15; text-align: center; text-decoration: none;
  }
  svg { flex: none; color: var(--w-text-quiet); }
  span { max-width: 100%; overflow-wrap: anywhere; hyphens: auto; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
  :focus-visible:focus-visible { outline-offset: -4px; box-shadow: none; border-radius: var(--w-radius-control); }
  [aria-current] { color: var(--w-primary-ink); font-weight: 600; border-color: currentColor; svg { color: inherit; } }
  @media (max-height: 440px) { a, button { flex-direction: row; justify-content: center; gap: 8px; padding-top: 0; } svg { width: 20px; } }
`;
const Large = styled.div`
  display: flex; flex-direction: column; gap: 16px;
  a, button { min-height: 56px; }
`;
