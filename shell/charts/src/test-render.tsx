import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { IntlProvider } from 'react-intl';
import en from '../../ui/messages/en.json';
import nl from '../../ui/messages/nl.json';

/** Renders a component with the kit's texts, for the tests of the charts. */
export const draw = (part: ReactElement, locale: 'nl' | 'en' = 'nl') =>
  render(part, {
    wrapper: ({ children }) => (
      <IntlProvider locale={locale} messages={locale === 'nl' ? nl : en}>
        {children}
      </IntlProvider>
    ),
  });
