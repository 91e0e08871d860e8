import { clockAt, useNow, usePortal } from '@wattle/sdk';
import { Badge, type BadgeProps, formatDay, Icon, TextLink, VisuallyHidden } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Change } from './api';
import { rejections, summaryOf } from './change.rules';
import { Small } from './listing';

/** Returns a function that formats a timestamp in the label's time zone: `20-11-2026, 11:00`. */
export function useMoment(): (moment: string) => string {
  const { timeZone } = usePortal();
  return (moment) => {
    const { day, time } = clockAt(moment, timeZone);
    return `${formatDay(day)}, ${time}`;
  };
}

export function Moment({ at }: { at: string }) {
  return <>{useMoment()(at)}</>;
}

/** Number of days from which a request is late: customers are told that most requests take two working days. */
const late = 2;

/** How long a request has been waiting according to the clock in the label's time zone: `waiting 2 hours`. */
export function Age({ at }: { at: string }) {
  const { timeZone } = usePortal();
  const filed = clockAt(at, timeZone);
  const now = useNow();
  const minutes = Math.max(0, Date.parse(`${now.day}T${now.time}Z`) - Date.parse(`${filed.day}T${filed.time}Z`)) / 60_000;
  const days = Math.floor(minutes / 1440);
  return (
    <Waiting $late={days >= late}>
      <FormattedMessage
        id="staff.age"
        defaultMessage="{days, plural, =0 {{hours, plural, =0 {{minutes, plural, =0 {just now} one {waiting # minute} other {waiting # minutes}}} one {waiting # hour} other {waiting # hours}}} one {waiting # day} other {waiting # days}}"
        values={{ days, hours: Math.floor(minutes / 60), minutes }}
      />
    </Waiting>
  );
}
const Waiting = styled.span<{ $late: boolean }>`
  white-space: nowrap; font-variant-numeric: tabular-nums; ${(p) => p.$late && 'color: var(--w-warning); font-weight: 600;'}
`;

/** Returns a function that names a request kind; a plugin's kind keeps its own name. */
export function useKind(): (kind: string) => string {
  const intl = useIntl();
  return (kind) =>
    intl.formatMessage(
      {
        id: 'staff.kind',
        defaultMessage:
          '{kind, select, account_phone {Phone number} account_email {Email address} account_username {Username} billing_iban {Account number} billing_term_amount {Monthly amount} move_request {Move} onboarding_application {Applicant} marketplace_offer {Offer} marketplace_access {Access to the marketplace} other {{name}}}',
      },
      { kind: kind.replace('.', '_'), name: kind },
    );
}

/** Returns a function that names a line of a request. */
export function useField(): (field: string) => string {
  const intl = useIntl();
  return (field) =>
    intl.formatMessage(
      {
        id: 'staff.field',
        defaultMessage:
          '{field, select, phone {Phone number} email {Email address} username {Username} iban {Account number (IBAN)} holder {Account holder} amount {Monthly amount} contract {Contract} address {Address} start {First day there} stop {Last day at the old address} invoice_address {Address for invoices} postal_address {Postal address} name {Name} birth {Date of birth} project {Project} shares {Shares} price {Price per share} from {For sale from} buyer {For} number {Number} effective {Holds from} other {{name}}}',
      },
      { field, name: field },
    );
}

const tones = { PENDING: 'warning', PROCESSED: 'positive', REJECTED: 'neutral' } as const;

export function State({ state }: { state: Change['state'] }) {
  return (
    <Badge tone={tones[state]} icon={state === 'REJECTED' ? 'close' : undefined}>
      <FormattedMessage
        id="staff.state"
        defaultMessage="{state, select, PENDING {Waiting} PROCESSED {Processed} other {Rejected}}"
        values={{ state }}
      />
    </Badge>
  );
}

/** The author of a decision: a colleague, a back office, the customer, or nobody. */
export function DecidedBy({ change }: { change: Pick<Change, 'by' | 'by_name'> }) {
  return (
    <FormattedMessage
      id="staff.by"
      defaultMessage="{by, select, auto {without a person} customer {the customer} other {{name}}}"
      values={{ by: change.by ?? '', name: change.by_name || change.by || '' }}
    />
  );
}

/** Returns the reasons for rejecting an offer, with the texts that the seller sees. */
export function useReasons(): { value: string; text: string }[] {
  const intl = useIntl();
  return rejections.map((reason) => ({
    value: reason,
    text: intl.formatMessage(
      {
        id: 'staff.rejection',
        defaultMessage:
          '{reason, select, PARTICIPATION_UNKNOWN {The participation does not exist} MULTIPLE_PARTICIPATIONS_PROJECT {Several participations in this project} INSUFFICIENT_SHARES {Not enough shares} SELLING_NOT_ALLOWED {Selling is not allowed in this project} other {Rejected by us}}',
      },
      { reason },
    ),
  }));
}

const market: Record<string, BadgeProps['tone']> = {
  CREATED: 'warning',
  AWAITING_PAYMENT: 'warning',
  ACTIVE: 'positive',
  APPROVED: 'positive',
  BOUGHT: 'positive',
  PAID: 'positive',
  COMPLETED: 'positive',
};

/** The state of an offer, an order or a payment. */
export function MarketState({ state }: { state: string }) {
  const tone = market[state] ?? 'neutral';
  return (
    <Badge tone={tone} icon={tone === 'neutral' ? 'info' : undefined}>
      <FormattedMessage
        id="staff.market_state"
        defaultMessage="{state, select, CREATED {New} APPROVED {Approved} ACTIVE {For sale} SOLD {Sold} REJECTED {Rejected} REVOKED {Withdrawn} AWAITING_PAYMENT {To be paid} PAID {Paid} BOUGHT {Paid} COMPLETED {Handed over} EXPIRED {Expired} CANCELLED {Cancelled} OPEN {Open} FAILED {Failed} REFUNDING {Being refunded} REFUNDED {Refunded} CHARGED_BACK {Charged back} other {{state}}}"
        values={{ state }}
      />
    </Badge>
  );
}

/** The name of a relation, linked to its page. */
export function RelationLink({
  relation,
  name,
  debtor_number,
}: {
  relation: string;
  name?: string | undefined;
  debtor_number?: string | undefined;
}) {
  return (
    <>
      <TextLink href={`/staff/customers/${relation}`}>
        {name || <FormattedMessage id="staff.to_customer" defaultMessage="View customer" />}
      </TextLink>
      <Small>{debtor_number}</Small>
    </>
  );
}

/** The action in a log entry, in words. */
export function Action({ action, kind }: { action: string; kind: string | undefined }) {
  const name = useKind();
  return (
    <FormattedMessage
      id="staff.action"
      defaultMessage="{action, select, change_processed {Processed: {kind}} change_rejected {Rejected: {kind}} change_viewed {Looked at: {kind}} access_disabled {Disabled an account} access_enabled {Enabled an account} access_ended {Ended all sessions of an account} impersonation_made {Made a link to look along} impersonation_used {Looked along} impersonation_refused {Looking along was refused} operation_called {Other action: {kind}} operation_refused {Was refused: {kind}} staff_customer_viewed {Looked at the details} staff_customers_searched {Searched for a customer} marketplace_orders_viewed {Looked at the orders} marketplace_payment_refunded {Paid back a payment} marketplace_payment_seen {Saw to a payment} marketplace_sale_cancelled {Cancelled a sale} other {{raw}}}"
      values={{ action: action.replace('.', '_'), kind: kind ? name(kind) : '', raw: action }}
    />
  );
}

/** A value that, if it is an email address without room, continues with its `@` on the next line, and not within a word. */
export function Wrapped({ children }: { children: string }) {
  const [name = '', ...host] = children.split('@');
  return (
    <Breaking>
      {name}
      {host.length > 0 && (
        <>
          <wbr />@{host.join('@')}
        </>
      )}
    </Breaking>
  );
}
/** A word longer than a line breaks anywhere. */
const Breaking = styled.span`overflow-wrap: anywhere;`;

/** A request on one line: the current value and the new one, or only the new one. */
export function Asked({ change }: { change: Change }) {
  const { value, was } = summaryOf(change);
  if (!was) return <Wrapped>{value}</Wrapped>;
  return (
    <>
      <VisuallyHidden>
        <FormattedMessage id="staff.was" defaultMessage="It is now" />{' '}
      </VisuallyHidden>
      <Wrapped>{was}</Wrapped>{' '}
      <NewValue>
        <Icon name="forward" size={16} />
        <VisuallyHidden>
          <FormattedMessage id="staff.becomes" defaultMessage="and becomes" />
        </VisuallyHidden>{' '}
        <strong>
          <Wrapped>{value}</Wrapped>
        </strong>
      </NewValue>
    </>
  );
}

/** Keeps the arrow and the value after it on one line. */
const NewValue = styled.span`
  display: inline-block; max-width: 100%; svg { display: inline-block; vertical-align: -3px; margin-right: 4px; }
  strong { font-weight: 600; color: var(--w-text); }
`;
