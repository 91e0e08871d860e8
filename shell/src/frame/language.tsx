import type { Locale } from '@wattle/sdk';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';

const names = { nl: 'Nederlands', en: 'English' } as const;

/** 1-language-switch: "NL | EN", shown on every screen. */
export function Language({ locale, setLocale }: { locale: Locale; setLocale(l: Locale): void }): ReactElement {
  const intl = useIntl();
  return (
    <Group role="group" aria-label={intl.formatMessage({ id: 'shell.language', defaultMessage: 'Language' })}>
      {(['nl', 'en'] as const).map((l) => (
        <Choice
          key={l}
          type="button"
          lang={l}
          aria-label={`${l.toUpperCase()}, ${names[l]}`}
          aria-pressed={l === locale}
          onClick={() => setLocale(l)}
        >
          {l.toUpperCase()}
        </Choice>
      ))}
    </Group>
  );
}

const Group = styled.div`
  display: flex; align-items: center;
  button + button { border-left: 1px solid color-mix(in oklch, currentColor 40%, transparent); }
`;
const Choice = styled.button`
  color: inherit; font-size: 14px; line-height: 20px; padding: 0 10px; min-width: 44px; text-align: center; position: relative;
  &::after { content: ''; position: absolute; inset: -12px 0; }
  && { min-height: 20px; }
  &[aria-pressed='true'] { font-weight: 600; text-decoration: underline 2px; text-underline-offset: .35em; }
  &:hover { text-decoration: underline; text-underline-offset: .35em; }
`;
