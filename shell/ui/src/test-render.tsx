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
