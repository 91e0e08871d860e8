import { addDays, addMonths } from '@wattle/charts';
import { formatDayLong, formatMonth, Notice } from '@wattle/ui';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import type { Commodity, Unknown } from './api';
import { type Reason, reasonsOf } from './cost.rules';
import { priceName } from './texts';

/** Returns days in words: `12 november 2026`, `1 t/m 3 november 2026`, `november 2026`. `to` is exclusive. */
export function daysText(intl: IntlShape, from: string, to: string): string {
  if (from.endsWith('-01') && to === addMonths(from, 1)) return formatMonth(from, intl.locale);
  const last = addDays(to, -1);
  const until = formatDayLong(last, intl.locale);
  if (from >= last) return until;
  const since =
    from.slice(0, 7) === last.slice(0, 7)
      ? String(Number(from.slice(8)))
      : from.slice(0, 4) === last.slice(0, 4)
        ? formatDayLong(from, intl.locale).replace(/ \d{4}$/, '')
        : formatDayLong(from, intl.locale);
  return intl.formatMessage({ id: 'usage.from_until', defaultMessage: '{since} to {until}' }, { since, until });
}

/** Maximum number of runs of days listed per reason. */
const maxRuns = 3;

/** Returns runs of days in words. */
function runsText(intl: IntlShape, days: Reason['days']): string {
  const texts = days.slice(0, maxRuns).map(({ from, to }) => daysText(intl, from, to));
  const more = days.length - texts.length;
  if (more > 0)
    texts.push(
      intl.formatMessage(
        { id: 'usage.cost.more', defaultMessage: '{more, plural, one {one more period} other {# more periods}}' },
        { more },
      ),
    );
  return intl.formatList(texts);
}

interface CostUnknownProps {
  unknown: readonly Unknown[];
  /** What is unknown. */
  what: string;
  commodity: Commodity;
  /** Whether a chart below shows the known costs. */
  bars?: boolean;
}

/** Explains why a cost is unknown, with the days (9-usage-euro-unknown). */
export function CostUnknown({ unknown, what, commodity, bars = false }: CostUnknownProps) {
  const intl = useIntl();
  return (
    <Notice title={<FormattedMessage id="usage.cost.unknown" defaultMessage="{what}: not known" values={{ what }} />}>
      <Reasons>
        {reasonsOf(unknown).map((reason) => (
          <li key={`${reason.reason} ${reason.kind ?? ''}`}>{reasonText(intl, reason, commodity)}</li>
        ))}
      </Reasons>
      {bars && <FormattedMessage id="usage.cost.bars" defaultMessage="The chart shows the costs that we do know." />}
    </Notice>
  );
}

/** Explains in a sentence why a cost is an estimate: which days were not measured completely. */
export const CostEstimated = ({ days }: { days: Reason['days'] }) => {
  const intl = useIntl();
  return (
    <FormattedMessage
      id="usage.cost.estimated_days"
      defaultMessage="Not measured completely, and therefore estimated: {days}."
      values={{ days: runsText(intl, days) }}
    />
  );
};

/** A sentence about the days a year earlier that the chart cannot compare with, because nothing is known of them (9-usage-past-gap). */
export function PastGaps({ days, cost = false }: { days: readonly { from: string; to: string }[]; cost?: boolean }) {
  const intl = useIntl();
  return (
    days.length > 0 && (
      <FormattedMessage
        id="usage.past_gap"
        defaultMessage="{cost, select, true {We do not know the cost of {days}.} other {We have no measurements of {days}.}}"
        values={{ cost: String(cost), days: runsText(intl, days) }}
      />
    )
  );
}

const reasonText = (intl: IntlShape, { reason, kind, days }: Reason, commodity: Commodity): string =>
  intl.formatMessage(
    {
      id: 'usage.cost.reason',
      defaultMessage:
        '{reason, select, measurement {We have no complete measurements for {days}.} price {We have no price for {days}: {kind}.} price_kind {Your contract has a price for {days}, but we do not know what it is for.} vat {We do not know whether this price includes VAT: {kind}, {days}.} price_change {This price changed between two meter readings: {kind}, {days}.} ambiguous {Your contract has two prices for {days}: {kind}.} other {The amount for {days} is too large to show.}}',
    },
    { reason, days: runsText(intl, days), kind: kind ? priceName(intl, kind, commodity).toLowerCase() : '' },
  );

const Reasons = styled.ul`display: flex; flex-direction: column; gap: 4px; list-style: none; padding: 0; margin: 0;`;
