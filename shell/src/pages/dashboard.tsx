import { Accordion, Anchor, Disclosure, Icon, type IconName, Page } from '@wattle/ui';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { quickStartOf } from '../compose';
import { useSession, useShell } from '../context';
import { partOfDay } from '../greeting';
import { Later } from '../later';
import { useScreen } from '../screen';
import { PlainSlot, SlotView, useSlot } from '../slot';
import { Tile, Tiles } from './tiles';

/** 2.1-dashboard-*: tiles on a desktop, an accordion on a phone (2.1-dashboard-responsive). */
export default function Dashboard(): ReactElement {
  const intl = useIntl();
  const { portal, now } = useShell();
  const session = useSession();
  const mobile = useScreen() === 'mobile';
  const items = useSlot('dashboard');
  const open = items.filter((i) => i.title).slice(0, openParts);
  const quick = useQuickStart();
  const part = partOfDay(now(), portal.zone);
  const name = session?.name ?? '';
  const greeting =
    part === 'morning'
      ? intl.formatMessage({ id: 'shell.greeting.morning', defaultMessage: 'Good morning, {name}' }, { name })
      : part === 'afternoon'
        ? intl.formatMessage({ id: 'shell.greeting.afternoon', defaultMessage: 'Good afternoon, {name}' }, { name })
        : intl.formatMessage({ id: 'shell.greeting.evening', defaultMessage: 'Good evening, {name}' }, { name });
  const views = items.map((item, i) => (
    <SlotView
      key={`${item.module} ${item.id}`}
      slot="dashboard"
      item={item}
      props={{}}
      frame={mobile ? phoneFrame(open.includes(item)) : Tile}
      later={i >= firstTiles}
    />
  ));
  // Where the first item with that order or a later one stands: a label may have moved items, and theirs is the last word.
  const place = (order: number) => {
    const at = items.findIndex((item) => item.order >= order);
    return at < 0 ? items.length : at;
  };
  const before = (order: number) => views.slice(0, place(order));
  const from = (order: number, until = Number.POSITIVE_INFINITY) =>
    views.slice(place(order), Math.max(place(order), place(until)));
  const content = (
    <>
      {before(orders.attention)}
      <AttentionTile mobile={mobile} />
      {from(orders.attention, orders.quickStart)}
      {quick &&
        (mobile ? (
          <Disclosure level={2} title={quick.title} defaultOpen={open.length < openParts}>
            {quick.content}
          </Disclosure>
        ) : (
          <Tile id="quick-start" title={quick.title} size="half">
            {quick.content}
          </Tile>
        ))}
      {from(orders.quickStart)}
    </>
  );
  return (
    <Page width="wide" title={greeting}>
      {mobile ? <Accordion>{content}</Accordion> : <Tiles>{content}</Tiles>}
    </Page>
  );
}

/** Number of parts of the accordion that are open at first (9-dashboard-two-open). */
const openParts = 2;

/** Places of the shell's own tiles among the items of slot `dashboard`: after what is open, and before customer service. */
const orders = { attention: 25, quickStart: 40 };

/** Number of tiles that are loaded at once: those that fill the first screen. */
const firstTiles = 3;

/** What needs attention, from all modules; nothing when there is nothing (9-dashboard-attention). */
function AttentionTile({ mobile }: { mobile: boolean }): ReactElement {
  const intl = useIntl();
  const title = intl.formatMessage({ id: 'shell.attention', defaultMessage: 'Needs your attention' });
  const list = (
    <Later waiting={null}>
      <AttentionList>
        <PlainSlot name="attention" />
      </AttentionList>
    </Later>
  );
  return mobile ? (
    <Optional>
      <Disclosure level={2} title={title}>
        {list}
      </Disclosure>
    </Optional>
  ) : (
    <Tile id="attention" title={title} size="full" optional>
      {list}
    </Tile>
  );
}

const phoneFrame =
  (isOpen: boolean) =>
  ({ title, summary, children }: { title?: string; summary?: ReactNode; children: ReactNode }) =>
    title ? (
      <Disclosure level={2} title={title} summary={summary && <TitleSummary>{summary}</TitleSummary>} defaultOpen={isOpen}>
        {children}
      </Disclosure>
    ) : (
      children
    );

/** Returns the quick start: rows with icon and chevron, named as in the menu, for every kind of label. */
function useQuickStart(): { title: string; content: ReactNode } | undefined {
  const intl = useIntl();
  const { composition } = useShell();
  const rows = quickStartOf(composition);
  if (rows.length === 0) return undefined;
  return {
    title: intl.formatMessage({ id: 'shell.quick_start', defaultMessage: 'Arrange it yourself' }),
    content: (
      <Quick>
        {rows.map((r) => (
          <li key={r.to}>
            <Anchor href={r.to}>
              <Icon name={(r.icon ?? 'right') as IconName} size={20} />
              <span>{intl.formatMessage(r.label)}</span>
              <Icon name="right" size={20} />
            </Anchor>
          </li>
        ))}
      </Quick>
    ),
  };
}

/** The summary in the title row of a closed tile; an open tile shows it larger in its content. */
const TitleSummary = styled.span`[aria-expanded='true'] & { display: none; }`;
const AttentionList = styled.ul`list-style: none; margin: 0; padding: 0;`;
/** In an accordion: the line above a part, which its neighbors draw themselves. */
const Optional = styled.div`border-top: 1px solid var(--w-line); &:not(:has(li)) { display: none; }`;
const Quick = styled.ul`
  list-style: none; margin: 0 -12px; padding: 0; display: grid; gap: 4px 16px;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr));
  a { display: flex; align-items: center; gap: 12px; min-height: 56px; padding: 0 12px; border-radius: var(--w-radius-control); color: var(--w-text); text-decoration: none; }
  a:hover { background: var(--w-tint); }
  span { flex: 1; }
  svg { color: var(--w-text-quiet); }
`;
