import { type Path, type Problem, Slot, useMay, useProblemText, useQueries } from '@wattle/sdk';
import {
  Button,
  ErrorState,
  Facts,
  Icon,
  LinkButton,
  Notice,
  Sheet,
  SheetFooter,
  Skeleton,
  Stack,
  VisuallyHidden,
} from '@wattle/ui';
import { Form, Select, TextArea, useFields } from '@wattle/ui/forms';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Change, pathsAfterDecision } from './api';
import { isUnchecked, type Line, linesOf, requesterOf } from './change.rules';
import { Quiet, Small } from './listing';
import { DecidedBy, Moment, State, useField, useKind, useReasons, Wrapped } from './texts';

export interface RequestSheetProps {
  id: string;
  onClose(): void;
  /** Opens the next request, if there is one. */
  onNext?: (() => void) | undefined;
}

/** A change request: old and new values, and the decision. After a decision it stays open with a button for the next request. */
export function RequestSheet({ id, onClose, onNext }: RequestSheetProps) {
  const kind = useKind();
  const change = api.useGet('/staff/changes/{id}', { path: { id } }, { empty: [404] });
  const [dirty, setDirty] = useState(false);
  return (
    <Sheet
      title={change.data ? kind(change.data.kind) : <FormattedMessage id="staff.request" defaultMessage="Change request" />}
      onClose={onClose}
      dirty={dirty}
    >
      {change.isPending ? (
        <Skeleton shape="row" count={5} />
      ) : change.isError ? (
        <ErrorState onRetry={() => void change.refetch()} retrying={change.isFetching} />
      ) : change.data ? (
        <Request key={id} change={change.data} onClose={onClose} onNext={onNext} setDirty={setDirty} />
      ) : (
        <Notice title={<FormattedMessage id="staff.request_gone" defaultMessage="There is no request with this number" />}>
          <FormattedMessage id="staff.request_gone_text" defaultMessage="Perhaps the address was not copied in full." />
        </Notice>
      )}
    </Sheet>
  );
}

function Request({
  change,
  onClose,
  onNext,
  setDirty,
}: Omit<RequestSheetProps, 'id'> & { change: Change; setDirty(dirty: boolean): void }) {
  const lines = linesOf(change);
  const field = useField();
  const [done, setDone] = useState(false);
  const now = lines.filter((l) => l.was);
  const rest = lines.filter((l) => !l.was);
  return (
    <>
      <Stack gap={24}>
        <Stack gap={8}>
          <State state={change.state} />
          <div>
            <FormattedMessage
              id="staff.asked"
              defaultMessage="Asked{known, select, yes { by {name}} other {}} on {at}"
              values={{
                known: requesterOf(change) ? 'yes' : 'no',
                name: <strong>{requesterOf(change)}</strong>,
                at: (
                  <NoWrap>
                    <Moment at={change.filed} />
                  </NoWrap>
                ),
              }}
            />
          </div>
          {change.due && (
            <Small>
              <FormattedMessage
                id="staff.due"
                defaultMessage="Is processed without a person on {at}, if nobody decides before."
                values={{ at: <Moment at={change.due} /> }}
              />
            </Small>
          )}
        </Stack>
        {now.map((line) => (
          <Difference key={line.field} line={line} />
        ))}
        {isUnchecked(change) && (
          <Notice tone="warning" title={<FormattedMessage id="staff.unchecked" defaultMessage="Look at the address first" />}>
            <FormattedMessage
              id="staff.unchecked_text"
              defaultMessage="The address register could not be reached when this was asked."
            />
          </Notice>
        )}
        {rest.length > 0 && <Facts items={rest.map((l) => ({ label: field(l.field), value: <Wrapped>{l.value}</Wrapped> }))} />}
        <Slot name="change-request" props={{ id: change.id, kind: change.kind }} />
        {change.decided && !done && (
          <Decided>
            <FormattedMessage
              id="staff.decided"
              defaultMessage="{state, select, PROCESSED {Processed} other {Rejected}} on {at} by {by}"
              values={{ state: change.state, at: <Moment at={change.decided} />, by: <DecidedBy change={change} /> }}
            />
            {change.reason && <Reason change={change} />}
          </Decided>
        )}
        {change.relation && (
          <div>
            <LinkButton small href={`/staff/customers/${change.relation}` satisfies Path} icon="user">
              <FormattedMessage id="staff.to_customer" defaultMessage="View customer" />
            </LinkButton>
          </div>
        )}
      </Stack>
      <Decide change={change} onClose={onClose} onNext={onNext} setDirty={setDirty} onDone={() => setDone(true)} />
    </>
  );
}

/** The old and the new value, in large text. */
function Difference({ line }: { line: Line }) {
  const field = useField();
  return (
    <Change_>
      <Quiet as="h3">{field(line.field)}</Quiet>
      <p>
        <VisuallyHidden>
          <FormattedMessage id="staff.was" defaultMessage="It is now" />{' '}
        </VisuallyHidden>
        <Wrapped>{line.was ?? ''}</Wrapped>{' '}
        <span>
          <Icon name="forward" size={20} />
          <VisuallyHidden>
            {' '}
            <FormattedMessage id="staff.becomes" defaultMessage="and becomes" />{' '}
          </VisuallyHidden>{' '}
          <strong>
            <Wrapped>{line.value}</Wrapped>
          </strong>
        </span>
      </p>
    </Change_>
  );
}

function Reason({ change }: { change: Change }) {
  const known = useReasons().find((r) => r.value === change.reason);
  return <Small>{known?.text ?? change.reason}</Small>;
}

function Decide({
  change,
  onClose,
  onNext,
  setDirty,
  onDone,
}: Omit<RequestSheetProps, 'id'> & { change: Change; setDirty(dirty: boolean): void; onDone(): void }) {
  // The cache gets the response to the decision, because another fetch would be logged as another view of the customer.
  const queries = useQueries();
  const key = ['/staff/changes/{id}', { path: { id: change.id } }];
  const may = useMay('core.decideChange');
  const decide = api.useWrite('post', '/staff/changes/{id}/decision', { changes: pathsAfterDecision });
  const [rejecting, setRejecting] = useState(false);
  const [done, setDone] = useState<'PROCESSED' | 'REJECTED'>();
  const send = (state: 'PROCESSED' | 'REJECTED', reason?: string) =>
    decide.mutate(
      { path: { id: change.id }, body: { state, ...(reason ? { reason } : {}) } },
      {
        onSuccess: (answer) => {
          queries.setQueryData(key, answer);
          setDone(state);
          onDone();
          setRejecting(false);
          setDirty(false);
        },
        onError: (problem) => {
          if (problem.code !== 'change_decided') return;
          setDirty(false);
          void queries.invalidateQueries({ queryKey: ['/staff/changes'] });
          void queries.invalidateQueries({ queryKey: key }); // loads the decision of the colleague who was first
        },
      },
    );
  const early = decide.error?.code === 'change_decided';
  if (done || early || change.state !== 'PENDING')
    return (
      <>
        <div role="status">
          {done ? (
            <Notice
              tone="positive"
              title={
                <FormattedMessage
                  id="staff.done"
                  defaultMessage="{done, select, PROCESSED {Processed} other {Rejected}}"
                  values={{ done }}
                />
              }
            >
              <FormattedMessage
                id="staff.done_text"
                defaultMessage="{done, select, PROCESSED {What was asked has been carried out.} other {Everything stays as it was.}}"
                values={{ done }}
              />
            </Notice>
          ) : early ? (
            <Notice title={<FormattedMessage id="staff.early" defaultMessage="Somebody was before you" />}>
              <FormattedMessage
                id="staff.early_text"
                defaultMessage="This request has been decided meanwhile. Nothing was done twice."
              />
            </Notice>
          ) : null}
        </div>
        {/* Because of the key, this is a new element, not the previous buttons, so that its first button gets focus. */}
        <SheetFooter key="after">
          {onNext && (
            <Button variant="primary" iconEnd="forward" onClick={onNext} autoFocus={Boolean(done ?? early)}>
              <FormattedMessage id="staff.next" defaultMessage="Next request" />
            </Button>
          )}
          <Button variant={onNext ? 'quiet' : 'secondary'} onClick={onClose} autoFocus={!onNext && Boolean(done ?? early)}>
            <FormattedMessage id="staff.close" defaultMessage="Close" />
          </Button>
        </SheetFooter>
      </>
    );
  const failed = <NotStored problem={decide.error} />;
  if (rejecting)
    return (
      <RejectForm
        offer={change.kind === 'marketplace.offer'}
        busy={decide.isPending}
        onDirty={setDirty}
        onBack={() => {
          setRejecting(false);
          setDirty(false);
        }}
        onReject={(reason) => send('REJECTED', reason)}
      >
        {failed}
      </RejectForm>
    );
  return (
    <>
      {failed}
      <SheetFooter>
        <Button
          variant="primary"
          icon="check"
          loading={decide.isPending}
          disabledReason={may.ok ? undefined : may.reason}
          onClick={() => send('PROCESSED')}
        >
          <Approve kind={change.kind} />
        </Button>
        <Button
          variant="quiet"
          disabled={decide.isPending}
          disabledReason={may.ok ? undefined : may.reason}
          onClick={() => setRejecting(true)}
        >
          <FormattedMessage id="staff.reject" defaultMessage="Reject" />
        </Button>
      </SheetFooter>
    </>
  );
}

/** Why a decision was not stored. */
export function NotStored({ problem }: { problem: Problem | null }) {
  const text = useProblemText();
  return (
    problem && (
      <Notice tone="negative" live title={<FormattedMessage id="staff.failed" defaultMessage="The decision was not stored" />}>
        {text(problem.errors?.[0] ?? problem)}
      </Notice>
    )
  );
}

/** The text of the button: offers and people are approved, other requests are processed. */
export function Approve({ kind }: { kind: string }) {
  return (
    <FormattedMessage
      id="staff.approve"
      defaultMessage="{kind, select, marketplace_offer {Approve} marketplace_access {Approve} onboarding_application {Approve} other {Process}}"
      values={{ kind: kind.replace('.', '_') }}
    />
  );
}

/** Asks for the reason of a rejection that was chosen in a list. */
export function RejectSheet({
  title,
  problem,
  children,
  ...form
}: Omit<Parameters<typeof RejectForm>[0], 'onDirty'> & { title: ReactNode; problem: Problem | null }) {
  return (
    <Sheet title={title} busy={form.busy} onClose={form.onBack}>
      <RejectForm {...form}>
        {children}
        <NotStored problem={problem} />
      </RejectForm>
    </Sheet>
  );
}

/** Asks for the reason of a rejection: for an offer one from a list (6-staff-approve-screen), otherwise a text for the customer. */
export function RejectForm({
  offer,
  busy,
  onReject,
  onBack,
  onDirty,
  children,
}: {
  offer?: boolean;
  busy: boolean;
  onReject(reason: string): void;
  onBack(): void;
  onDirty?: (dirty: boolean) => void;
  children?: ReactNode;
}) {
  const intl = useIntl();
  const reasons = useReasons();
  const missing = intl.formatMessage({ id: 'staff.reason_missing', defaultMessage: 'Say why you reject this.' });
  const fields = useFields({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() ? undefined : missing }),
  });
  const { onChange, ...field } = fields.field('reason');
  const change = (reason: string) => {
    onChange(reason);
    onDirty?.(reason !== '');
  };
  // The button that opened the form has disappeared, so focus moves to the first field.
  const firstField = useRef<HTMLSelectElement & HTMLTextAreaElement>(null);
  useEffect(() => firstField.current?.focus(), []);
  const label = intl.formatMessage({ id: 'staff.reason', defaultMessage: 'Reason' });
  return (
    <Form busy={busy} {...fields.form(({ reason }) => onReject(reason.trim()))}>
      {children}
      {offer ? (
        <Select
          {...field}
          ref={firstField}
          onChange={change}
          required
          label={label}
          options={reasons}
          empty={intl.formatMessage({ id: 'staff.reason_choose', defaultMessage: 'Choose a reason' })}
          hint={intl.formatMessage({ id: 'staff.reason_offer_hint', defaultMessage: 'The seller sees this beside the offer.' })}
        />
      ) : (
        <TextArea
          {...field}
          ref={firstField}
          onChange={change}
          required
          label={label}
          rows={3}
          maxLength={2000}
          hint={intl.formatMessage({ id: 'staff.reason_hint', defaultMessage: 'The customer may read this.' })}
        />
      )}
      <SheetFooter>
        <Button type="submit" variant="danger" loading={busy}>
          <FormattedMessage id="staff.reject" defaultMessage="Reject" />
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onBack}>
          <FormattedMessage id="staff.back" defaultMessage="Back" />
        </Button>
      </SheetFooter>
    </Form>
  );
}

const Change_ = styled.section`
  padding: 16px; border-radius: var(--w-radius); background: var(--w-tint); h3 { font-size: 14px; font-weight: 400; }
  p { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; font-size: 16px; font-variant-numeric: tabular-nums; }
  strong { font-size: 20px; color: var(--w-primary-ink); overflow-wrap: anywhere; } p > span { overflow-wrap: anywhere; min-width: 0; } span:has(> strong) { display: flex; align-items: center; gap: 12px; } svg { color: var(--w-text-quiet); flex: none; }
`;
/** Prevents line breaks at the hyphens of a date. */
const NoWrap = styled.span`white-space: nowrap;`;
const Decided = styled.div`padding: 16px; border: 1px solid var(--w-line); border-radius: var(--w-radius);`;
