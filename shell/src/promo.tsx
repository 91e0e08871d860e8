import { type Slots, useStored } from '@wattle/sdk';
import { density, mobile, radius } from '@wattle/ui';
import { type ReactElement, type ReactNode, Suspense, useId } from 'react';
import styled from 'styled-components';
import { Boundary } from './boundary';
import { useShell } from './context';
import { Later } from './later';
import { lazyView } from './lazy-view';
import type { Promo } from './portal';
import { addClosed, closedIn } from './promo.rules';

const View = lazyView(() => import(/* webpackChunkName: "promo" */ './promo-view'));

/**
 * The promo of today, on the pages that it names and until it is closed in this browser (9-promo-close). Its texts take their place before
 * they are seen, so that nothing moves when the rest is there.
 */
export function PromoPlace({ slot }: { slot: keyof Slots }): ReactElement | null {
  const { portal, locale } = useShell();
  const { promo, key } = portal.label;
  const [stored, store] = useStored(`wattle:shell:closed-promos:${key}`);
  if (!promo?.slots.includes(slot) || closedIn(stored).includes(promo.name)) return null;
  const waiting = <PromoFrame promo={promo} waiting link={promo.link?.text[locale]} />;
  return (
    <Place>
      <Later waiting={waiting}>
        <Boundary instead={null} onRetry={() => undefined}>
          <Suspense fallback={waiting}>
            <View promo={promo} onClose={() => store(addClosed(stored, promo.name))} />
          </Suspense>
        </Boundary>
      </Later>
    </Place>
  );
}

/** A promo without what is fetched later: picture, link and button. */
export function PromoFrame({
  promo,
  waiting = false,
  link,
  children,
}: {
  promo: Promo;
  /** It takes its place and is not seen. */
  waiting?: boolean;
  link: ReactNode;
  children?: ReactNode;
}): ReactElement {
  const { locale } = useShell();
  const title = useId();
  return (
    <Box aria-labelledby={title} data-promo={promo.name} $picture={Boolean(promo.picture)} $waiting={waiting}>
      <h2 id={title}>{promo.title[locale]}</h2>
      {promo.text && <p>{promo.text[locale]}</p>}
      {link && <strong>{link}</strong>}
      {children}
    </Box>
  );
}

const Place = styled.div`width: 100%;`;
/** A picture has a place of its own, on the right or on a phone on top; the button that closes is above it, or next to the title. */
const Box = styled.section<{ $picture: boolean; $waiting: boolean }>`
  position: relative; min-height: ${(p) => (p.$picture ? 192 : 0)}px; overflow: clip; visibility: ${(p) => (p.$waiting ? 'hidden' : 'visible')};
  display: flex; flex-direction: column; justify-content: center; gap: 8px; border: 1px solid var(--w-line); border-radius: ${radius.card}; background: var(--w-tint);
  padding: ${density.pad}; padding-right: calc(${density.pad} + ${(p) => (p.$picture ? '36%' : '48px')});
  h2 { font-size: 20px; }
  strong { display: flex; align-items: center; min-height: 44px; margin-bottom: -12px; font-weight: 600; }
  ${(p) => p.$picture && `${mobile} { padding-top: calc(144px + ${density.pad}); padding-right: ${density.pad}; }`}
`;
