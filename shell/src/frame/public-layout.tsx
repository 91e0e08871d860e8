import type { ReactElement, ReactNode } from 'react';
import styled from 'styled-components';
import { useShell } from '../context';
import { Pattern } from '../sign-in/pattern';
import { Language } from './language';
import { Skip } from './skip';

/**
 * The layout of all pages without a session, including sign-in (9-public-layout): logo and language, the page, links at the bottom,
 * and the label's picture: next to the page from 960 px, otherwise a low band above it. `wide` omits the picture; `narrow` ends the
 * header where a form of 400 px does.
 */
export function PublicLayout({
  wide,
  narrow,
  logo,
  foot,
  children,
}: {
  wide?: boolean;
  narrow?: boolean;
  logo: ReactNode;
  foot: ReactNode;
  children: ReactNode;
}): ReactElement {
  const { portal, locale, setLocale } = useShell();
  const { illustration, photos } = portal.label;
  return (
    <Halves>
      <Skip />
      <Left $wide={wide ?? false}>
        {wide && <Strip />}
        <Top style={narrow ? { maxWidth: 'calc(400px + 2 * var(--inset))' } : undefined}>
          {logo}
          <Language locale={locale} setLocale={setLocale} />
        </Top>
        <Content id="content" tabIndex={-1}>
          {children}
        </Content>
        <Foot>{foot}</Foot>
      </Left>
      {!wide && (
        <Right aria-hidden data-screen>
          {!illustration && <Pattern />}
          {photos?.sign_in ? (
            <picture>
              <source media="(min-width: 960px)" srcSet={photos.sign_in} />
              <img src={illustration ?? undefined} alt="" fetchPriority="high" />
            </picture>
          ) : (
            illustration && <img src={illustration} alt="" />
          )}
        </Right>
      )}
    </Halves>
  );
}

const Halves = styled.div`
  --w-page-top: clamp(24px, 8vh, 80px);
  --inset: 64px; display: flex; min-height: 100vh; background: var(--w-surface);
  @media (min-width: 960px) { --w-page-x: 64px; }
  @media (max-width: 959px) { --inset: 24px; flex-direction: column; }
  @media (max-width: 767px) { --inset: 16px; }
`;
const Left = styled.div<{ $wide: boolean }>`
  display: flex; flex-direction: column; flex: ${(p) => (p.$wide ? '1' : '0 1 688px')}; min-width: 0; min-height: 100vh;
  @media (max-width: 959px) { flex: 1 0 auto; min-height: 0; }
  @media (min-width: 960px) and (max-width: 1279px) { flex-basis: ${(p) => (p.$wide ? 'auto' : '560px')}; flex-shrink: 0; }
`;
const Strip = styled.div`
  display: none; flex: none; height: 8px; background: var(--w-primary);
  @media (max-width: 959px) { display: block; }
`;
const Top = styled.header`
  display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 88px; padding: 0 var(--inset); > [role='group'] { margin-right: -12px; }
  @media (max-width: 767px) { min-height: 72px; }
`;
const Content = styled.main`flex: 1; min-width: 0; display: flex; flex-direction: column;`;
const Foot = styled.footer`
  padding: 0 var(--inset) 24px; font-size: 14px; color: var(--w-text-quiet);
`;
/** Stays in view while a long page scrolls. */
const Right = styled.div`
  flex: 1; min-width: 0; position: sticky; top: 0; height: 100vh; background: var(--w-primary); overflow: hidden;
  img { width: 100%; height: 100%; object-fit: cover; object-position: 50% 62%; position: absolute; inset: 0; }
  @media (max-width: 959px) { order: -1; flex: none; position: relative; height: clamp(48px, 20vh, 176px); img { object-position: 50% 18%; } }
`;
