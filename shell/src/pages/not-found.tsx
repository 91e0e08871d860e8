import { EmptyState, LinkButton, Page } from '@wattle/ui';
import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';

/** 2.1-notfound: shown only at /notfound itself; unknown paths redirect to the landing page. */
export default function NotFound(): ReactElement {
  return (
    <Page title={<FormattedMessage id="shell.notfound.title" defaultMessage="Page not found" />}>
      <EmptyState
        illustration="mill"
        title="404"
        action={
          <LinkButton href="/" variant="primary">
            <FormattedMessage id="shell.notfound.back" defaultMessage="To the start page" />
          </LinkButton>
        }
      >
        <FormattedMessage id="shell.notfound.text" defaultMessage="This page does not exist, or no longer exists." />
      </EmptyState>
    </Page>
  );
}
