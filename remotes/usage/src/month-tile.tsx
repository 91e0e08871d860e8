import { Comparison, Sparkline } from '@wattle/charts/spark';
import type { SlotControls } from '@wattle/sdk';
import { Big, ErrorState, formatMonth, formatNumber, LinkButton, Skeleton, Stack } from '@wattle/ui';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Forecast } from './api';
import { energyUnit } from './connection.rules';
import { ConsentHint, LastReading, Quiet } from './last-reading';

// fetched after the first paint
const Hero = lazy(() => import(/* webpackChunkName: "hero" */ './hero'));
const LastMonth = lazy(() => import(/* webpackChunkName: "hero" */ './last-month'));
const Outlook = lazy(() => import(/* webpackChunkName: "hero" */ './outlook'));

/** This month on the dashboard: its cost so far and its expected cost (9-dashboard-hero), or its usage if the cost is unknown. */
export default function MonthTile({ hide, retitle }: SlotControls) {
  const forecast = api.useGet('/usage/forecast', {}, { empty: [404] });
  const waiting = <Skeleton shape="row" count={4} />;
  if (forecast.isPending) return waiting;
  const { data } = forecast;
  return data?.total ? (
    <Suspense fallback={waiting}>
      <Hero forecast={data} total={data.total} />
    </Suspense>
  ) : (
    <Month hide={hide} retitle={retitle} forecast={data ?? undefined} />
  );
}

/** This month compared with last year: a number, a sentence and a sparkline. */
function Month({ hide, retitle, forecast }: SlotControls & { forecast: Forecast | undefined }) {
  const intl = useIntl();
  const summary = api.useGet('/usage/summary', {}, { empty: [404] });
  const none = summary.isSuccess && summary.data?.consumption == null && !summary.data?.reading;
  useEffect(() => {
    if (none) hide();
  }, [none, hide]);
  if (summary.isPending || none) return <Skeleton shape="row" count={3} />;
  if (summary.isError) return <ErrorState compact onRetry={() => void summary.refetch()} retrying={summary.isFetching} />;
  const month = summary.data;
  if (!month || month.consumption === null) {
    // without an amount: what is known, then what the customer can do about it
    const below = (reading?: ReactNode) => (
      <Stack gap={12}>
        {(month?.consent_needed || reading) && (
          <p>
            {reading} {month?.consent_needed && <ConsentHint />}
          </p>
        )}
        <More />
      </Stack>
    );
    const reading = month?.reading ? (
      <OnlyReading retitle={retitle}>{below(<LastReading reading={month.reading} />)}</OnlyReading>
    ) : (
      below()
    );
    if (!forecast || forecast.connections.length === 0) return reading;
    return (
      <Suspense fallback={<Skeleton shape="row" count={3} />}>
        <LastMonth connections={forecast.connections} retitle={retitle} otherwise={reading}>
          {below()}
        </LastMonth>
      </Suspense>
    );
  }
  const unit = energyUnit(month.commodity);
  const name = formatMonth(month.month, intl.locale);
  const then = formatMonth(`${Number(month.month.slice(0, 4)) - 1}${month.month.slice(4)}`, intl.locale);
  return (
    <Wide>
      <Stack gap={12}>
        <Big
          unit={unit}
          caption={
            <FormattedMessage
              id="usage.month.sentence"
              defaultMessage="{what, select, GAS {Gas} other {Electricity}} in {month}{compared, select, no {} other {: {comparison}}}"
              values={{
                what: month.commodity,
                month: name,
                compared: month.same_days === null ? 'no' : 'yes',
                comparison: month.same_days !== null && (
                  <Comparison
                    key="comparison"
                    value={month.same_days}
                    then={month.same_month_last_year}
                    name={intl.formatMessage(
                      { id: 'usage.month.then', defaultMessage: 'on the same days of {month}' },
                      { month: then },
                    )}
                  />
                ),
              }}
            />
          }
        >
          {formatNumber(month.consumption)}
        </Big>
        {month.consent_needed && (
          <Quiet>
            <FormattedMessage id="usage.month.part" defaultMessage="Meters for which you gave no consent are not counted." />
          </Quiet>
        )}
        {forecast && (
          <Suspense fallback={null}>
            <Outlook forecast={forecast} commodity={month.commodity} />
          </Suspense>
        )}
        <More />
      </Stack>
      <Sparkline
        values={month.days}
        label={intl.formatMessage({ id: 'usage.month.line', defaultMessage: 'Usage per day in {month}' }, { month: name })}
      />
    </Wide>
  );
}

/** The last meter reading, under a title that does not refer to this month, of which nothing is known (9-usage-last-reading). */
function OnlyReading({ retitle, children }: Pick<SlotControls, 'retitle'> & { children: ReactNode }) {
  const title = useIntl().formatMessage({ id: 'usage.latest.title', defaultMessage: 'Latest measurement' });
  useEffect(() => retitle?.(title), [retitle, title]);
  return children;
}

/** Side by side if there is space. */
const Wide = styled.div`display: grid; gap: 16px 32px; align-items: center; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr));`;

const More = () => (
  <div>
    <LinkButton href="/usage" small icon="chart">
      <FormattedMessage id="usage.more" defaultMessage="See your usage" />
    </LinkButton>
  </div>
);
