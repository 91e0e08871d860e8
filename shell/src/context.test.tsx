import { cleanup, render } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { FormattedMessage } from 'react-intl';
import { afterEach, expect } from 'vitest';
import { Texted } from './context';

afterEach(cleanup);

row(['9-number-format', '1-currency-format'], 'a number in a sentence has a point at thousands in both languages', () => {
  for (const [locale, text] of [
    ['en', '1.234 shares'],
    ['nl', '1.234 delen'],
  ] as const) {
    const message = locale === 'en' ? '{n, plural, one {# share} other {# shares}}' : '{n, plural, one {# deel} other {# delen}}';
    const { container } = render(
      <Texted locale={locale} texts={{ 'test.shares': message }}>
        <FormattedMessage id="test.shares" values={{ n: 1234 }} />
      </Texted>,
    );
    expect(container.textContent).toBe(text);
    cleanup();
  }
});
