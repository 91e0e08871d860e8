import { act, cleanup, render, screen } from '@testing-library/react';
import { row } from '@wattle/sdk/vitest';
import { Suspense } from 'react';
import { FormattedMessage, IntlProvider } from 'react-intl';
import { afterEach, expect } from 'vitest';
import { LaterTexts } from './later-texts';
import nl from './messages/nl.json';

afterEach(cleanup);

row('9-later-texts', 'a page that is rarely opened loads its texts; those of the label and of the shell stay', async () => {
  for (const [locale, own, text] of [
    ['nl', {}, nl['shell.verify.already']],
    ['en-NL', {}, 'This email address was already confirmed'],
    ['nl', { 'shell.verify.already': 'Al gedaan' }, 'Al gedaan'],
  ] as const) {
    await act(async () => {
      render(
        <IntlProvider locale={locale} messages={{ ...own, 'shell.start.retry': 'Shell' }} onError={() => undefined}>
          <Suspense>
            <LaterTexts>
              <p>
                <FormattedMessage id="shell.verify.already" />, <FormattedMessage id="shell.start.retry" />
              </p>
            </LaterTexts>
          </Suspense>
        </IntlProvider>,
      );
    });
    expect(await screen.findByText(`${text}, Shell`)).toBeVisible();
    cleanup();
  }
});
