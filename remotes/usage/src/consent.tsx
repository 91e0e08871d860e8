import { useMay, useProblemText, useSettings } from '@wattle/sdk';
import { Alert, Badge, Button, ConfirmDialog, ErrorState, Facts, Notice, Skeleton, Stack } from '@wattle/ui';
import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Connection, type ConnectionConsent, changes, type UsageSettings } from './api';
import { checkHistory, eanText } from './connection.rules';
import { DayOf } from './moment';
import { commodityName } from './texts';

export const useConsent = (enabled = true) => api.useGet('/smartmeterreadings/historicaldata', {}, { enabled });

/** The result of `useAccess`. */
export type Access = ReturnType<typeof useAccess>;

/** Returns for each connection whether days and hours may be shown, on the basis of consent or of the label's contracts. */
export function useAccess(connections: readonly Connection[]) {
  const { intervals } = useSettings<UsageSettings>();
  const smart = connections.some((c) => c.meter_type === 'SMART');
  const consent = useConsent(smart && intervals !== 'contract');
  const given = (c: Connection) => consent.data?.connections.some((x) => x.ean_code === c.ean_code && x.consentPresent) ?? false;
  return {
    consent,
    basis: intervals,
    known: !smart || intervals === 'contract' || consent.data !== undefined,
    hasDays: (c: Connection) => checkHistory(c.meter_type, given(c), intervals).length === 0,
  };
}

/** Returns a function that gives or revokes consent, for one connection or for all with a smart meter (4-consent-give-revoke). */
export function useChangeConsent() {
  const write = api.useWrite('get', '/smartmeterreadings/historicaldata', { changes: changes.consent });
  return {
    busy: write.isPending,
    problem: write.error,
    decide: (given: boolean, ean: string | undefined, done?: () => void) =>
      write.mutate(
        { body: undefined, query: { consentGiven: given ? 'true' : 'false', ...(ean ? { ean } : {}) } },
        { onSettled: () => done?.() },
      ),
  };
}

/**
 * Returns whether this session may give or revoke consent. The operation is a GET that records something, so the contract lists it
 * as a read; the operation that starts a retrieval has the same access rules for writes.
 */
export const useMayChangeConsent = () => useMay('usage.startRetrieval');

/** The text of the consent; its version is recorded with the consent. */
export function ConsentText() {
  const { history_months: months } = useSettings<UsageSettings>();
  return (
    <FormattedMessage
      id="usage.consent.text"
      defaultMessage="With your consent we fetch the data of your smart meter from the grid operator and show it here by the day and by the hour: what you used and fed in, of the past {months} months and from now on. We use it only to show you your usage. Without your consent you see your usage by the month, from your meter readings. You can revoke your consent at any time."
      values={{ months }}
    />
  );
}

/** 2.1-account-privacy-section: the consent of each connection with a smart meter, its date, and a button for changing it. */
export default function ConsentSection({ hide }: { hide(): void }) {
  const intl = useIntl();
  const consent = useConsent();
  const may = useMayChangeConsent();
  const text = useProblemText();
  const { decide, busy, problem } = useChangeConsent();
  const [revoking, setRevoking] = useState<ConnectionConsent>();
  const { intervals } = useSettings<UsageSettings>();
  const none = consent.data?.connections.length === 0;
  useEffect(() => {
    if (none) hide();
  }, [none, hide]);
  if (consent.isPending) return <Skeleton shape="row" count={2} />;
  if (!consent.data) return <ErrorState compact onRetry={() => void consent.refetch()} retrying={consent.isFetching} />;
  const smart = consent.data.connections.filter((c) => c.supported);
  if (smart.length === 0)
    return (
      <Notice>
        <FormattedMessage
          id="usage.consent.no_smart"
          defaultMessage="You have no smart meter, so there is no meter data that we could fetch and nothing to agree to."
        />
      </Notice>
    );
  if (intervals === 'contract')
    return (
      <Notice>
        <FormattedMessage
          id="usage.consent.contract"
          defaultMessage="Your contract needs what your smart meter measures by the day and by the hour, so you need not agree to it."
        />
      </Notice>
    );
  const without = smart.filter((c) => !c.consentPresent);
  const alike = (c: ConnectionConsent) => smart.filter((other) => other.commodity === c.commodity).length > 1;
  return (
    <Stack gap={16}>
      <p>
        <ConsentText />
      </p>
      {problem && <Alert>{text(problem)}</Alert>}
      {!may.ok && <Quiet>{may.reason}</Quiet>}
      <Facts
        items={smart.map((c) => {
          const kind = commodityName(intl, c.commodity);
          const name = alike(c) ? `${kind} ${eanText(c.ean_code)}` : kind;
          return {
            label: (
              <>
                {kind}
                {alike(c) && <Quiet>{eanText(c.ean_code)}</Quiet>}
              </>
            ),
            value: <ConsentState consent={c} />,
            action: (
              <Button
                small
                variant={c.consentPresent ? 'quiet' : 'secondary'}
                disabledReason={may.ok ? undefined : may.reason}
                aria-label={
                  c.consentPresent
                    ? intl.formatMessage(
                        { id: 'usage.consent.revoke_what', defaultMessage: 'Revoke consent for {what}' },
                        { what: name },
                      )
                    : intl.formatMessage(
                        { id: 'usage.consent.give_what', defaultMessage: 'Give consent for {what}' },
                        { what: name },
                      )
                }
                onClick={() => (c.consentPresent ? setRevoking(c) : decide(true, c.ean_code))}
              >
                {c.consentPresent ? (
                  <FormattedMessage id="usage.consent.revoke" defaultMessage="Revoke" />
                ) : (
                  <FormattedMessage id="usage.consent.give_short" defaultMessage="Give" />
                )}
              </Button>
            ),
          };
        })}
      />
      {without.length > 1 && (
        <div>
          <Button small loading={busy} disabledReason={may.ok ? undefined : may.reason} onClick={() => decide(true, undefined)}>
            <FormattedMessage id="usage.consent.give_all" defaultMessage="Give consent for all meters" />
          </Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={revoking !== undefined}
        tone="danger"
        busy={busy}
        title={intl.formatMessage({ id: 'usage.consent.sure', defaultMessage: 'Revoke your consent?' })}
        confirm={intl.formatMessage({ id: 'usage.consent.revoke', defaultMessage: 'Revoke' })}
        onClose={() => setRevoking(undefined)}
        onConfirm={() => decide(false, revoking?.ean_code, () => setRevoking(undefined))}
      >
        <FormattedMessage
          id="usage.consent.sure_text"
          defaultMessage="We then no longer fetch the data of this meter, and you see your usage by the month only, from your meter readings. You can give your consent again whenever you like."
        />
      </ConfirmDialog>
    </Stack>
  );
}

/** Whether there is consent, and since when. The version of the text is not shown (9-consent-version-hidden). */
function ConsentState({ consent: c }: { consent: ConnectionConsent }) {
  if (c.consentPresent && c.consentDateTime)
    return (
      <Lines>
        <Badge tone="positive">
          <FormattedMessage id="usage.consent.given" defaultMessage="Consent given" />
        </Badge>
        <Quiet>
          <FormattedMessage
            id="usage.consent.since"
            defaultMessage="on {day}"
            values={{ day: <DayOf key="day" at={c.consentDateTime} /> }}
          />
        </Quiet>
      </Lines>
    );
  return (
    <Lines>
      <span>
        <FormattedMessage id="usage.consent.absent" defaultMessage="No consent" />
      </span>
      {c.revokedDateTime && (
        <Quiet>
          <FormattedMessage
            id="usage.consent.revoked"
            defaultMessage="revoked on {day}"
            values={{ day: <DayOf key="day" at={c.revokedDateTime} /> }}
          />
        </Quiet>
      )}
    </Lines>
  );
}

const Quiet = styled.span`display: block; font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;`;
const Lines = styled.span`display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px;`;
