import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { IntlProvider } from 'react-intl';
import en from '../messages/en.json';
import nl from '../messages/nl.json';

/** Renders a component with the kit's texts, for the kit's own tests. */
export function draw(part: ReactElement, locale: 'nl' | 'en' = 'nl') {
  return render(part, {
    wrapper: ({ children }) => (
      <IntlProvider locale={locale} messages={locale === 'nl' ? nl : en}>
        {children}
      </IntlProvider>
    ),
  });
}

/** The values that the style sheets give a property of an element (or of those inside it), with the media query of each. */
export function styles(element: Element | null | undefined, property: string, inside = '') {
  const own = [...(element?.classList ?? [])].map((name) => `.${name}${inside}`);
  const found: [media: string, value: string][] = [];
  const read = (rules: CSSRuleList, media: string) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule) read(rule.cssRules, rule.media.mediaText);
      else if (rule instanceof CSSStyleRule && own.includes(rule.selectorText)) {
        const value = rule.style.getPropertyValue(property);
        if (value) found.push([media, value]);
      }
    }
  };
  for (const sheet of document.styleSheets) read(sheet.cssRules, '');
  return found;
}
