import { addDays, type ChartSeries, Comparison, PeriodChart } from '@wattle/charts';
import { clockAt, useNow, usePortal } from '@wattle/sdk';
import {
  Big,
  Card,
  Disclosure,
  energyDecimals,
  formatDay,
  formatEnergy,
  formatMoney,
  formatNumber,
  Skeleton,
  Small,
  Stack,
} from '@wattle/ui';
import { type ReactNode, useCallback, useMemo } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Point } from './api';
import { NoData } from './no-data';
import { chartPoints, leftOutNames, startOf } from './points';
import {
  aYearEarlier,
  comparable,
  earlierValues,
  inEuros,
  leftOut,
  pricesOf,
  type Selection,
  stateOf,
  sumOf,
  sumOfBoth,
} from './view.rules';

export interface ProductionChartProps {
  project: string;
  kind: 'TOTAL_PROJECT' | 'SHARES_IN_PROJECT';
  title: string;
  /** Name of the current period. */
  period: string;
  shown: Selection;
  /** The chart is initially closed, below its name and sum. */
  folds?: boolean;
  /** Shows euros: the value of the energy of the shares (9-production-euro). */
  euros?: boolean;
  /** The choice of the unit, to the right of the number. */
  unit?: ReactNode;
  /** The choice of the period, below the number. */
  controls?: ReactNode;
}

const none: readonly Point[] = [];
/** More stretches that are left out of a comparison are not named, because nobody would read them. */
const maxNamed = 3;

/** One chart for a project; it loads and fails independently of the others (8-production-failed). */
export function ProductionChart({
  project,
  kind,
  title,
  period,
  shown,
  folds = false,
  euros = false,
  unit,
  controls,
}: ProductionChartProps) {
  const { view, offset } = shown;
  const intl = useIntl();
  const now = useNow();
  const { day, time } = now;
  const { label } = usePortal();
  const query = {
    timeframe_type: view,
    timeframe_offset: offset,
    view_type: kind,
    ...(view === 'WEEK4_WEEKS' && { daily: true }),
  };
  const made = api.useGet('/sustainable/production/{project}', { path: { project }, query }, { empty: [404] });
  const updated = api.useGet('/sustainable/production/{project}/updated', { path: { project } }, { empty: [404] });
  const back = aYearEarlier(shown, day);
  const compares = back !== undefined;
  const earlier = api.useGet(
    '/sustainable/production/{project}',
    { path: { project }, query: { ...query, timeframe_offset: back?.offset ?? offset } },
    { empty: [400, 404], enabled: compares }, // 400: before the first year of production
  );
  // The days of the current month, so that the current year is compared up to yesterday, as elsewhere (9-production-compare).
  const daily = { timeframe_type: 'MONTH_DAYS', view_type: kind } as const;
  const isYear = view === 'YEAR_MONTHS' && offset === 0;
  const month = api.useGet(
    '/sustainable/production/{project}',
    { path: { project }, query: { ...daily, timeframe_offset: 0 } },
    { empty: [404], enabled: isYear },
  );
  const monthBefore = api.useGet(
    '/sustainable/production/{project}',
    { path: { project }, query: { ...daily, timeframe_offset: -12 } },
    { empty: [400, 404], enabled: isYear },
  );
  const measure = useCallback((all: readonly Point[] = none) => (euros ? inEuros(all) : all), [euros]);
  const points = useMemo(() => measure(made.data), [made.data, measure]);
  const before = useMemo(
    () => (compares ? earlierValues(points, measure(earlier.data), view) : []),
    [points, earlier.data, view, compares, measure],
  );
  const drawn = useMemo(() => chartPoints(intl, points, view, { day, time }, before), [intl, points, view, day, time, before]);
  const days = isYear ? measure(month.data) : none;
  const daysBefore = earlierValues(days, measure(monthBefore.data), 'MONTH_DAYS');
  const both =
    isYear && (month.isPending || monthBefore.isPending)
      ? null
      : sumOfBoth(comparable(points, before, view, now), comparable(days, daysBefore, 'MONTH_DAYS', now));
  const left = [...leftOut(points, before, view, now), ...leftOut(days, daysBefore, 'MONTH_DAYS', now)];
  const runs = points.some((p) => stateOf(p, view, now) !== 'over'); // if so, the comparison ends before the drawn line does
  const total = sumOf(points);
  const sum = (value: number) =>
    euros
      ? formatMoney(Math.round(value * 100))
      : formatEnergy(value, 'kWh', value > 0 && value < 10 ? 'participation' : undefined);
  const best = points.findIndex((p) => p.record);
  const write = (value: number) =>
    euros ? formatMoney(Math.round(value * 100)) : formatNumber(value, energyDecimals('kWh', of));
  // the other quantity (euros or energy), next to the headline
  const worth = sumOf(inEuros(made.data ?? []));
  const energy = sumOf(made.data ?? []);
  const of = kind === 'SHARES_IN_PROJECT' ? 'participation' : undefined;
  const series: ChartSeries[] = [
    {
      key: 'made',
      label: intl.formatMessage({ id: 'production.made', defaultMessage: 'Production' }),
      kind: 'normal',
      type: 'steps',
    },
  ];
  if (before.some((value) => value !== null))
    series.push({
      key: 'earlier',
      label: intl.formatMessage({ id: 'production.then', defaultMessage: 'A year earlier' }),
      kind: 'compare',
    });
  // 9-production-headline
  const prices = pricesOf(made.data ?? []);
  const small = total !== null && total > 0 && total < 10 ? 'participation' : undefined;
  const content = (
    <Stack gap={16}>
      <Headline $lines={compares ? 4 : 1} $worth={Boolean(unit)}>
        {made.isPending ? (
          <Skeleton shape="number" />
        ) : (
          <Big unit={total === null || euros ? undefined : 'kWh'}>
            {total === null ? '–' : euros ? write(total) : formatNumber(total, energyDecimals('kWh', small))}
          </Big>
        )}
        {unit}
        {worth !== null && energy !== null && (
          <Worth>
            {euros ? (
              formatEnergy(energy, 'kWh')
            ) : (
              <FormattedMessage
                id="production.yield.value"
                defaultMessage="worth {amount}"
                values={{ amount: formatMoney(Math.round(worth * 100)) }}
              />
            )}
          </Worth>
        )}
        {made.isPending ? (
          <Skeleton />
        ) : (
          <p>
            {period}
            {total !== null && both && both.earlier > 0 && (
              <>
                {', '}
                <Comparison
                  value={both.value}
                  then={both.earlier}
                  name={intl.formatMessage({ id: 'production.earlier', defaultMessage: 'a year earlier' })}
                />
                {': '}
                <FormattedMessage
                  id="production.against"
                  defaultMessage="{differs, select, yes {{value} against } other {}}{earlier} {span, select, DAY_HOURS {in the same hours} MONTH_DAYS {on the same days} WEEK4_WEEKS {in the same weeks} YEAR_MONTHS {in the same months} running_DAY_HOURS {in the same full hours} running_WEEK4_WEEKS {in the same weeks, up to and including yesterday} other {on the same days, up to and including yesterday}}{left, select, no {} some {, without {which} ({measured, select, now {not {known} then} then {only {known} then} other {not {known} in both years}})} other {, without what was {measured, select, now {not {known} then} then {only {known} then} other {not {known} in both years}}}}"
                  values={{
                    differs: sum(both.value) === sum(total) ? 'no' : 'yes',
                    value: sum(both.value),
                    earlier: sum(both.earlier),
                    span: runs ? `running_${view}` : view,
                    left: left.length === 0 ? 'no' : left.length <= maxNamed ? 'some' : 'many',
                    which: intl.formatList(leftOutNames(intl, left)),
                    measured: left.every((run) => run.measured === left[0]?.measured) ? left[0]?.measured : 'one',
                    known: intl.formatMessage(
                      { id: 'production.known', defaultMessage: '{euros, select, true {known} other {measured}}' },
                      { euros: String(euros) },
                    ),
                  }}
                />
              </>
            )}
          </p>
        )}
      </Headline>
      {controls}
      <PeriodChart
        label={`${title}, ${period}`}
        unit={euros ? '€' : 'kWh'}
        {...(euros
          ? { format: write, gap: intl.formatMessage({ id: 'production.gap', defaultMessage: 'value not known' }) }
          : { detail: of })}
        first={intl.formatMessage(
          {
            id: 'production.unit',
            defaultMessage: '{view, select, DAY_HOURS {Hour} YEAR_MONTHS {Month} YEAR3_YEARS {Year} other {Day}}',
          },
          { view },
        )}
        series={series}
        points={drawn}
        record={
          best < 0
            ? undefined
            : {
                at: startOf(points[best] as (typeof points)[number], best),
                text: intl.formatMessage(
                  { id: 'production.record', defaultMessage: 'Highest: {value}' },
                  { value: write(points[best]?.rounded_value ?? 0) + (euros ? '' : '\u00a0kWh') },
                ),
              }
        }
        loading={made.isFetching}
        error={made.isError && <NoData onRetry={() => void made.refetch()} retrying={made.isFetching} />}
        note={updated.data && <UpdatedAt at={updated.data.until} />}
      />
      {made.isPending && unit && <Skeleton />}
      {worth !== null && (
        <Small>
          <FormattedMessage
            id="production.price"
            defaultMessage="{several, select, yes {At the price of each day} other {At {prices} per kWh}}, the price that {label} uses for your shares."
            values={{
              several: prices ? 'no' : 'yes',
              prices: intl.formatList((prices ?? []).map((price) => `€\u00a0${formatNumber(price, 3)}`)),
              label: label.name,
            }}
          />
        </Small>
      )}
    </Stack>
  );
  if (folds)
    return (
      <section>
        <Disclosure
          title={title}
          level={2}
          summary={total === null ? undefined : `${period}: ${euros ? write(total) : formatEnergy(total, 'kWh')}`}
        >
          {content}
        </Disclosure>
      </section>
    );
  return (
    <Card title={title} level={2}>
      {content}
    </Card>
  );
}

/** When the data was last updated: with the time, or only the last complete day. */
function UpdatedAt({ at }: { at: string }) {
  const { day, time } = clockAt(at, usePortal().timeZone);
  return time === '00:00' ? (
    <FormattedMessage
      id="production.updated_day"
      defaultMessage="Updated up to and including {day}"
      values={{ day: formatDay(addDays(day, -1)) }}
    />
  ) : (
    <FormattedMessage id="production.updated" defaultMessage="Updated {day}, {time}" values={{ day: formatDay(day), time }} />
  );
}

/**
 * The number, what it was worth next to it (below it on a phone), and the comparison. As high as these lines from the beginning,
 * because the comparison loads last (9-pages-still).
 */
const Headline = styled.div<{ $lines: number; $worth: boolean }>`
  display: grid; grid-template-columns: auto 1fr auto; gap: 4px 16px; align-items: baseline; align-content: start; min-height: 76px;
  > [role='radiogroup'] { grid-area: 1 / 3; align-self: center; }
  > :last-child { grid-column: 1 / -1; color: var(--w-text-quiet); font-variant-numeric: tabular-nums; }
  @media (max-width: 767px) { grid-template-columns: 1fr auto; min-height: ${(p) => 48 + p.$lines * 24 + (p.$worth ? 42 : 0)}px; > [role='radiogroup'] { grid-column: 2; } }
`;
const Worth = styled.div`
  font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums;
  @media (max-width: 767px) { grid-column: 1 / -1; }
`;
