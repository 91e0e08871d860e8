import { addDays, addMonths, type ChartSeries, Comparison, PeriodChart, periodName, periodOf } from '@wattle/charts';
import { clockAt, useToday } from '@wattle/sdk';
import {
  Big,
  EmptyState,
  ErrorState,
  formatDay,
  formatDayLong,
  formatMonth,
  formatNumber,
  Notice,
  Skeleton,
  Small,
} from '@wattle/ui';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled, { css } from 'styled-components';
import { api, type Connection } from './api';
import { energyUnit } from './connection.rules';
import { chartPoints } from './points';
import type { Selection } from './selection';
import {
  amountOf,
  compare,
  finest,
  gapsOf,
  isRunning,
  lastDayOf,
  type NotReceived,
  notReceived,
  pairWithLastYear,
  type Register,
  registersOf,
  type Span,
  type Unit,
  type View,
  yearBefore,
} from './series.rules';
import { commodityName } from './texts';
import { lifted } from './waiting';

export interface UsagePanelProps {
  connection: Connection;
  shown: Selection;
  /** Days must not be shown: months and years are differences between meter readings. */
  months: boolean;
  /** First and last day that can have data. */
  min: string;
  max: string;
  /** It is the only connection shown, so its number is above the controls. */
  alone: boolean;
  /** Tells it from the other connections shown. */
  mark: string | undefined;
  /** Its name is in the heading that opens it. */
  folded?: boolean;
  /** Names the days without a comparison; it is fetched later. */
  PastGaps: ComponentType<{ days: readonly { from: string; to: string }[] }>;
}

/** A connection in a period: the amount, the comparison with last year, and the chart with its table. */
export function UsagePanel({ connection, shown, months, min, max, alone, mark, folded, PastGaps }: UsagePanelProps) {
  const intl = useIntl();
  const today = useToday();
  const { commodity, ean_code: ean } = connection;
  const { span, unit, view } = shown;
  const period = periodOf(span, clamp(shown.day, min, max), min, max);
  const before = periodOf(span, yearBefore(span, period.from) ?? period.from);
  const fine = finest(span, unit, months);
  const compares = { enabled: span !== 'years' };
  const series = api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit, ...period } });
  const past = api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit, ...before } }, compares);
  const sums = api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit: fine, ...period } });
  const pastSums = api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit: fine, ...before } }, compares);
  const name = commodityName(intl, commodity);
  const write = energyUnit(commodity);

  const points = series.data?.points ?? [];
  const updated = series.data?.updated ?? null;
  const last = updated === null || !series.data ? null : lastDayOf(clockAt(updated, series.data.zone));
  const awaits = months ? undefined : notReceived(period, last, today, max);
  const pasts = pairWithLastYear(points, past.data?.points ?? [], span, unit);
  const total = sums.data ? amountOf(sums.data.total, view) : null;
  const days = sums.data?.points ?? [];
  const measured = [...points, ...days].some((p) => !p.missing);
  const compared = compare(days, pairWithLastYear(days, pastSums.data?.points ?? [], span, fine), view);
  const nameOfPeriod = periodName(span, period, intl.locale);
  const text = titles(intl, name, nameOfPeriod, view);
  const running = isRunning(span, period, today, max);
  const counted = running ? soFar(intl, nameOfPeriod) : nameOfPeriod;
  const hasPast = pasts.some((p) => p && amountOf(p, view) !== null);
  // without daily values a month is missing only for lack of a meter reading
  const pastGaps = hasPast && !months ? gapsOf(past.data?.points ?? [], unit, min) : [];
  const registers = registersOf(points, commodity, view);
  const kinds: ChartSeries[] = registers.map((key) => ({ key, ...seriesKindOf(intl, key) }));
  if (hasPast) kinds.push({ key: 'past', label: periodName(span, before, intl.locale), kind: 'compare' });

  return (
    <Block aria-label={text} $alone={alone && 'usage'}>
      <div>
        {!folded && (
          <Title>
            <Marked name={shownName(intl, commodity, view)} mark={mark} />
          </Title>
        )}
        {sums.isPending ? (
          <Skeleton shape="number" />
        ) : (
          <Big
            unit={total === null ? undefined : write}
            caption={
              <Caption>
                {compared ? (
                  <>
                    {running && <Row>{counted}</Row>}
                    <Comparison
                      value={compared.value}
                      then={compared.past}
                      name={comparedPeriodName(intl, span, fine, compared, before)}
                    />
                    {compared.counted < compared.measured && (
                      <small>
                        <FormattedMessage
                          id="usage.counted"
                          defaultMessage="over the {counted} of {measured} {unit, select, hour {hours} month {months} other {days}} that were fully measured in both years"
                          values={{ counted: compared.counted, measured: compared.measured, unit: fine }}
                        />
                      </small>
                    )}
                  </>
                ) : total !== null || measured ? (
                  counted
                ) : awaits ? (
                  <FormattedMessage id="usage.unknown" defaultMessage="Not known yet" />
                ) : (
                  <FormattedMessage id="usage.nothing" defaultMessage="No measurements" />
                )}
              </Caption>
            }
          >
            {total === null ? '–' : formatNumber(total)}
          </Big>
        )}
      </div>
      <PeriodChart
        label={text}
        unit={write}
        first={unitName(intl, unit)}
        series={kinds}
        detail={unit === 'hour' ? 'hours' : undefined}
        points={chartPoints(intl, points, pasts, {
          span,
          unit,
          view,
          from: months ? firstDayOf(unit, today) : (awaits?.since ?? today),
          registers,
        })}
        loading={series.isFetching}
        error={
          series.isError ? <ErrorState compact onRetry={() => void series.refetch()} retrying={series.isFetching} /> : undefined
        }
        empty={
          <Nothing
            view={view}
            months={months}
            never={updated === null}
            upcoming={period.from > today}
            measured={measured}
            awaits={awaits}
          />
        }
        note={
          series.data && (
            <>
              <Updated at={updated} zone={series.data.zone} awaits={measured ? awaits : undefined} />
              {pastGaps.length > 0 && (
                <Suspense>
                  {' '}
                  <PastGaps days={pastGaps} />
                </Suspense>
              )}
            </>
          )
        }
      />
    </Block>
  );
}

/** Explains that a conventional meter has readings, but no usage by hour or day. */
export function NoSmartMeter() {
  return (
    <Notice title={<FormattedMessage id="usage.conventional.title" defaultMessage="No chart for this meter" />}>
      <FormattedMessage
        id="usage.conventional.text"
        defaultMessage="Only a smart meter sends what you use by the hour. Your readings are below."
      />
    </Notice>
  );
}

function Nothing(props: {
  view: View;
  months: boolean;
  never: boolean;
  upcoming: boolean;
  measured: boolean;
  awaits: NotReceived | undefined;
}) {
  const { view, months, never, upcoming, measured, awaits } = props;
  const title = upcoming ? (
    <FormattedMessage id="usage.empty.upcoming" defaultMessage="This period has yet to come" />
  ) : awaits && !measured ? (
    <FormattedMessage
      id="usage.empty.awaited"
      defaultMessage="{today, select, yes {Today’s measurements are not in yet} other {The measurements of this period are not in yet}}"
      values={{ today: awaits.today ? 'yes' : 'no' }}
    />
  ) : view === 'feedin' && measured ? (
    <FormattedMessage
      id="usage.empty.feedin"
      defaultMessage="{day, select, none {Nothing was fed in during this period} other {Nothing was fed in up to and including {day}}}"
      values={{ day: awaits ? formatDay(addDays(awaits.since, -1)) : 'none' }}
    />
  ) : (
    <FormattedMessage id="usage.empty.usage" defaultMessage="We have no measurements of this period" />
  );
  return (
    <EmptyState title={title} illustration={view === 'feedin' && measured ? 'sun' : 'empty'}>
      {!upcoming &&
        (months ? (
          <FormattedMessage
            id="usage.empty.readings"
            defaultMessage="A month is shown once there is a meter reading of its beginning and of its end."
          />
        ) : never ? (
          <FormattedMessage
            id="usage.empty.never"
            defaultMessage="Once your meter has sent its first data, you see it here. Usually that takes a day."
          />
        ) : awaits && !measured ? (
          <ArrivalText awaits={awaits} />
        ) : (
          <FormattedMessage id="usage.empty.other" defaultMessage="Choose another period." />
        ))}
    </EmptyState>
  );
}

/** When missing data arrives: grid operators deliver a smart meter's data during the next day (2.5-usage-not-yet). */
function ArrivalText({ awaits }: { awaits: NotReceived }) {
  return awaits.today ? (
    <FormattedMessage id="usage.arrival.today" defaultMessage="Today’s measurements usually arrive tomorrow." />
  ) : (
    <FormattedMessage
      id="usage.arrival.late"
      defaultMessage="Measurements usually arrive the day after. Those from {day} on are not in yet."
      values={{ day: formatDay(awaits.since) }}
    />
  );
}

/** When the data was last updated, with the time or only the last complete day, and when the rest arrives. */
function Updated({ at, zone, awaits }: { at: string | null; zone: string; awaits: NotReceived | undefined }) {
  if (!at) return null;
  const { day, time } = clockAt(at, zone);
  return (
    <>
      {time === '00:00' ? (
        <FormattedMessage
          id="usage.updated_day"
          defaultMessage="Updated up to and including {day}"
          values={{ day: formatDay(lastDayOf({ day, time })) }}
        />
      ) : (
        <FormattedMessage id="usage.updated" defaultMessage="Updated {day}, {time}" values={{ day: formatDay(day), time }} />
      )}
      {awaits && (
        <>
          {'. '}
          <ArrivalText awaits={awaits} />
        </>
      )}
    </>
  );
}

/** Returns the first day of the current month or year, which has no value yet without daily values. */
const firstDayOf = (unit: Unit, today: string): string =>
  unit === 'year' ? `${today.slice(0, 4)}-01-01` : `${today.slice(0, 7)}-01`;

export const clamp = (day: string, min: string, max: string): string => (day < min ? min : day > max ? max : day);

const titles = (intl: IntlShape, name: string, period: string, view: View): string =>
  view === 'feedin'
    ? intl.formatMessage({ id: 'usage.chart.feedin', defaultMessage: 'Electricity fed in, {period}' }, { period })
    : intl.formatMessage({ id: 'usage.chart.usage', defaultMessage: '{what} used, {period}' }, { what: name, period });

/** Returns the title of a connection: feed-in, or the kind of energy. */
export const shownName = (intl: IntlShape, commodity: Connection['commodity'], view: View): string =>
  view === 'feedin' ? intl.formatMessage({ id: 'usage.view.feedin', defaultMessage: 'Feed-in' }) : commodityName(intl, commodity);

/** Returns the name of a period that is still running: `so far in 2026`. */
export const soFar = (intl: IntlShape, period: string): string =>
  intl.formatMessage({ id: 'usage.so_far', defaultMessage: 'so far in {period}' }, { period });

/** Returns the heading of the table's first column. */
export const unitName = (intl: IntlShape, unit: Unit): string =>
  intl.formatMessage(
    { id: 'usage.unit', defaultMessage: '{unit, select, hour {Hour} day {Day} week {Week} month {Month} other {Year}}' },
    { unit },
  );

function seriesKindOf(intl: IntlShape, register: Register): { label: string; kind: ChartSeries['kind'] } {
  const normal = intl.formatMessage({ id: 'usage.series.normal', defaultMessage: 'Normal' });
  const low = intl.formatMessage({ id: 'usage.series.low', defaultMessage: 'Off-peak' });
  switch (register) {
    case 'normal':
      return { label: normal, kind: 'normal' };
    case 'low':
      return { label: low, kind: 'low' };
    case 'feedin':
      return { label: intl.formatMessage({ id: 'usage.view.feedin', defaultMessage: 'Feed-in' }), kind: 'feed-in' };
    case 'feedin_normal':
      return { label: normal, kind: 'feed-in' };
    case 'feedin_low':
      return { label: low, kind: 'feed-in-low' };
    case 'consumption':
      return { label: intl.formatMessage({ id: 'usage.gas', defaultMessage: 'Gas' }), kind: 'gas' };
  }
}

/** Returns the name of the compared period: the whole period, or the days that this year has reached. */
function comparedPeriodName(
  intl: IntlShape,
  span: Span,
  unit: Unit,
  { first, last }: { first: string; last: string },
  before: { from: string; to: string },
): string {
  const since = first.slice(0, 10);
  const until = unit === 'month' ? addDays(addMonths(last.slice(0, 10), 1), -1) : last.slice(0, 10);
  const all = since <= before.from && addDays(until, 1) >= before.to;
  if (all || span === 'day') return periodName(span, before, intl.locale);
  if (unit === 'month' && since.slice(0, 4) === until.slice(0, 4) && since.slice(0, 7) !== until.slice(0, 7))
    return intl.formatMessage(
      { id: 'usage.from_until', defaultMessage: '{since} to {until}' },
      { since: formatMonth(since, intl.locale).replace(/ \d{4}$/, ''), until: formatMonth(until, intl.locale) },
    );
  if (since === until) return formatDayLong(since, intl.locale);
  const short = formatDayLong(since, intl.locale).replace(/ \d{4}$/, '');
  return intl.formatMessage(
    { id: 'usage.from_until', defaultMessage: '{since} to {until}' },
    {
      since: since.slice(0, 7) === until.slice(0, 7) ? String(Number(since.slice(8))) : short,
      until: formatDayLong(until, intl.locale),
    },
  );
}

/** If it is the only one, its first child, the number, is above the page's controls, which are its siblings. */
export const Block = styled.section<{ $alone?: false | keyof typeof lifted }>`
  ${(p) => (p.$alone ? css`display: contents; > :first-child { order: -1; ${lifted[p.$alone]} }` : 'display: flex; flex-direction: column; gap: 8px; min-width: 0;')}
`;
/** The name of a connection, with what tells it from others. */
export const Marked = ({ name, mark }: { name: ReactNode; mark: string | undefined }) => (
  <>
    {name}
    {mark && ' '}
    {mark && <Small as="span">{mark}</Small>}
  </>
);
export const Title = styled.h3`font-size: 20px;`;
export const Row = styled.span`display: block;`;
export const Caption = styled.span`color: var(--w-text); small { display: block; font-size: 14px; color: var(--w-text-quiet); }`;
