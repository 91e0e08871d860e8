import type { AccountGroup, Path, Remote, SlotItem, Slots } from '@wattle/sdk';
import type { SlotProps } from '@wattle/sdk/host';
import { Card, Skeleton } from '@wattle/ui';
import {
  createContext,
  Fragment,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { type SlotEntry, shellKey, slotItems } from './compose';
import { useSession, useShell } from './context';
import { FirstPaintGate, HoldFirstPaint } from './first-paint-gate';
import { hiddenWhileWaiting } from './hidden-while-waiting';
import { LazyInView } from './lazy-in-view';
import { Aside, Part } from './part';
import { PromoPlace } from './promo';
import { useScreen } from './screen';

/**
 * Returns the items of a slot that this label shows; pass `page` if the items depend on it. `withOwn` adds the shell's own items in
 * the slot.
 */
export function useSlot(name: keyof Slots, page?: Path, withOwn = false): SlotEntry[] {
  const { portal, place } = useShell();
  const role = useSession()?.role;
  return slotItems(
    name,
    portal.remotes.map((r) => r.manifest),
    page ? { ...place, page } : place,
    portal.slots[name],
    role,
    withOwn,
  );
}

/** The default frame: a card with the item's title. */
const card: NonNullable<SlotProps<keyof Slots>['frame']> = ({ title, children }) => <Card title={title}>{children}</Card>;

/** Renders a slot: the shell renders the frame, title, skeleton of the declared size and retry; the remote renders the content. */
export function Slot(p: ItemsProps): ReactElement {
  if (p.name === 'due') return <Due />;
  return p.name === 'notice' ? <NoticePlace /> : <Items {...p} />;
}

type ItemsProps = SlotProps<keyof Slots> & {
  /** Rendered after the first item. */
  after?: ReactNode;
};

function Items({ name, props, frame = card, group, after, children }: ItemsProps): ReactElement {
  const all = useSlot(name, undefined, true);
  const items = group ? all.filter((_, i) => groupAt(all, i) === group) : all;
  const end = items.at(-1)?.module === shellKey ? items.length - 1 : -1;
  return (
    <>
      {items.map((item, i) => (
        <Fragment key={`${item.module} ${item.id}`}>
          {i === end && children}
          {item.module === shellKey ? (
            <PromoPlace slot={name} />
          ) : (
            <SlotView slot={name} item={item} props={props} frame={frame} />
          )}
          {i === 0 && after}
        </Fragment>
      ))}
      {end < 0 && children}
    </>
  );
}

/**
 * Returns the group of the item at `i` in slot `account`. The promo has that of the item above it; at the end it is below all groups
 * (9-promo-close).
 */
function groupAt(all: readonly SlotEntry[], i: number): AccountGroup {
  const item = all[i];
  if (item?.module !== shellKey) return item?.group ?? 'contract';
  return i === all.length - 1 ? 'security' : groupAt(all, i === 0 ? 1 : i - 1);
}

/**
 * The element with the page's notices. It is created once, so that notices keep their state and hold the first page before the page
 * has loaded.
 */
export const NoticeNode = createContext<HTMLElement | null>(null);

/** The place of the notices on a page. */
export function NoticePlace(): ReactElement {
  const node = useContext(NoticeNode);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (node) place.current?.append(node);
  }, [node]);
  return <Place ref={place} />;
}

/** Renders the page's notices into the element from the context. */
export function Notices({ page, hold }: Slots['notice']): ReactElement {
  const node = useContext(NoticeNode);
  return (
    <>
      {useSlot('notice', page).map((item) => {
        const key = `${item.module} ${item.id}`;
        const view = <SlotView key={key} slot="notice" item={item} props={{ page, hold }} frame={(f) => f.children} />;
        return node && createPortal(view, node, key);
      })}
    </>
  );
}

/**
 * Placeholders while a view is loading. A header control reserves its space. A notice does not, because there often is none; it
 * holds the page instead.
 */
const placeholders: { [S in keyof Slots]?: ReactNode } = {
  header: <span style={{ width: 44, height: 44 }} />,
  notice: <HoldFirstPaint />,
};

/** What the member must pay, from all modules, in one card; nothing if there is nothing (9-glance-due). */
function Due(): ReactElement {
  const title = useIntl().formatMessage({ id: 'shell.due', defaultMessage: 'To pay' });
  const hold = useContext(FirstPaintGate);
  const waiting = (
    <>
      <Skeleton />
      <HoldFirstPaint />
    </>
  );
  return (
    <DueCard>
      <Card title={title}>
        <ul>
          <PlainSlot name="due" props={{ hold }} waiting={waiting} />
        </ul>
      </Card>
    </DueCard>
  );
}

/**
 * The views of a slot without frames: `waiting` while they load, and nothing for a module that fails, whose own pages show the
 * error.
 */
export function PlainSlot({ name, props, waiting }: PlainSlotProps): ReactElement {
  return (
    <>
      {useSlot(name).map((item) => (
        <Aside
          slot
          key={`${item.module} ${item.id}`}
          module={item.module}
          id={`${name}/${item.id}`}
          pick={(r) => r.slots?.[name]?.find((i) => i.id === item.id)?.view}
          props={{ ...props, hide: () => undefined }}
          waiting={waiting}
        />
      ))}
    </>
  );
}

interface PlainSlotProps {
  name: 'attention' | 'due';
  props?: object;
  waiting?: ReactNode;
}

export function SlotView(p: {
  slot: keyof Slots;
  item: SlotEntry;
  props: object;
  frame: NonNullable<SlotProps<keyof Slots>['frame']>;
  /** The view is not among the first ones on the page. */
  lazy?: boolean;
}): ReactNode {
  const { slot, item } = p;
  const intl = useIntl();
  const phone = useScreen() === 'mobile';
  const [hidden, setHidden] = useState(false);
  const hide = useCallback(() => setHidden(true), []);
  const [other, retitle] = useState<string>();
  if (hidden) return null;
  const declared = (r: Remote) => (r.slots?.[slot] as readonly SlotItem<never>[] | undefined)?.find((i) => i.id === item.id);
  const id = `${slot}/${item.id}`;
  const rows = (phone && item.phoneRows) || item.rows;
  const waiting = rows ? (
    <Skeleton shape="row" count={rows} />
  ) : slot in placeholders ? (
    placeholders[slot]
  ) : (
    <Skeleton shape="text" />
  );
  const title = other ?? (item.title && intl.formatMessage(item.title));
  const part = (
    <Part
      module={item.module}
      id={id}
      compact
      slot
      pick={(r) => declared(r)?.view}
      props={{ ...p.props, hide, retitle }}
      waiting={waiting}
    />
  );
  const view = p.lazy ? <LazyInView waiting={waiting}>{part}</LazyInView> : part;
  return p.frame({
    id: item.id,
    module: item.module,
    size: item.size ?? 'full',
    children: rows ? <Reserved $rows={rows}>{view}</Reserved> : view,
    ...(title ? { title } : {}),
    ...(item.summary
      ? { summary: <Aside slot module={item.module} id={`${id} summary`} pick={(r) => declared(r)?.summary} /> }
      : {}),
  });
}

const Place = styled.div`width: 100%; &:not(:has(> div > *)) { display: none; }`;
/**
 * Often there is nothing to pay, so no height is reserved: the card is shown when all amounts are known, and what it pushes down is
 * hidden until then.
 */
const DueCard = styled.div`
  width: 100%;
  &:not(:has(li)), &:has([role='status'][aria-busy='true']) { display: none; }
  &:has([role='status'][aria-busy='true']) ~ * { ${hiddenWhileWaiting} }
  ul { list-style: none; margin: 0; padding: 0; }
  li { display: flex; align-items: center; justify-content: space-between; gap: 8px 16px; }
  li + li { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--w-line); }
  li > div:first-child { min-width: 0; overflow-wrap: anywhere; } li > div:last-child { flex: none; }
  strong { font-variant-numeric: tabular-nums; } strong svg { display: inline-block; vertical-align: -3px; color: var(--w-negative); }
  small { display: block; font-size: 14px; color: var(--w-text-quiet); }
  @media (max-width: 767px) { li { flex-direction: column; align-items: stretch; } li > div:last-child > * { width: 100%; } }
`;
/**
 * As high as the item's rows while its code or data is loading; afterwards as high as its content. A skeleton alone in it has exactly
 * that height, so that nothing below moves between the code and the data (9-pages-still).
 */
const Reserved = styled.div<{ $rows: number }>`
  &:has([aria-busy='true']) { min-block-size: ${(p) => p.$rows * 56}px; }
  > [role='status'][aria-busy='true'] { block-size: ${(p) => p.$rows * 56}px; overflow: clip; }
`;
