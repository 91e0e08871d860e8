import { clockAt, useMay, useNotify, usePortal, useProblemText } from '@wattle/sdk';
import { Badge, Button, ErrorState, formatDay, Icon, Notice, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { core, type SignedInSession } from './api';

/** Paths to fetch again after signing out another session. */
const sessions = ['/auth/sessions'] as const;

/** The signed-in person's sessions, with buttons to sign out one or all others (2.1-sessions-section). */
export function Sessions() {
  const intl = useIntl();
  const notify = useNotify();
  const text = useProblemText();
  const may = useMay('core.endOtherSessions');
  const list = core.useGet('/auth/sessions');
  const others = core.useWrite('post', '/auth/sign-out-elsewhere', { changes: sessions });
  const one = core.useWrite('delete', '/auth/sessions/{id}', { changes: sessions });
  const busy = others.isPending || one.isPending;
  const problem = others.error ?? one.error;
  const done = (said: string) => () => notify({ kind: 'notice', tone: 'good', text: said });
  const endOthers = () =>
    others.mutate(
      { body: undefined },
      {
        onSuccess: done(
          intl.formatMessage({ id: 'account.signed_in.others_done', defaultMessage: 'You are signed out everywhere else.' }),
        ),
      },
    );
  const endOne = (s: SignedInSession) =>
    one.mutate(
      { body: undefined, path: { id: s.id } },
      {
        onSuccess: done(intl.formatMessage({ id: 'account.signed_in.one_done', defaultMessage: 'You are signed out there.' })),
      },
    );
  const rows = list.data ?? [];
  return (
    <Stack gap={16}>
      <Intro>
        <FormattedMessage
          id="account.signed_in.intro"
          defaultMessage="Do you see a device that you do not know? Sign out there and change your password."
        />
      </Intro>
      {problem && <Notice tone="negative">{text(problem)}</Notice>}
      {list.isPending ? (
        <Skeleton shape="row" count={2} />
      ) : list.isError ? (
        <ErrorState compact onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : (
        <List aria-busy={busy || undefined}>
          {rows.map((s) => (
            <Place
              key={s.id}
              session={s}
              disabledReason={may.ok ? undefined : may.reason}
              ending={one.isPending && one.variables?.path?.id === s.id}
              onEnd={() => endOne(s)}
            />
          ))}
        </List>
      )}
      {rows.some((s) => !s.current) && (
        <div>
          <Button icon="sign-out" loading={others.isPending} disabledReason={may.ok ? undefined : may.reason} onClick={endOthers}>
            <FormattedMessage id="account.signed_in.end_others" defaultMessage="Sign out everywhere else" />
          </Button>
        </div>
      )}
    </Stack>
  );
}

/** The number of devices on which the person is signed in. */
export function SessionsSummary() {
  const list = core.useGet('/auth/sessions').data;
  return list ? (
    <FormattedMessage
      id="account.signed_in.devices"
      defaultMessage="{n, plural, one {On this device only} other {On # devices}}"
      values={{ n: list.length }}
    />
  ) : null;
}

function Place({
  session: s,
  disabledReason,
  ending,
  onEnd,
}: {
  session: SignedInSession;
  disabledReason: string | undefined;
  ending: boolean;
  onEnd: () => void;
}) {
  const intl = useIntl();
  const { timeZone } = usePortal();
  const { day, time } = clockAt(s.used, timeZone);
  const kind = s.browser && s.platform ? 'both' : s.browser ? 'browser' : s.platform ? 'platform' : 'none';
  const device = intl.formatMessage(
    {
      id: 'account.signed_in.device',
      defaultMessage:
        '{kind, select, both {{browser} on {platform}} browser {{browser}} platform {{platform}} other {Unknown device}}',
    },
    { kind, browser: s.browser ?? '', platform: s.platform ?? '' },
  );
  return (
    <li>
      <Icon name={s.current ? 'check' : 'user'} size={20} />
      <div>
        <strong>{device}</strong>{' '}
        {s.current && (
          <Badge tone="positive">
            <FormattedMessage id="account.signed_in.current" defaultMessage="This device" />
          </Badge>
        )}
        <Quiet>
          <FormattedMessage
            id="account.signed_in.used"
            defaultMessage="Last used on {day} at {time}"
            values={{ day: formatDay(day), time }}
          />
          {s.network && (
            <>
              {' · '}
              <FormattedMessage
                id="account.signed_in.network"
                defaultMessage="IP address that begins with {network}"
                values={{ network: startOf(s.network) }}
              />
            </>
          )}
        </Quiet>
      </div>
      {!s.current && (
        <Button
          small
          loading={ending}
          disabledReason={disabledReason}
          onClick={onEnd}
          aria-label={intl.formatMessage(
            { id: 'account.signed_in.end_of', defaultMessage: 'Sign out there: {device}' },
            { device },
          )}
        >
          <FormattedMessage id="account.signed_in.end" defaultMessage="Sign out there" />
        </Button>
      )}
    </li>
  );
}

/** Returns the known part of a truncated IP address: `203.0.113` of `203.0.113.0/24`, `2001:db8:1234` of `2001:db8:1234::/48`. */
const startOf = (network: string): string => network.replace(/(\.0|::)\/\d+$/, '');

const Intro = styled.p`color: var(--w-text-quiet);`;
const Quiet = styled(Intro)`font-size: 14px;`;
const List = styled.ul`
  list-style: none; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface);
  li { display: flex; gap: 12px; padding: 12px var(--w-pad); align-items: center; } li + li { border-top: 1px solid var(--w-line); }
  li > svg { flex: none; color: var(--w-text-quiet); } li > div { flex: 1; min-width: 0; overflow-wrap: anywhere; } strong { font-weight: 600; }
  li > :last-child:not(div) { flex: none; }
  @media (max-width: 767px) { li { flex-wrap: wrap; } li > div { flex-basis: calc(100% - 32px); } li > :last-child:not(div) { margin-left: 32px; } }
`;
