import type { Locale } from '@wattle/sdk';
import { PageTitle } from '@wattle/ui/start';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import styled, { createGlobalStyle } from 'styled-components';
import { Language } from '../frame/language';
import { Skip } from '../frame/skip';

export interface LanguageProps {
  locale: Locale;
  setLocale(l: Locale): void;
}

/** A page without the branding of a label. */
export function Neutral({
  locale,
  setLocale,
  title,
  wide,
  children,
}: LanguageProps & { title: string; wide?: boolean; children: ReactNode }): ReactElement {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <NeutralTheme />
      <Skip />
      <Bar>
        <Language locale={locale} setLocale={setLocale} />
      </Bar>
      <Main id="content" tabIndex={-1} $wide={wide ?? false}>
        <PageTitle>{title}</PageTitle>
        {children}
      </Main>
    </>
  );
}

/** The colors of this page; without a label the server does not send any. */
const NeutralTheme = createGlobalStyle`
  :root {
    --w-page: #f7f8f6; --w-surface: #fff; --w-text: #17211b; --w-text-quiet: #4a554e; --w-line: #dcdfdd; --w-control-line: #7f8882;
    --w-primary: #24463a; --w-on-primary: #fff; --w-primary-ink: #24463a; --w-primary-hover: #1c372d; --w-primary-pressed: #162b24;
    --w-tint: #eef2ef; --w-tint-strong: #dfe6e1; --w-focus: #17211b;
    --w-warning: #8a5a00; --w-warning-tint: #f7f1e6; --w-negative: #b3261e; --w-negative-tint: #faeceb;
    --w-font: 'Open Sans'; --w-font-fallback: 'Open Sans Fallback';
    --w-radius: 16px; --w-radius-control: 8px; --w-radius-button: 8px; --w-gap: 16px; --w-pad: 24px; --w-row: 64px;
    @media (max-width: 767px) { --w-pad: 16px; }
  }
`;
const Bar = styled.div`display: flex; justify-content: flex-end; padding: 24px 16px 0; max-width: 1144px; margin: 0 auto; @media (min-width: 768px) { padding-inline: 32px; }`;
const Main = styled.main<{ $wide: boolean }>`
  max-width: ${(p) => (p.$wide ? 1144 : 560)}px; margin: 0 auto; padding: 32px 16px 64px; display: flex; flex-direction: column; gap: 16px;
  @media (min-width: 768px) { padding-inline: 32px; }
`;
