import { useQuery } from '@tanstack/react-query';
import { call, Navigate, ProblemError, useLocation } from '@wattle/sdk/host';
import { LinkButton, Page, PageColumn, Result } from '@wattle/ui';
import type { ReactElement } from 'react';
import { FormattedMessage } from 'react-intl';
import styled, { keyframes } from 'styled-components';
import { LaterTexts } from '../later-texts';

/** Purposes of a verification email that have their own texts here (7.5-post-verify: both email changes and registrations). */
const purposes = { email: 'account.email', application: 'onboarding.application' };

export type State = 'loading' | 'verified' | 'already' | 'unverified';

/** 4-verify-state-mapping */
export const stateOf = (status: number | undefined): State =>
  status === undefined ? 'loading' : status === 200 ? 'verified' : status === 412 ? 'already' : 'unverified';

/** 2.4-verify-page: the last segment of the path is the token; it is sent once, without signing in. */
export default function Verify(): ReactElement {
  const token =
    useLocation()
      .pathname.replace(/^\/verify\/?/, '')
      .split('/')
      .at(-1) ?? '';
  const answer = useQuery({
    queryKey: ['verify', token],
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: () =>
      call('post', '/emailverification/verify/{token}', { path: { token: decode(token) } }).then(
        (body) => ({ status: 200, purpose: (body as { purpose?: string } | undefined)?.purpose }),
        (cause: unknown) => ({ status: cause instanceof ProblemError ? cause.status : 0, purpose: undefined }),
      ),
  });
  if (token === '') return <Navigate to="/" replace />;
  return (
    <LaterTexts>
      <Answer state={stateOf(answer.data?.status)} purpose={answer.data?.purpose} />
    </LaterTexts>
  );
}

function Answer({ state, purpose }: { state: State; purpose: string | undefined }): ReactElement {
  if (state === 'loading')
    return (
      <Page title={<FormattedMessage id="shell.verify.title" defaultMessage="Confirm your email address" />}>
        <Waiting role="status">
          <Spinner aria-hidden />{' '}
          <FormattedMessage id="shell.verify.loading" defaultMessage="One moment, we are checking the link." />
        </Waiting>
      </Page>
    );
  return (
    <PageColumn>
      {state === 'verified' && (
        <Result
          title={<FormattedMessage id="shell.verify.verified" defaultMessage="Your email address is confirmed" />}
          // applicants cannot sign in yet
          actions={purpose !== purposes.application && <NextLink />}
        >
          {purpose === purposes.email && (
            <FormattedMessage
              id="shell.verify.verified_text"
              defaultMessage="From now on we use this address. You can close this page or go to the portal."
            />
          )}
          {purpose === purposes.application && (
            <FormattedMessage
              id="shell.verify.verified_application"
              defaultMessage="Your request is complete now. We look at it, usually within 2 working days, and then send you an email. Until then you need not do anything."
            />
          )}
        </Result>
      )}
      {state === 'already' && (
        <Result
          title={<FormattedMessage id="shell.verify.already" defaultMessage="This email address was already confirmed" />}
          actions={<NextLink />}
        >
          <FormattedMessage id="shell.verify.already_text" defaultMessage="You need not do anything more." />
        </Result>
      )}
      {state === 'unverified' && (
        <Result
          tone="bad"
          title={<FormattedMessage id="shell.verify.unverified" defaultMessage="We could not confirm your email address" />}
          actions={<NextLink />}
        >
          <FormattedMessage
            id="shell.verify.unverified_text"
            defaultMessage="The link is not right or too old. Fill in your email address again where you did before, in your account or with your request; you will then get a new link."
          />
        </Result>
      )}
    </PageColumn>
  );
}

function NextLink(): ReactElement {
  return (
    <LinkButton href="/" variant="primary">
      <FormattedMessage id="shell.to_portal" defaultMessage="To the portal" />
    </LinkButton>
  );
}

const decode = (s: string): string => {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
};

const turn = keyframes`to { rotate: 1turn; }`;
const Waiting = styled.div`display: flex; align-items: center; gap: 12px;`;
const Spinner = styled.span`
  width: 24px; height: 24px; border-radius: 50%; border: 3px solid var(--w-tint-strong); border-top-color: var(--w-primary-ink);
  animation: ${turn} 1s linear infinite;
`;
