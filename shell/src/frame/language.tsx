import type { Locale } from '@wattle/sdk';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';

const names = { nl: 'Nederlands', en: 'English' } as const;

interface LanguageProps {
  locale: Locale;
  setLocale(l: Locale): void;
  /** Below 375 px only the other language is shown, because the logo needs the space. */
  brief?: boolean;
}

/** 1-language-switch: "NL | EN", shown on every screen. */
export function Language({ locale, setLocale, brief = false }: LanguageProps): ReactElement {
  const intl = useIntl();
  const other = locale === 'nl' ? 'en' : 'nl';
  const choice = (l: Locale) => ({
    type: 'button' as const,
    lang: l,
    'aria-label': `${l.toUpperCase()}, ${names[l]}`,
    onClick: () => setLocale(l),
    children: l.toUpperCase(),
  });
  return (
    <Group role="group" aria-label={intl.formatMessage({ id: 'shell.language', defaultMessage: 'Language' })} $brief={brief}>
      {(['nl', 'en'] as const).map((l) => (
        <Choice key={l} aria-pressed={l === locale} {...choice(l)} />
      ))}
      {brief && <Other {...choice(other)} /> /* a single button, which keeps focus when pressed */}
    </Group>
  );
}

const Group = styled.div<{ $brief: boolean }>`
  display: flex; align-items: center;
  ${(p) => p.$brief && '@media (max-width: 374px) { [aria-pressed] { display: none; } }'}
  [aria-pressed] + [aria-pressed] { border-left: 1px solid color-mix(in oklch, currentColor 40%, transparent); }
`;
const Choice = styled.button`
  color: inherit; font-size: 14px; line-height: 20px; padding: 0 10px; min-width: 44px; text-align: center; position: relative;
  &::after { content: ''; position: absolute; inset: -12px 0; }
  && { min-height: 20px; }
  &[aria-pressed='true'] { font-weight: 600; text-decoration: underline 2px; text-underline-offset: .35em; }
  &:hover { text-decoration: underline; text-underline-offset: .35em; }
`;
const Other = styled(Choice)`&& { border: 0; } @media (min-width: 375px) { display: none; }`;
