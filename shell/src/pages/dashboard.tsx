import { Accordion, Anchor, Card, Disclosure, Icon, type IconName, Page } from '@wattle/ui';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { useSession, useShell } from '../context';
import { useMenu } from '../frame/menu';
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
          <Cell $size="rest" data-tile="quick-start">
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
  ({ title, children }: { title?: string; children: ReactNode }) =>
    title ? (
      <Disclosure level={2} title={title} defaultOpen={first}>
        {children}
      </Disclosure>
    ) : (
      children
    );

/** Quick start: what the menu offers, as rows with icon and chevron. */
function useQuickStart(): { title: string; content: ReactNode } | undefined {
  const intl = useIntl();
  const { composition } = useShell();
  const account = composition.routes.find((r) => r.path === '/account');
  const rows = useMenu()
    .flatMap((g) => g.items)
    .filter((i) => i.id !== 'dashboard')
    .map((i) => ({ id: i.id, to: i.to as string, text: intl.formatMessage(i.label), icon: (i.icon ?? 'right') as IconName }));
  if (account) rows.push({ id: 'account', to: '/account', text: intl.formatMessage(account.title), icon: 'user' });
  if (rows.length === 0) return undefined;
  return {
    title: intl.formatMessage({ id: 'shell.quick_start', defaultMessage: 'Arrange it yourself' }),
    content: (
      <Quick>
        {rows.slice(0, 6).map((r) => (
          <li key={r.id}>
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
const Cell = styled.div<{ $size: 'third' | 'half' | 'two-thirds' | 'rest' | 'full' }>`
  grid-column: span ${(p) => ({ third: 2, half: 3, 'two-thirds': 4, rest: 4, full: 6 })[p.$size]};
  > section { height: 100%; }
  @media (max-width: 959px) { grid-column: span ${(p) => (p.$size === 'third' || p.$size === 'half' ? 3 : 6)}; }
`;
const Quick = styled.ul`
  list-style: none; margin: 0 -12px; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 4px 16px;
  a { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 0 12px; border-radius: 8px; color: var(--w-text); text-decoration: none; }
  a:hover { background: var(--w-tint); }
  span { flex: 1; }
  svg { color: var(--w-text-quiet); }
`;
