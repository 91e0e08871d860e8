import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { IntlProvider } from 'react-intl';
import en from '../../ui/messages/en.json';
import nl from '../../ui/messages/nl.json';

/** For the charts' own tests: with the kit's texts around it. */
export const draw = (part: ReactElement, locale: 'nl' | 'en' = 'nl') =>
  render(part, {
    wrapper: ({ children }) => (
      <IntlProvider locale={locale} messages={locale === 'nl' ? nl : en}>
        {children}
      </IntlProvider>
    ),
  });
