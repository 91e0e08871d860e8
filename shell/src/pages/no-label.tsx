import { Button } from '@wattle/ui/start';
import type { ReactElement } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { LaterTexts } from '../later-texts';
import type { Card } from '../portal';
import { Cards } from './cards';
import { type LanguageProps, Neutral } from './neutral';

/** The page for a host without a label, and after a failed start. */
export default function NoLabel({ labels, ...p }: LanguageProps & { labels: readonly Card[] | undefined }): ReactElement {
  return labels ? (
    <LaterTexts>
      <Cards labels={labels} {...p} />
    </LaterTexts>
  ) : (
    <StartFailed {...p} /> // without a connection nothing more can be loaded
  );
}

/** 8-startup-failure, 1-unknown-host: the general error page. */
function StartFailed(p: LanguageProps): ReactElement {
  const intl = useIntl();
  const title = intl.formatMessage({ id: 'shell.start.failed', defaultMessage: 'This portal is not available right now' });
  return (
    <Neutral {...p} title={title}>
      <p>
        <FormattedMessage
          id="shell.start.failed_text"
          defaultMessage="Check the address in your browser, or try again in a few minutes. Nothing of yours is lost."
        />
      </p>
      <div>
        <Button icon="retry" variant="primary" onClick={() => location.reload()}>
          <FormattedMessage id="shell.start.retry" defaultMessage="Try again" />
        </Button>
      </div>
    </Neutral>
  );
}
