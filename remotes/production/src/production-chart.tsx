import { addDays, type ChartSeries, Comparison, PeriodChart } from '@wattle/charts';
import { clockAt, useNow, usePortal } from '@wattle/sdk';
import { Big, Card, Disclosure, energyDecimals, formatDay, formatEnergy, formatNumber, Skeleton, Stack } from '@wattle/ui';
import { useMemo } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import { NoData } from './no-data';
import { usePhone } from './phone';
import { chartPoints, startOf } from './points';
import { aYearEarlier, comparable, earlierValues, type Selection, stateOf, sumOf, sumOfBoth } from './view.rules';

export interface ProductionChartProps {
  project: string;
  kind: 'TOTAL_PROJECT' | 'SHARES_IN_PROJECT';
  title: string;
  /** Name of the current period. */
  period: string;
  shown: Selection;
  /** On a phone it is closed at first, below its name and sum. */
  folds?: boolean;
}

/** One chart of a project; it loads and fails independently of the others (8-production-failed). */
export function ProductionChart({ project, kind, title, period, shown, folds = false }: ProductionChartProps) {
  const { view, offset } = shown;
  const intl = useIntl();
  const now = useNow();
  const { day, time } = now;
  const phone = usePhone();
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
  // The days of the running month, so that the running year is compared up to yesterday, as everywhere (9-production-compare).
  const days = { timeframe_type: 'MONTH_DAYS', view_type: kind } as const;
  const isYear = view === 'YEAR_MONTHS' && offset === 0;
  const month = api.useGet(
    '/sustainable/production/{project}',
    { path: { project }, query: { ...days, timeframe_offset: 0 } },
    { empty: [404], enabled: isYear },
  );
  const monthBefore = api.useGet(
    '/sustainable/production/{project}',
    { path: { project }, query: { ...days, timeframe_offset: -12 } },
    { empty: [400, 404], enabled: isYear },
  );
  const points = made.data ?? [];
  const before = useMemo(
    () => (compares ? earlierValues(made.data ?? [], earlier.data ?? [], view) : []),
    [made.data, earlier.data, view, compares],
  );
  const drawn = useMemo(
    () => chartPoints(intl, made.data ?? [], view, { day, time }, before),
    [intl, made.data, view, day, time, before],
  );
  const both =
    isYear && (month.isPending || monthBefore.isPending)
      ? null
      : sumOfBoth(
          comparable(points, before, view, now),
          isYear
            ? comparable(
                month.data ?? [],
                earlierValues(month.data ?? [], monthBefore.data ?? [], 'MONTH_DAYS'),
                'MONTH_DAYS',
                now,
              )
            : null,
        );
  const runs = points.some((p) => stateOf(p, view, now) !== 'over'); // then the comparison ends before the drawn line does
  const total = sumOf(points);
  const best = points.findIndex((p) => p.record);
  const of = kind === 'SHARES_IN_PROJECT' ? 'participation' : undefined;
  const series: ChartSeries[] = [
    {
      key: 'made',
      label: intl.formatMessage({ id: 'production.made', defaultMessage: 'Production' }),
      kind: 'normal',
      look: 'steps',
    },
  ];
  if (before.some((value) => value !== null))
    series.push({
      key: 'earlier',
      label: intl.formatMessage({ id: 'production.then', defaultMessage: 'A year earlier' }),
      kind: 'compare',
      look: 'steps',
    });
  // 9-production-headline
  const small = total !== null && total > 0 && total < 10 ? 'participation' : undefined;
  const content = (
    <Stack gap={16}>
      {made.isPending ? (
        <Skeleton shape="number" />
      ) : (
        <Big
          unit={total === null ? undefined : 'kWh'}
          caption={
            <>
              {period}
              {both && (
                <>
                  {', '}
                  <Comparison
                    value={both.value}
                    then={both.earlier}
                    name={intl.formatMessage(
                      {
                        id: 'production.same',
                        defaultMessage:
                          '{span, select, DAY_HOURS {in the same hours a year earlier} MONTH_DAYS {on the same days a year earlier} WEEK4_WEEKS {in the same weeks a year earlier} running_DAY_HOURS {in the same full hours a year earlier} YEAR_MONTHS {in the same months a year earlier} running_WEEK4_WEEKS {in the same weeks a year earlier, up to and including yesterday} other {on the same days a year earlier, up to and including yesterday}}',
                      },
                      { span: runs ? `running_${view}` : view },
                    )}
                  />
                </>
              )}
            </>
          }
        >
          {total === null ? '–' : formatNumber(total, energyDecimals('kWh', small))}
        </Big>
      )}
      <PeriodChart
        label={`${title}, ${period}`}
        unit="kWh"
        detail={of}
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
                  { id: 'production.record', defaultMessage: 'Highest: {value} kWh' },
                  { value: formatNumber(points[best]?.rounded_value ?? 0, energyDecimals('kWh', of)) },
                ),
              }
        }
        loading={made.isFetching}
        error={made.isError && <NoData onRetry={() => void made.refetch()} retrying={made.isFetching} />}
        note={updated.data && <UpdatedAt at={updated.data.until} />}
      />
    </Stack>
  );
  if (folds && phone)
    return (
      <section>
        <Disclosure title={title} level={2} summary={total === null ? undefined : formatEnergy(total, 'kWh')}>
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

/** When the data was updated: with the time, or only the last complete day. */
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
