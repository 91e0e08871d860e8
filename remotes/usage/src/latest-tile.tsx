import { ErrorState, formatDay, formatEnergy, LinkButton, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Latest } from './api';
import { eanText, energyUnit } from './connection.rules';
import { ConsentHint, LastReading } from './last-reading';
import { commodityName } from './texts';

/** Maximum number of connections of each kind on the home page. */
const maxPerCommodity = 2;

/** The latest measurements of electricity and gas, on the home page. */
export default function LatestTile() {
  const latest = api.useGet('/usage/latest');
  if (latest.isPending) return <Skeleton shape="row" count={2} />;
  if (latest.isError) return <ErrorState compact onRetry={() => void latest.refetch()} retrying={latest.isFetching} />;
  const newest = [...(latest.data ?? [])].sort((a, b) => b.measured.localeCompare(a.measured));
  // A company may have many meters; the others are on the usage page.
  const all = (['ELECTRICITY', 'GAS'] as const).flatMap((kind) =>
    newest.filter((l) => l.commodity === kind).slice(0, maxPerCommodity),
  );
  return (
    <Stack gap={16}>
      {all.length === 0 ? (
        <p>
          <FormattedMessage id="usage.latest.none" defaultMessage="No measurements have come in yet." />
        </p>
      ) : (
        <List>
          {all.map((one) => (
            <Measured
              key={one.ean_code}
              latest={one}
              alike={all.filter((other) => other.commodity === one.commodity).length > 1}
            />
          ))}
        </List>
      )}
      {all.some((one) => one.consent_needed) && <ConsentHint />}
      <div>
        <LinkButton href="/usage" small icon="chart">
          <FormattedMessage id="usage.more" defaultMessage="See your usage" />
        </LinkButton>
      </div>
    </Stack>
  );
}

function Measured({ latest, alike }: { latest: Latest; alike: boolean }) {
  const intl = useIntl();
  const unit = energyUnit(latest.commodity);
  const value = (amount: number) => formatEnergy(amount, unit);
  const { from, measured, consumption, previous, feedin, reading } = latest;
  return (
    <li>
      <div>
        <span>
          {commodityName(intl, latest.commodity)}
          {alike && <small> EAN {eanText(latest.ean_code)}</small>}
        </span>
        {(consumption !== null || !reading) && (
          <small>
            {from === measured ? (
              <FormattedMessage id="usage.latest.day" defaultMessage="on {day}" values={{ day: formatDay(measured) }} />
            ) : (
              <FormattedMessage
                id="usage.latest.range"
                defaultMessage="{from} to {until}"
                values={{ from: formatDay(from), until: formatDay(measured) }}
              />
            )}
          </small>
        )}
        {reading && <LastReading reading={reading} />}
      </div>
      <div>
        {consumption === null ? !reading && <strong>–</strong> : <strong>{value(consumption)}</strong>}
        {previous !== null && (
          <small>
            <FormattedMessage
              id="usage.latest.before"
              defaultMessage="{day, select, yes {the day before: {amount}} other {before that: {amount}}}"
              values={{ day: from === measured ? 'yes' : 'no', amount: value(previous) }}
            />
          </small>
        )}
        {feedin !== null && (
          <small>
            <FormattedMessage id="usage.latest.feedin" defaultMessage="fed in: {amount}" values={{ amount: value(feedin) }} />
          </small>
        )}
      </div>
    </li>
  );
}

/** A connection in each row: what and when, with the amount at the end. */
const List = styled.ul`
  list-style: none; margin: 0; padding: 0;
  li { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; padding: 10px 0; }
  li:first-child { padding-top: 0; } li + li { border-top: 1px solid var(--w-line); }
  div { display: flex; flex-direction: column; gap: 2px; min-width: 0; } div + div { text-align: end; flex: none; }
  strong { font-size: 28px; line-height: 1.2; font-weight: 600; color: var(--w-primary-ink); font-variant-numeric: tabular-nums; }
  small { font-size: 14px; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; }
`;
