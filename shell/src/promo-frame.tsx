import { density, mobile, radius } from '@wattle/ui';
import { type ReactElement, type ReactNode, useId } from 'react';
import styled from 'styled-components';
import { useShell } from './context';
import type { Promo } from './portal';

/** A promo without the parts that are fetched later: picture, link and button. */
export function PromoFrame({
  promo,
  waiting = false,
  link,
  children,
}: {
  promo: Promo;
  /** Reserves its space without being visible. */
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

/** A picture is at the right, or at the top on a phone. The close button is above the picture, or next to the title. */
const Box = styled.section<{ $picture: boolean; $waiting: boolean }>`
  position: relative; min-height: ${(p) => (p.$picture ? 192 : 0)}px; overflow: clip; visibility: ${(p) => (p.$waiting ? 'hidden' : 'visible')};
  display: flex; flex-direction: column; justify-content: center; gap: 8px; border: 1px solid var(--w-line); border-radius: ${radius.card}; background: var(--w-tint);
  padding: ${density.pad}; padding-right: calc(${density.pad} + ${(p) => (p.$picture ? '36%' : '48px')});
  h2 { font-size: 20px; }
  strong { display: flex; align-items: center; min-height: 44px; margin-bottom: -12px; font-weight: 600; }
  ${(p) => p.$picture && `${mobile} { padding-top: calc(144px + ${density.pad}); padding-right: ${density.pad}; }`}
`;
