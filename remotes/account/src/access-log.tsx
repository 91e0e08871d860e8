import { clockAt, usePortal } from '@wattle/sdk';
import { Button, ErrorState, formatDay, Icon, type IconName, Skeleton, Stack } from '@wattle/ui';
import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type AccessEntry, core } from './api';

const icons: Record<string, IconName> = { impersonation: 'eye', change: 'check', staff: 'user' };
const pageSize = 5;

/** The access log: who viewed or changed the customer's data (customer service or the back office), and when. */
export function AccessLog() {
  const [after, setAfter] = useState<readonly string[]>([]);
  const last = after.at(-1);
  const log = core.useGet('/account/access-log', { query: { limit: pageSize, ...(last ? { after: last } : {}) } });
  const next = log.data?.next;
  return (
    <Stack gap={16}>
      <Quiet>
        <FormattedMessage
          id="account.looked.intro"
          defaultMessage="When we look at your details or carry out something for you, you can read it here."
        />
      </Quiet>
      {log.isPending ? (
        <Skeleton shape="row" count={2} />
      ) : log.isError ? (
        <ErrorState compact onRetry={() => void log.refetch()} retrying={log.isFetching} />
      ) : log.data?.items.length ? (
        <List aria-busy={log.isFetching || undefined}>
          {[...log.data.items.entries()].map(([place, look]) => (
            <Entry key={`${look.at} ${place}`} look={look} />
          ))}
        </List>
      ) : (
        <Quiet>
          <NoEntries />
        </Quiet>
      )}
      {(last || next) && (
        <PageLinks>
          {last && (
            <Button small icon="left" onClick={() => setAfter(after.slice(0, -1))}>
              <FormattedMessage id="account.looked.newer" defaultMessage="Newer" />
            </Button>
          )}
          {next && (
            <Button small iconEnd="right" onClick={() => setAfter([...after, next])}>
              <FormattedMessage id="account.looked.older" defaultMessage="Older" />
            </Button>
          )}
        </PageLinks>
      )}
    </Stack>
  );
}

/** The last entry of the log, or a text that there is none. */
export function AccessLogSummary() {
  const { timeZone } = usePortal();
  const log = core.useGet('/account/access-log', { query: { limit: pageSize } }).data;
  if (!log) return null;
  const [last] = log.items;
  return last ? (
    <FormattedMessage
      id="account.looked.last"
      defaultMessage="Last on {day}"
      values={{ day: formatDay(clockAt(last.at, timeZone).day) }}
    />
  ) : (
    <NoEntries />
  );
}

const NoEntries = () => <FormattedMessage id="account.looked.none" defaultMessage="Nobody has looked at your details yet." />;

function Entry({ look }: { look: AccessEntry }) {
  const intl = useIntl();
  const { timeZone } = usePortal();
  const { day, time } = clockAt(look.at, timeZone);
  const kind = intl.formatMessage(
    {
      id: 'account.looked.kind',
      defaultMessage:
        '{kind, select, account_phone {phone number} account_email {email address} account_username {username} billing_iban {account number} billing_term_amount {monthly amount} move_request {move} onboarding_application {registration} marketplace_offer {offer} marketplace_access {access to the marketplace} other {request}}',
    },
    { kind: look.kind?.replace('.', '_') ?? '' },
  );
  return (
    <li>
      <Icon name={icons[look.what.split('.')[0] ?? ''] ?? 'info'} size={20} />
      <div>
        <strong>
          <FormattedMessage
            id="account.looked.what"
            defaultMessage="{what, select, impersonation_used {Looked along with your portal} change_processed {Carried out: {kind}} change_rejected {Rejected: {kind}} change_viewed {Looked at your request: {kind}} staff_customer_viewed {Looked at your details} marketplace_orders_viewed {Looked at your orders} marketplace_payment_refunded {Paid money back to you} marketplace_payment_seen {Looked at your payment} other {Did something for you}}"
            values={{ what: look.what.replace('.', '_'), kind }}
          />
        </strong>
        <Quiet>
          <FormattedMessage
            id="account.looked.who"
            defaultMessage="{who, select, key {The back office} auto {By itself} other {Customer service}}{name, select, none {} other {, {name}}}"
            values={{ who: look.who, name: look.name || 'none' }}
          />
        </Quiet>
      </div>
      <Quiet as="time" dateTime={look.at}>
        {formatDay(day)}, {time}{' '}
        {look.until && (
          <FormattedMessage
            id="account.looked.until"
            defaultMessage="to {time} at most"
            values={{ time: clockAt(look.until, timeZone).time }}
          />
        )}
      </Quiet>
    </li>
  );
}

const Quiet = styled.p`color: var(--w-text-quiet);`;
const List = styled.ul`
  list-style: none; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface);
  li { display: flex; gap: 12px; padding: 12px var(--w-pad); align-items: flex-start; } li + li { border-top: 1px solid var(--w-line); }
  li > svg { flex: none; margin-top: 2px; color: var(--w-text-quiet); } li > div { flex: 1; min-width: 0; overflow-wrap: anywhere; } strong { font-weight: 600; }
  time { flex: none; font-variant-numeric: tabular-nums; } p, time { font-size: 14px; }
  @media (max-width: 767px) { li { flex-wrap: wrap; } li > div { flex-basis: calc(100% - 32px); } time { margin-left: 32px; } }
`;
const PageLinks = styled.div`display: flex; gap: 8px; justify-content: flex-end;`;
