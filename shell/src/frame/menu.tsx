import { useQueries } from '@tanstack/react-query';
import type { Group as GroupName } from '@wattle/sdk';
import { call, NavLink } from '@wattle/sdk/host';
import { Icon, type IconName, loadOverlays, Menu as Popup, Sheet } from '@wattle/ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { defineMessages, useIntl } from 'react-intl';
import styled, { createGlobalStyle } from 'styled-components';
import { barOf, type MenuEntry, type MenuGroup, menuOf } from '../compose';
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

/** Returns whether another item's page is below this item's page: then only its exact path makes this item the current one. */
const hasItemsBelow = (menu: readonly MenuGroup[], { to }: MenuEntry): boolean =>
  menu.some((g) => g.items.some((i) => i.to.startsWith(`${to}/`)));

function Rows({ groups: menu }: { groups: readonly MenuGroup[] }): ReactNode {
  const title = useGroupTitle();
  return menu.map((g) => (
    <Group key={g.group ?? g.items[0]?.id}>
      {g.group && <Heading>{title(g.group)}</Heading>}
      <ul>
        {g.items.map((i) => (
          <li key={i.id}>
            <Row item={i} end={i.children.length > 0 || hasItemsBelow(menu, i)} />
            {i.children.length > 0 && (
              <ul>
                {i.children.map((c) => (
                  <li key={c.id}>
                    <Row item={c} nested />
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

function Row({ item, nested, end }: { item: MenuEntry; nested?: boolean; end?: boolean }): ReactElement {
  const intl = useIntl();
  const shell = useShell();
  const load = () => preload(item.to, shell);
  return (
    <Entry
      to={item.to}
      end={end ?? item.children.length > 0}
      $nested={nested ?? false}
      onPointerEnter={load}
      onFocus={load}
      onTouchStart={load}
    >
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
  const popup = (id: string, title: string, items: readonly MenuEntry[]) => (
    <Popup
      key={`${id} ${closes}`}
      label={title}
      items={items.map((i) => ({
        id: i.id,
        text: intl.formatMessage(i.label),
        icon: i.icon as IconName | undefined,
        href: i.to,
      }))}
      trigger={(props) => (
        <BarItem as="button" {...props}>
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
                <BarItem key={i.id} as={NavLink} to={i.to} end={hasItemsBelow(menu, i)}>
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
  return (
    <>
      <RoomForBar />
      <PhoneNav aria-label={intl.formatMessage(names.bar)}>
        <ul>
          {barOf(menu, shell.portal.menu.bar).map((i) => (
            <li key={i.id}>
              <NavLink to={i.to} end={hasItemsBelow(menu, i)} onTouchStart={() => preload(i.to, shell)}>
                <Icon name={(i.icon ?? 'right') as IconName} size={24} />
                <span>{intl.formatMessage(i.short ?? i.label)}</span>
              </NavLink>
            </li>
          ))}
          <li>
            <button
              type="button"
              aria-haspopup="dialog"
              aria-expanded={open}
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
const Heading = styled.h2`font-size: 14px; font-weight: 400; color: var(--w-text-quiet); padding: 8px 12px;`;
const Entry = styled(NavLink).withConfig({ shouldForwardProp: (p) => p !== '$nested' })<{ $nested: boolean }>`
  display: flex; align-items: center; gap: 12px; min-height: 48px; padding: 0 12px; padding-left: ${(p) => (p.$nested ? '44px' : '12px')};
  border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none;
  svg { color: var(--w-text-quiet); flex: none; }
  &:hover { background: var(--w-tint); }
  &[aria-current='page'] { background: var(--w-tint); color: var(--w-primary-ink); font-weight: 600; svg { color: inherit; } }
`;
const BarNav = styled.nav<{ $centered: boolean }>`
  display: flex; gap: 4px; ${(p) => (p.$centered ? 'justify-content: safe center;' : '')} overflow-x: auto; padding: 0 16px; background: var(--w-surface); border-bottom: 1px solid var(--w-line);
`;
const BarItem = styled.a`
  display: flex; align-items: center; gap: 4px; white-space: nowrap; min-height: 48px; padding: 0 12px; color: var(--w-text); text-decoration: none;
  border-bottom: 3px solid transparent;
  &:hover { color: var(--w-primary-ink); }
  &[aria-current='page'] { color: var(--w-primary-ink); font-weight: 600; border-color: currentColor; }
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
  [aria-current='page'] { color: var(--w-primary-ink); font-weight: 600; border-color: currentColor; svg { color: inherit; } }
  @media (max-height: 440px) { a, button { flex-direction: row; justify-content: center; gap: 8px; padding-top: 0; } svg { width: 20px; } }
`;
const Large = styled.div`
  display: flex; flex-direction: column; gap: 16px;
  a, button { min-height: 56px; }
`;
