import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { IntlProvider } from 'react-intl';
import en from '../messages/en.json';
import nl from '../messages/nl.json';

/** Renders a part with the texts of the kit, for tests of the kit. */
export function draw(part: ReactElement, locale: 'nl' | 'en' = 'nl') {
  return render(part, {
    wrapper: ({ children }) => (
      <IntlProvider locale={locale} messages={locale === 'nl' ? nl : en}>
        {children}
      </IntlProvider>
    ),
  });
}
