import { Accordion, Anchor, Disclosure, density, Icon, type IconName, Page } from '@wattle/ui';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { quickStartOf, type SlotEntry, shellKey } from '../compose';
import { useShell } from '../context';
import { useGreeting } from '../greeting';
import { hiddenWhileWaiting } from '../hidden-while-waiting';
import { LazyInView } from '../lazy-in-view';
import { PromoPlace } from '../promo';
import { useScreen } from '../screen';
import { PlainSlot, SlotView, useSlot } from '../slot';
import { Tile, Tiles } from './tiles';

/** 2.1-dashboard-*: tiles on a desktop, an accordion on a phone (2.1-dashboard-responsive). */
export default function Dashboard(): ReactElement {
  const mobile = useScreen() === 'mobile';
  const quick = useQuickStart();
  const items = useSlot('dashboard', undefined, true).filter((item) => quick || !isOwn(item, 'quick-start'));
  const greeting = useGreeting();
  // the parts of the accordion with their own header; anything between open parts is open too
  const parts = items.filter((item) => item.title || isOwn(item, 'quick-start'));
  const lastOpen = parts.length < openParts ? items.length : items.indexOf(parts[openParts - 1] as SlotEntry);
  const first = items.filter((item) => item.module !== shellKey).slice(0, initialTiles);
  const content = items.map((item, i) => {
    const key = `${item.module} ${item.id}`;
    const frame = mobile ? phoneFrame(i <= lastOpen) : Tile;
    if (isOwn(item, 'attention')) return <Attention key={key} mobile={mobile} />;
    if (quick && isOwn(item, 'quick-start'))
      return <Fragment key={key}>{frame({ ...quick, id: item.id, size: 'full' })}</Fragment>;
    if (isOwn(item, 'promo')) return mobile ? <Inset key={key} children={promo} /> : <Fragment key={key}>{promo}</Fragment>;
    return <SlotView key={key} slot="dashboard" item={item} props={{}} frame={frame} lazy={!first.includes(item)} />;
  });
  return (
    <Page width="wide" title={greeting}>
      <Still>{mobile ? <Accordion>{content}</Accordion> : <Tiles>{content}</Tiles>}</Still>
    </Page>
  );
}

/** Number of accordion parts that are initially open (9-dashboard-two-open). */
const openParts = 2;

const isOwn = (item: SlotEntry, id: string): boolean => item.module === shellKey && item.id === id;
const promo = <PromoPlace slot="dashboard" />;

/** Number of tiles that are loaded immediately: those that fill the first screen. */
const initialTiles = 3;

/** What needs attention, from all modules: a strip with one line each, and nothing if there is none (9-dashboard-attention). */
function Attention({ mobile }: { mobile: boolean }): ReactElement {
  const intl = useIntl();
  const label = intl.formatMessage({ id: 'shell.attention', defaultMessage: 'Needs your attention' });
  const list = (
    <LazyInView waiting={null}>
      <AttentionList>
        <PlainSlot name="attention" />
      </AttentionList>
    </LazyInView>
  );
  return mobile ? (
    <Optional aria-label={label}>{list}</Optional>
  ) : (
    <Tile id="attention" label={label} size="full" optional>
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
      <Inset data-part style={{ paddingBlock: 8 }}>
        {children}
      </Inset>
    );

/** Returns the quick start: links with icon, each named after its task (9-quickstart-tasks). */
function useQuickStart(): { title: string; children: ReactNode } | undefined {
  const intl = useIntl();
  const { composition } = useShell();
  const rows = quickStartOf(composition);
  if (rows.length === 0) return undefined;
  return {
    title: intl.formatMessage({ id: 'shell.quick_start', defaultMessage: 'Arrange it yourself' }),
    children: (
      <Quick>
        {rows.map((r) => (
          <li key={r.to}>
            <Anchor href={r.to}>
              <Icon name={(r.icon ?? 'right') as IconName} size={20} />
              <span>
                {intl.formatMessage(
                  {
                    id: 'shell.quick_start.task',
                    defaultMessage:
                      '{to, select, agreements {View your contract} account {Change your details} move {Tell us that you are moving} invoices {Download an invoice} other {Change your monthly amount}}',
                  },
                  { to: r.to.slice(1) },
                )}
              </span>
            </Anchor>
          </li>
        ))}
      </Quick>
    ),
  };
}

/**
 * A first tile without a title, such as what is to be paid, is as high as its data: the others are shown together with it, so that it
 * does not push them down (9-dashboard-lead).
 */
const Still = styled.div`
  & :is([data-tile], [data-part]):first-child:not(:has(h2)):has([role='status'][aria-busy='true']) ~ * { ${hiddenWhileWaiting} }
`;
/** The summary in the title row of a closed tile; an open tile shows it larger in its content. */
const TitleSummary = styled.span`[aria-expanded='true'] & { display: none; }`;
const AttentionList = styled.ul`list-style: none; margin: 0; padding: 0;`;
/** In an accordion: includes the line above, which other parts draw themselves. */
const Optional = styled.section`padding: 4px ${density.pad}; border-top: 1px solid var(--w-line); background: var(--w-tint); &:not(:has(li)) { display: none; }`;
/** In an accordion: a part without header, such as a promo, if there is one. */
const Inset = styled.div`padding: ${density.pad}; border-top: 1px solid var(--w-line); &:empty { display: none; } &:first-child { border-top: 0; }`;
const Quick = styled.ul`
  list-style: none; margin: 0 -8px; padding: 0; display: grid; gap: 4px 8px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 156px), 1fr));
  a { display: flex; align-items: center; gap: 8px; min-height: 48px; padding: 4px 8px; border-radius: var(--w-radius-control); color: var(--w-text); line-height: 1.3; text-decoration: none; }
  a:hover { background: var(--w-tint); }
  svg { color: var(--w-text-quiet); }
`;
