// Shared by the forms about the member's own shares.
import { type Problem, type useMay, useProblemText } from '@wattle/sdk';
import { Alert, Button, ErrorState, formatDay, Notice, SheetFooter, Skeleton, useSheetClose } from '@wattle/ui';
import { SaveButton, Select, type SelectProps } from '@wattle/ui/forms';
import { type ReactNode, useState } from 'react';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import { api, type Participation, type Project } from './api';
import { placeLine } from './place.rules';

/** A member's participation, and its project. */
export interface OwnParticipation {
  project: Project;
  participation: Participation;
}

/** Returns the number of shares that can be offered, without those on offer and those that will move. */
export const freeSharesOf = (p: Participation): number => Math.max(0, p.availableShares - p.moving_share);

/** Returns the shares that cannot be offered, by the reason. */
export const takenOf = ({ offered_share, reserved_share, sold_share, moving_share }: Participation) => ({
  offered: offered_share - reserved_share - sold_share,
  reserved: reserved_share,
  sold: sold_share,
  moving: moving_share,
});

export const idOf = (own: OwnParticipation | undefined): string => own?.participation.participation_identifier ?? '';

/** Loads the member's participations and renders its children with them; a later fetch does not unmount the form. */
export function OwnShares({ children }: { children(own: readonly OwnParticipation[]): ReactNode }) {
  const projects = api.useGet('/sustainable/projects');
  const [own, setOwn] = useState<OwnParticipation[]>();
  if (projects.data && !own)
    setOwn(projects.data.flatMap((project) => project.participations.map((participation) => ({ project, participation }))));
  if (projects.isError) return <ErrorState onRetry={() => void projects.refetch()} retrying={projects.isFetching} />;
  if (!own) return <Skeleton shape="field" count={5} />;
  if (own.length === 0)
    return <Notice title={<FormattedMessage id="marketplace.own.none" defaultMessage="You have no shares yet" />} />;
  return children(own);
}

/** Returns the participation in the URL (`?participation=`), or the only one. */
export const initialParticipation = (own: readonly OwnParticipation[], asked: URLSearchParams): string =>
  idOf(own.find((o) => idOf(o) === asked.get('participation')) ?? (own.length === 1 ? own[0] : undefined));

/** Selects the participation to which a form applies. */
export function ParticipationSelect({
  own,
  ...props
}: Omit<SelectProps, 'label' | 'options'> & { own: readonly OwnParticipation[] }) {
  const intl = useIntl();
  return (
    <Select
      {...props}
      required
      label={<FormattedMessage id="marketplace.own.which" defaultMessage="Which shares?" />}
      empty={own.length > 1 ? choose(intl) : undefined}
      options={own.map((o) => ({ value: idOf(o), text: `${o.project.project_name}, ${placeLine(o.participation.address)}` }))}
    />
  );
}

export const choose = (intl: IntlShape): string => intl.formatMessage({ id: 'marketplace.choose', defaultMessage: 'Choose' });
export const number = (intl: IntlShape): string => intl.formatMessage({ id: 'marketplace.number', defaultMessage: 'Shares' });
/** A date field's chip for today. */
export const todayChip = (intl: IntlShape, day: string) => ({
  text: intl.formatMessage({ id: 'marketplace.today', defaultMessage: 'today: {day}' }, { day: formatDay(day) }),
  day,
});

/** Returns why useMay blocks a control, or undefined. */
export const blockReason = (may: ReturnType<typeof useMay>): string | undefined => (may.ok ? undefined : may.reason);

interface FooterProps {
  busy: boolean;
  /** Why the form cannot be saved now. */
  disabledReason: ReactNode;
  /** The fields that cause a custom `disabledReason`. */
  fields?: readonly string[];
  children: ReactNode;
}

/** The save and cancel buttons of a form. */
export function Footer({ busy, disabledReason, fields, children }: FooterProps) {
  const cancel = useSheetClose();
  return (
    <SheetFooter>
      <SaveButton busy={busy} disabledReason={disabledReason} fields={fields}>
        {children}
      </SaveButton>
      <Button variant="quiet" disabled={busy} onClick={cancel}>
        <FormattedMessage id="marketplace.cancel" defaultMessage="Cancel" />
      </Button>
    </SheetFooter>
  );
}

/**
 * Returns a function that translates errors to texts by field: for an empty field, what to fill in (9-errors-own-words). A number
 * that is null in `values` is empty or not a number.
 */
export function useErrorTexts(): (
  refusals: readonly { field: string; code: string }[],
  values?: Readonly<Record<string, unknown>>,
) => Record<string, string> {
  const intl = useIntl();
  const text = useProblemText();
  const missing = (field: string) =>
    intl.formatMessage(
      {
        id: 'marketplace.missing',
        defaultMessage:
          '{field, select, participation_identifier {Choose which shares.} offer_type {Choose how you offer them.} buyer_email_address {Fill in the email address.} number_of_shares {Fill in the number of shares.} price {Fill in the price per share.} date {Choose a day.} address_type {Choose where to.} address_key {Choose an address.} postal_code {Fill in the postal code.} house_number {Fill in the house number.} street_name {Fill in the street.} other {Fill in the town.}}',
      },
      { field },
    );
  return (refusals, values) =>
    Object.fromEntries(
      refusals.map((r) => [
        r.field,
        r.code === 'marketplace.required' || values?.[r.field] === null ? missing(r.field) : text(r),
      ]),
    );
}

interface FailedProps {
  /** The result of useWrite. */
  of: { error: Problem | null; isPending: boolean };
  title?: 'error';
  retry(): void;
}

/**
 * A failed action: the text of its row as the title, the reason from its code, and a retry button (8-order-action-failed,
 * 8-create-offer-failed).
 */
export function FailedAction({ of: { error, isPending }, title, retry }: FailedProps) {
  const text = useProblemText();
  if (!error) return null;
  const ours = error.status === 0 || error.status >= 500;
  return (
    <Alert
      title={
        <FormattedMessage
          id="marketplace.failed"
          defaultMessage="{title, select, error {Error} other {Something went wrong}}"
          values={{ title }}
        />
      }
      actions={
        ours && (
          <Button small icon="retry" loading={isPending} onClick={retry}>
            <FormattedMessage id="marketplace.retry" defaultMessage="Try again" />
          </Button>
        )
      }
    >
      {[...new Set((error.errors?.length ? error.errors : [error]).map(text))].map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
      {!ours && (
        <FormattedMessage id="marketplace.unchanged" defaultMessage="Nothing has been changed. Check it and try again." />
      )}
    </Alert>
  );
}
