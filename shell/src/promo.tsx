import { type Slots, useStored } from '@wattle/sdk';
import { type ReactElement, Suspense } from 'react';
import styled from 'styled-components';
import { Boundary } from './boundary';
import { useShell } from './context';
import { LazyInView } from './lazy-in-view';
import { lazyView } from './lazy-view';
import { addClosed, closedIn } from './promo.rules';
import { PromoFrame } from './promo-frame';

const View = lazyView(() => import(/* webpackChunkName: "promo" */ './promo-view'));

/**
 * Today's promo, on the pages that it lists and until it is closed in this browser (9-promo-close). Its texts reserve their space
 * before they are visible, so that nothing moves when the rest has loaded.
 */
export function PromoPlace({ slot }: { slot: keyof Slots }): ReactElement | null {
  const { portal, locale } = useShell();
  const { promo, key } = portal.label;
  const [stored, store] = useStored(`wattle:shell:closed-promos:${key}`);
  if (!promo?.slots.includes(slot) || closedIn(stored).includes(promo.name)) return null;
  const waiting = <PromoFrame promo={promo} waiting link={promo.link?.text[locale]} />;
  return (
    <Place>
      <LazyInView waiting={waiting}>
        <Boundary instead={null} onRetry={() => undefined}>
          <Suspense fallback={waiting}>
            <View promo={promo} onClose={() => store(addClosed(stored, promo.name))} />
          </Suspense>
        </Boundary>
      </LazyInView>
    </Place>
  );
}

const Place = styled.div`width: 100%;`;
