import { type Problem, useDraft, useLocation, useNavigate, useProblemText, useSearchParams, useToday } from '@wattle/sdk';
import { Alert, EmptyState, ErrorState, Page, Skeleton, Stepper } from '@wattle/ui';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, movable } from './agreement.rules';
import { api, billing, changes, type MoveRequest } from './api';
import { useLookup } from './lookup';
import { AddressPage } from './page-address';
import { AgreementPage } from './page-agreement';
import { DatesPage } from './page-dates';
import type { PageProps } from './page-props';
import { ResultPage, type SentMove } from './page-result';
import { SummaryPage } from './page-summary';
import { PendingMoves } from './pending-moves';
import { Contact, useFailure } from './texts';
import { chosenOf, type Draft, empty, firstInvalid, keyOfRequest, othersOf, requestOf, type WizardData } from './wizard.rules';

/** 2.1-move-route: pages 0 to 4 (2.2-pages); `?page=` in the URL is the current one. */
export default function MovePage() {
  const agreements = billing.useGet('/agreements');
  const moves = api.useGet('/moves');
  const failed = [agreements, moves].filter((q) => q.isError);
  const [sent, setSent, forgetSent] = useDraft<SentMove | null>('sent', null);
  const [params] = useSearchParams();
  const moved = usePageChanged(params.get('page'));
  if (params.get('page') === '4') return <ResultPage sent={sent} moved={moved} />;
  if (agreements.data && moves.data)
    return (
      <Wizard
        agreements={agreements.data}
        moves={moves.data}
        onSent={setSent}
        onMoveExists={() => void moves.refetch()}
        onStart={() => {
          if (sent) forgetSent();
        }}
      />
    );
  return (
    <Framed>
      {failed.length > 0 ? (
        <ErrorState onRetry={() => failed.map((q) => q.refetch())} retrying={failed.some((q) => q.isFetching)} />
      ) : (
        <Skeleton shape="field" count={4} />
      )}
    </Framed>
  );
}

function Framed({ children }: { children: React.ReactNode }) {
  return (
    <Page
      width="form"
      title={<FormattedMessage id="move.title" defaultMessage="Moving home" />}
      sentence={
        <FormattedMessage
          id="move.intro"
          defaultMessage="Tell us in four steps. What you fill in stays here until you have sent it."
        />
      }
    >
      {children}
    </Page>
  );
}

interface WizardProps {
  agreements: Agreement[];
  moves: MoveRequest[];
  onSent(sent: SentMove): void;
  /** Called when a move of the agreement has already been submitted, in another tab or by staff. */
  onMoveExists(): void;
  /** Called when the customer starts filling in another move. */
  onStart(): void;
}

function Wizard({ agreements, moves, onSent, onMoveExists, onStart }: WizardProps) {
  const intl = useIntl();
  const navigate = useNavigate();
  const today = useToday();
  const [draft, keep, forget] = useWizardDraft(onStart);
  const lookup = useLookup(draft);
  const pending = useMemo(
    () => new Set(moves.filter((m) => m.state === 'PENDING').map((m) => m.agreement_identifier_with_sequence)),
    [moves],
  );
  const known: WizardData = { agreements, pending, lookup, today };
  const chosen = chosenOf(draft, agreements);
  const request = requestOf(draft, known);
  const save = api.useWrite('put', '/move', { changes, idempotent: request ? keyOfRequest(draft.id, request) : true });
  const underWay = useRef(false);
  const [refused, setRefused] = useState<Problem | null>(null);
  const limit = firstInvalid(draft, known);
  // after submission, the pending move makes page 0 the first invalid page
  const sending = save.isPending || save.isSuccess;
  const page = usePage(sending ? 3 : limit, lookup.state === 'loading');
  const heading = useFocus(page);
  const choices = movable(agreements);

  const go = (to: number) => {
    if (to > 1) setRefused(null);
    navigate(`/move?page=${to}`);
  };
  const send = () => {
    if (!request || !chosen || sending || underWay.current) return;
    underWay.current = true; // a double click arrives before the button is disabled
    setRefused(null);
    save.mutate(
      { body: request },
      {
        onSuccess: () => {
          forget();
          onSent({ agreement: chosen.agreement_identifier_with_sequence, others: othersOf(chosen, known) });
          navigate('/move?page=4', { replace: true }); // the back button leads to the page before the submission
        },
        onError: (problem) => {
          underWay.current = false;
          setRefused(problem);
          if (problem.status === 409) onMoveExists();
          navigate('/move?page=1'); // 4-move-submit-states, 8-move-failed-page-reconcile
        },
      },
    );
  };

  if (choices.length === 0) return <NoMovableAgreement />;
  const open = choices.filter((a) => !pending.has(a.agreement_identifier_with_sequence));
  if (open.length === 0 && !sending) return <PendingMoves moves={moves.filter((m) => m.state === 'PENDING')} />;
  const props: PageProps = { draft, keep, known, chosen, go, heading, refused };
  const names = [
    intl.formatMessage({ id: 'move.step.agreement', defaultMessage: 'Contract' }),
    intl.formatMessage({ id: 'move.step.address', defaultMessage: 'Address' }),
    intl.formatMessage({ id: 'move.step.dates', defaultMessage: 'Dates' }),
    intl.formatMessage({ id: 'move.step.check', defaultMessage: 'Check' }),
  ];
  return (
    <Framed>
      <Steps>
        <Stepper
          current={page ?? limit}
          // 2.2-stepper-click: enabled only when the steps before it are valid
          steps={names.map((title, step) => ({ title, ...(step <= limit && !sending ? { onSelect: () => go(step) } : {}) }))}
        />
        {refused && <RefusedNotice problem={refused} />}
        {page === undefined ? (
          <Skeleton shape="field" count={3} />
        ) : page === 0 ? (
          <AgreementPage {...props} />
        ) : page === 1 ? (
          <AddressPage {...props} />
        ) : page === 2 ? (
          <DatesPage {...props} />
        ) : (
          <SummaryPage {...props} busy={sending} send={send} />
        )}
      </Steps>
    </Framed>
  );
}

/** Returns the draft and a stable function that changes part of it; consecutive calls do not overwrite each other. */
function useWizardDraft(onStart: () => void) {
  const [draft, write, forget] = useDraft<Draft>('wizard', empty);
  const latest = useRef({ draft, onStart });
  latest.current = { draft, onStart };
  const keep = useCallback(
    (part: Partial<Draft>) => {
      const now = latest.current.draft;
      const changed = (Object.keys(part) as (keyof Draft)[]).some((name) => !Object.is(part[name], now[name]));
      if (!changed) return;
      latest.current.onStart();
      latest.current.draft = { ...now, ...part, id: now.id || crypto.randomUUID() };
      write(latest.current.draft);
    },
    [write],
  );
  return [{ ...empty, ...draft }, keep, forget] as const;
}

/**
 * Returns the current page: the one in the URL, or the first invalid page, which then replaces it in the URL. Undefined while the
 * address is being looked up again after a reload.
 */
function usePage(limit: 0 | 1 | 2 | 3, looking: boolean): 0 | 1 | 2 | 3 | undefined {
  const [params] = useSearchParams();
  const { pathname, key } = useLocation();
  const navigate = useNavigate();
  const asked = params.get('page') ?? '';
  const requested = /^[0-3]$/.test(asked) ? (Number(asked) as 0 | 1 | 2 | 3) : undefined;
  const waiting = looking && limit === 1 && requested !== 0 && requested !== 1;
  const page = waiting ? undefined : requested !== undefined && requested <= limit ? requested : limit;
  // biome-ignore lint/correctness/useExhaustiveDependencies: key changes with the URL, also when an overlay closes
  useEffect(() => {
    const covered = window.location.pathname.startsWith(`${pathname}/`); // an open overlay has replaced the URL
    if (page !== undefined && String(page) !== asked && !covered) navigate(`/move?page=${page}`, { replace: true });
  }, [page, asked, pathname, key, navigate]);
  return page;
}

/** Focuses the page heading when the page has changed, so that screen readers announce it. */
function useFocus(page: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current !== undefined && page !== undefined && before.current !== page)
      heading.current?.focus({ preventScroll: true });
    if (page !== undefined) before.current = page;
  }, [page]);
  return heading;
}

/** Returns whether the page has changed since the wizard was opened. */
function usePageChanged(page: string | null): boolean {
  const [first] = useState(page);
  const [moved, setMoved] = useState(false);
  if (page !== first && !moved) setMoved(true);
  return moved;
}

/** 8-move-4xx, 8-move-5xx: the notice on page 1, with the server's reasons. */
function RefusedNotice({ problem }: { problem: Problem }) {
  const text = useProblemText();
  const failure = useFailure();
  const refusedValues = problem.status >= 400 && problem.status < 500;
  const reasons = refusedValues ? [...new Set((problem.errors?.length ? problem.errors : [problem]).map(text))] : [];
  return (
    <Alert title={failure(problem.status)}>
      {reasons.map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
      <FormattedMessage id="move.failed_kept" defaultMessage="Your move has not been sent; what you filled in is still here." />
    </Alert>
  );
}

/** Shown if no agreement can be moved online. */
function NoMovableAgreement() {
  return (
    <Framed>
      <EmptyState
        illustration="house"
        title={<FormattedMessage id="move.nothing" defaultMessage="You have no contract that you can move online" />}
      >
        <FormattedMessage
          id="move.nothing_text"
          defaultMessage="Contracts that have ended or that are with another company cannot be moved here. {contact}"
          values={{ contact: <Contact /> }}
        />
      </EmptyState>
    </Framed>
  );
}

/** What has been chosen is at the right of the steps; they are at least as high. */
const Steps = styled.div`
  position: relative; display: flex; flex-direction: column; gap: 24px;
  @media (min-width: 1280px) { min-height: 440px; }
`;
