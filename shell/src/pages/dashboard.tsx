import { Accordion, Anchor, Card, Disclosure, Icon, type IconName, Page } from '@wattle/ui';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { useSession, useShell } from '../context';
import { partOfDay } from '../greeting';
import { useScreen } from '../screen';
import { SlotView, useSlot } from '../slot';

/** 2.1-dashboard-*: tiles on a desktop, an accordion on a phone (2.1-dashboard-responsive). */
export default function Dashboard(): ReactElement {
  const intl = useIntl();
  const { portal, now } = useShell();
  const session = useSession();
  const mobile = useScreen() === 'mobile';
  const items = useSlot('dashboard');
  const quick = useQuickStart();
  const part = partOfDay(now(), portal.zone);
  const name = session?.name ?? '';
  const greeting =
    part === 'morning'
      ? intl.formatMessage({ id: 'shell.greeting.morning', defaultMessage: 'Good morning, {name}' }, { name })
      : part === 'afternoon'
        ? intl.formatMessage({ id: 'shell.greeting.afternoon', defaultMessage: 'Good afternoon, {name}' }, { name })
        : intl.formatMessage({ id: 'shell.greeting.evening', defaultMessage: 'Good evening, {name}' }, { name });
  const content = (
    <>
      {items.map((item, i) => (
        <SlotView key={item.id} slot="dashboard" item={item} props={{}} frame={mobile ? phoneFrame(i === 0) : tileFrame} />
      ))}
      {quick &&
        (mobile ? (
          <Disclosure level={2} title={quick.title} defaultOpen={items.length === 0}>
            {quick.content}
          </Disclosure>
        ) : (
          <Cell $size={rest(items)} data-tile="quick-start">
            <Card title={quick.title}>{quick.content}</Card>
          </Cell>
        ))}
    </>
  );
  return (
    <Page width="wide" title={greeting}>
      {mobile ? <Accordion>{content}</Accordion> : <Tiles>{content}</Tiles>}
    </Page>
  );
}

const tileFrame = ({
  id,
  title,
  size,
  children,
}: {
  id: string;
  title?: string;
  size: 'third' | 'half' | 'two-thirds' | 'full';
  children: ReactNode;
}) => (
  <Cell $size={size} data-tile={id}>
    <Card title={title}>{children}</Card>
  </Cell>
);
const phoneFrame =
  (first: boolean) =>
  ({ title, summary, children }: { title?: string; summary?: ReactNode; children: ReactNode }) =>
    title ? (
      <Disclosure level={2} title={title} summary={summary && <Beside>{summary}</Beside>} defaultOpen={first}>
        {children}
      </Disclosure>
    ) : (
      children
    );

/** Columns of six that the tiles leave free in their last row; all of them when that is too narrow. */
const rest = (items: readonly { size?: keyof typeof spans }[]): 4 | 3 | 6 => {
  const free = 6 - (items.reduce((sum, i) => sum + spans[i.size ?? 'full'], 0) % 6);
  return free === 4 || free === 3 ? free : 6;
};

/** What people come to arrange (2.1-dashboard-quickstart), as far as this portal has it. */
const quickStart = ['/agreements', '/account', '/periodical-payments', '/move', '/invoices'] as const;

/** Quick start: rows with icon and chevron, on every kind of label; named as in the menu, with its icon. */
function useQuickStart(): { title: string; content: ReactNode } | undefined {
  const intl = useIntl();
  const { composition } = useShell();
  const rows = quickStart.flatMap((to) => {
    const route = composition.routes.find((r) => r.path === to);
    const item = composition.menu.find((i) => i.to === to);
    const icon = (to === '/account' ? 'user' : (item?.icon ?? 'right')) as IconName;
    return route ? [{ to, text: intl.formatMessage(item?.label ?? route.title), icon }] : [];
  });
  if (rows.length === 0) return undefined;
  return {
    title: intl.formatMessage({ id: 'shell.quick_start', defaultMessage: 'Arrange it yourself' }),
    content: (
      <Quick>
        {rows.map((r) => (
          <li key={r.to}>
            <Anchor href={r.to}>
              <Icon name={r.icon} size={20} />
              <span>{r.text}</span>
              <Icon name="right" size={20} />
            </Anchor>
          </li>
        ))}
      </Quick>
    ),
  };
}

const Tiles = styled.div`display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 16px; align-items: stretch; grid-auto-flow: dense;`;
const spans = { third: 2, half: 3, 'two-thirds': 4, full: 6 } as const;
const Cell = styled.div<{ $size: keyof typeof spans | 3 | 4 | 6 }>`
  grid-column: span ${(p) => (typeof p.$size === 'number' ? p.$size : spans[p.$size])};
  > section { height: 100%; }
  @media (max-width: 959px) { grid-column: span ${(p) => (p.$size === 'half' ? 3 : 6)}; }
`;
/** Beside the title of what is shut: under the title it stands larger. */
const Beside = styled.span`[aria-expanded='true'] & { display: none; }`;
const Quick = styled.ul`
  list-style: none; margin: 0 -12px; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 208px), 1fr)); gap: 4px 16px;
  a { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 0 12px; border-radius: 8px; color: var(--w-text); text-decoration: none; }
  a:hover { background: var(--w-tint); }
  span { flex: 1; }
  svg { color: var(--w-text-quiet); }
`;
