import { type Problem, useProblemText, useSearchParams } from '@wattle/sdk';
import { Alert, Button, ErrorState, LinkButton, Page, PageColumn, Result, Row, Skeleton } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import { useKind } from './kind';

/**
 * 2.4-unsubscribe-page: the target of the link in an email, without signing in. Opening it changes nothing, because mail programs
 * also open links; only the button unsubscribes.
 */
export default function UnsubscribePage() {
  const intl = useIntl();
  const text = useProblemText();
  const kindOf = useKind();
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const link = api.useGet('/notifications/unsubscribe/{token}', { path: { token } }, { enabled: token !== '' });
  const off = api.useWrite('post', '/notifications/unsubscribe/{token}', { changes: [] });
  const refused = [link.error, off.error].some((p) => p && unknown(p));
  if (token === '' || refused)
    return (
      <PageColumn>
        <Result
          tone="bad"
          title={<FormattedMessage id="notifications.unsubscribe.unknown" defaultMessage="We do not know this link" />}
          actions={<PreferencesLink />}
        >
          <FormattedMessage
            id="notifications.unsubscribe.unknown_text"
            defaultMessage="Perhaps it was not copied in full. Nothing has changed. After signing in you choose yourself which messages you get by email."
          />
        </Result>
      </PageColumn>
    );
  const kind = kindOf(link.data?.kind ?? '');
  if (off.isSuccess || link.data?.done)
    return (
      <PageColumn>
        <Result
          title={<FormattedMessage id="notifications.unsubscribe.done" defaultMessage="You are unsubscribed" />}
          actions={<PreferencesLink />}
        >
          <FormattedMessage
            id="notifications.unsubscribe.done_text"
            defaultMessage="{label} sends you no more email about: {kind}. You still find these messages in the portal. Changed your mind? Switch it on again in the portal, under Messages."
            values={{ label: link.data?.label, kind: <strong>{kind}</strong> }}
          />
        </Result>
      </PageColumn>
    );
  return (
    <Page
      width="form"
      title={intl.formatMessage({ id: 'notifications.unsubscribe.title', defaultMessage: 'Unsubscribe from emails' })}
    >
      {link.isError ? (
        <ErrorState onRetry={() => void link.refetch()} retrying={link.isFetching} />
      ) : !link.data ? (
        <Skeleton shape="text" count={3} />
      ) : (
        <>
          <p>
            <FormattedMessage
              id="notifications.unsubscribe.ask"
              defaultMessage="Do you want no more email of {label} about: {kind}? You still find these messages in the portal, and email about your contract, your payments and the safety of your account goes on."
              values={{ label: link.data.label, kind: <strong>{kind}</strong> }}
            />
          </p>
          {off.error && (
            <Alert title={<FormattedMessage id="notifications.unsubscribe.failed" defaultMessage="That did not work" />}>
              {text(off.error)}
            </Alert>
          )}
          <Row gap={8}>
            <Button variant="primary" loading={off.isPending} onClick={() => off.mutate({ path: { token } })}>
              <FormattedMessage id="notifications.unsubscribe.confirm" defaultMessage="Unsubscribe" />
            </Button>
            <PreferencesLink />
          </Row>
        </>
      )}
    </Page>
  );
}

const unknown = ({ status }: Problem): boolean => status >= 400 && status < 500 && status !== 429;

/** A link to all preferences, through sign-in if there is no session. */
function PreferencesLink() {
  return (
    <LinkButton href="/notifications/message-preferences">
      <FormattedMessage id="notifications.unsubscribe.choose" defaultMessage="Choose what you get" />
    </LinkButton>
  );
}
