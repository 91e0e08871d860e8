import { Comparison, Sparkline } from '@wattle/charts/spark';
import { Big, ErrorState, formatMonth, formatNumber, LinkButton, Skeleton, Stack } from '@wattle/ui';
import { FormattedMessage, useIntl } from 'react-intl';
import { api } from './api';
import { energyUnit } from './connection.rules';
import { ConsentHint, LastReading, Quiet } from './last-reading';

/** This month compared with last year, on the dashboard: a number, a sentence and a sparkline. */
export default function MonthTile({ hide: _ }: { hide(): void }) {
  const intl = useIntl();
  const summary = api.useGet('/usage/summary', {}, { empty: [404] });
  if (summary.isPending) return <Skeleton shape="row" count={3} />;
  if (summary.isError) return <ErrorState compact onRetry={() => void summary.refetch()} retrying={summary.isFetching} />;
  const month = summary.data;
  if (!month || month.consumption === null)
    return (
      <Stack gap={12}>
        {month?.reading ? (
          <LastReading reading={month.reading} />
        ) : (
          <p>
            <FormattedMessage id="usage.month.none" defaultMessage="No measurements of this month have come in yet." />
          </p>
        )}
        {month?.consent_needed && <ConsentHint />}
        <More />
      </Stack>
    );
  const unit = energyUnit(month.commodity);
  const name = formatMonth(month.month, intl.locale);
  const then = formatMonth(`${Number(month.month.slice(0, 4)) - 1}${month.month.slice(4)}`, intl.locale);
  return (
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
      <Sparkline
        values={month.days}
        label={intl.formatMessage({ id: 'usage.month.line', defaultMessage: 'Usage per day in {month}' }, { month: name })}
      />
      <More />
    </Stack>
  );
}

const More = () => (
  <div>
    <LinkButton href="/usage" small icon="chart">
      <FormattedMessage id="usage.more" defaultMessage="See your usage" />
    </LinkButton>
  </div>
);
