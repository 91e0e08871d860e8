import { type Problem, useProblemText, useSettings, useToday } from '@wattle/sdk';
import { Alert, Badge, Button, ErrorState, Facts, formatDay, Notice, ProgressBar, Skeleton, Stack, TextLink } from '@wattle/ui';
import { useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { type Agreement, api, type Connection, changes, type History, type UsageSettings } from './api';
import { eanText, historyStart } from './connection.rules';
import { type Access, useMayChangeConsent } from './consent';
import { CsvDownload } from './csv';
import { DayOf, Moment } from './moment';
import { commodityName } from './texts';

/** Milliseconds between two requests for the progress of a retrieval. */
const pollInterval = 5_000;

/**
 * Historical meter data of an agreement: why it is not available, or its consent, retrieval and files. The page passes the access
 * as a prop, because each component that mounts with a failed query fetches it again; the page renders this part only after that
 * fetch has ended.
 */
export default function Historical({
  agreement,
  connections,
  access: { consent, known, hasDays, basis },
}: {
  agreement: Agreement;
  connections: readonly Connection[];
  access: Access;
}) {
  const smart = connections.filter((c) => c.meter_type === 'SMART');
  if (smart.length === 0) return <NotSupported />;
  if (!known)
    return consent.isPending ? (
      <Skeleton shape="row" count={2} />
    ) : (
      <ErrorState compact onRetry={() => void consent.refetch()} retrying={consent.isFetching} />
    );
  if (!smart.some(hasDays)) return <ConsentNeeded agreement={agreement} />;
  return (
    <ConsentGiven
      agreement={agreement}
      connections={smart}
      given={smart.filter(hasDays)}
      since={basis === 'contract' ? undefined : consent.data?.connections}
    />
  );
}

/** 8-historical-messages, for conventional meters. */
function NotSupported() {
  const text = useProblemText();
  return <Notice>{text({ code: 'usage.not_supported' })}</Notice>;
}

/** 8-historical-messages, for missing consent, which the customer can give above the chart (9-usage-chart-months). */
export function ConsentNeeded({ agreement }: { agreement: Agreement }) {
  const today = useToday();
  const { history_months: months } = useSettings<UsageSettings>();
  const text = useProblemText();
  return (
    <Notice title={text({ code: 'usage.consent_needed' })}>
      <FormattedMessage
        id="usage.historical.reach"
        defaultMessage="For this contract it reaches back to {day}."
        values={{ day: formatDay(historyStart(agreement.period.from, today, months)) }}
      />{' '}
      <FormattedMessage id="usage.historical.above" defaultMessage="You give your consent above the chart." />
    </Notice>
  );
}

/** 4-consent-given-view: the date of the consent with a short text, and a button that retrieves the most recent data. */
function ConsentGiven({
  agreement,
  connections,
  given,
  since,
}: {
  agreement: Agreement;
  connections: readonly Connection[];
  given: readonly Connection[];
  /** When consent was given; absent if the contract allows the use. */
  since: readonly { ean_code: string; consentDateTime: string | null }[] | undefined;
}) {
  const intl = useIntl();
  const id = agreement.agreement_identifier;
  const history = api.useGet('/smartmeterreadings/historicaldata/{agreement}', { path: { agreement: id } });
  const start = api.useWrite('post', '/smartmeterreadings/retrievals', { changes: changes.retrieval });
  const may = useMayChangeConsent();
  const text = useProblemText();
  const running = isRunning(history.data);
  const { refetch } = history;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void refetch(), pollInterval);
    return () => clearInterval(timer);
  }, [running, refetch]);

  if (history.isPending) return <Skeleton shape="row" count={3} />;
  if (!history.data)
    return (
      <HistoryRefused agreement={agreement} problem={history.error} retry={() => void refetch()} retrying={history.isFetching} />
    );
  const dates = given.flatMap((c) => since?.find((x) => x.ean_code === c.ean_code)?.consentDateTime ?? []).sort();
  const { retrieval, last_retrieval: last } = history.data;
  return (
    <Stack gap={16}>
      <p>
        {since ? (
          <FormattedMessage
            id="usage.historical.help"
            defaultMessage="You gave your consent on {day}. So we may fetch what your meter measured and show it here; you can revoke your consent under <account>My details</account>."
            values={{
              day: <DayOf key="day" at={dates.at(-1) ?? ''} />,
              account: (words) => (
                <TextLink key="account" href="/account">
                  {words}
                </TextLink>
              ),
            }}
          />
        ) : (
          <FormattedMessage
            id="usage.historical.contract"
            defaultMessage="Your contract needs what your smart meter measures, so we may fetch it and show it here."
          />
        )}
      </p>
      <Facts
        items={[
          {
            label: <FormattedMessage id="usage.historical.last" defaultMessage="Last fetched" />,
            value: last ? (
              <Moment at={last} />
            ) : (
              <FormattedMessage
                id="usage.historical.never"
                defaultMessage="Not yet{some, select, yes {; what you see here your meter sends us by itself} other {}}"
                values={{ some: history.data.connections.some((c) => c.until) ? 'yes' : 'no' }}
              />
            ),
          },
        ]}
      />
      {running ? (
        <div role="status">
          <ProgressBar
            value={retrieval.progress}
            max={100}
            label={intl.formatMessage({ id: 'usage.historical.running', defaultMessage: 'Your meter data is being fetched' })}
            text={<FormattedMessage id="usage.historical.running" defaultMessage="Your meter data is being fetched" />}
          />
        </div>
      ) : (
        <div>
          <Button
            icon="retry"
            loading={start.isPending}
            disabledReason={may.ok ? undefined : may.reason}
            onClick={() => start.mutate({ body: { agreement_identifier: id } })}
          >
            <FormattedMessage id="usage.historical.fetch" defaultMessage="Fetch the latest data" />
          </Button>
        </div>
      )}
      <Quiet>
        {/* 9-historical-hours */}
        <FormattedMessage
          id="usage.historical.hours"
          defaultMessage="Fetching can take a few hours. You may leave this page; we go on, and you see here how far we are."
        />
      </Quiet>
      {start.error && <Alert>{text(start.error)}</Alert>}
      {retrieval.state === 'FAILED' && (
        <Alert title={<FormattedMessage id="usage.historical.failed" defaultMessage="Fetching did not work" />}>
          {text({ code: retrieval.code ?? 'usage.source' })}
        </Alert>
      )}
      <Files history={history.data} connections={connections} given={given} />
      {history.data.connections.some((c) => c.until) && (
        <Quiet>
          <FormattedMessage
            id="usage.csv.which"
            defaultMessage="The file for Excel opens with a double click, with Dutch headings and figures. CSV is for other programs: decimal points, and times with their offset."
          />
        </Quiet>
      )}
    </Stack>
  );
}

/** A file per connection, or the reason why there is none. */
function Files({
  history,
  connections,
  given,
}: {
  history: History;
  connections: readonly Connection[];
  given: readonly Connection[];
}) {
  const intl = useIntl();
  const text = useProblemText();
  return (
    <List>
      {connections.map((c) => {
        const known = history.connections.find((x) => x.ean_code === c.ean_code);
        const name = commodityName(intl, c.commodity);
        return (
          <li key={c.ean_code}>
            <div>
              <strong>{name}</strong>
              <Quiet>
                {!given.includes(c) ? (
                  text({ code: 'usage.consent_needed' })
                ) : known?.until ? (
                  <FormattedMessage
                    id="usage.csv.range"
                    defaultMessage="{from} to {until} · EAN {ean}"
                    values={{ from: formatDay(known.from), until: formatDay(known.until), ean: eanText(c.ean_code) }}
                  />
                ) : (
                  <FormattedMessage id="usage.csv.none" defaultMessage="No meter data yet" />
                )}
              </Quiet>
            </div>
            {given.includes(c) ? (
              known?.until && <CsvDownload ean={c.ean_code} name={name} />
            ) : (
              <Badge>
                <FormattedMessage id="usage.consent.absent" defaultMessage="No consent" />
              </Badge>
            )}
          </li>
        );
      })}
    </List>
  );
}

/** An error response with the text of its code; other errors offer a retry. */
function HistoryRefused({
  agreement,
  problem,
  retry,
  retrying,
}: {
  agreement: Agreement;
  problem: Problem | null;
  retry(): void;
  retrying: boolean;
}) {
  if (problem?.code === 'usage.not_supported') return <NotSupported />;
  if (problem?.code === 'usage.consent_needed') return <ConsentNeeded agreement={agreement} />;
  return <ErrorState compact onRetry={retry} retrying={retrying} />;
}

const isRunning = (history: History | undefined): boolean =>
  history?.retrieval.state === 'QUEUED' || history?.retrieval.state === 'RUNNING';

const Quiet = styled.p`font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums;`;
const List = styled.ul`
  list-style: none; padding: 0; margin: 0;
  li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 8px 16px; padding: 12px 0; border-top: 1px solid var(--w-line); }
`;
