import { addDays, PeriodChart, periodName, periodOf } from '@wattle/charts';
import { useToday } from '@wattle/sdk';
import { Big, EmptyState, ErrorState, formatMoney, Skeleton } from '@wattle/ui';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Connection, type ConnectionCost } from './api';
import { amountsOf, centsOf, costDays, isUnfinished, sumOf } from './cost.rules';
import { CostRows } from './cost-rows';
import { CostUnknown, daysText } from './cost-unknown';
import { chartPoints } from './points';
import type { Selection } from './selection';
import { commodityName } from './texts';
import { Block, clamp, Title, unitName } from './usage-panel';

export interface CostPanelsProps {
  connections: readonly Connection[];
  shown: Selection;
  /** Whether daily values of a connection may be shown. Without them there is the cost of the last complete month. */
  hasDays(connection: Connection): boolean;
  min: string;
  max: string;
}

/** The cost of connections in a period: the sum of several, then each with its chart and what it consists of. */
export default function CostPanels({ connections, shown, hasDays, min, max }: CostPanelsProps) {
  const intl = useIntl();
  const { span, unit } = shown;
  const period = periodOf(span, clamp(shown.day, min, max), min, max);
  const latest = api.useGet('/usage/latest');
  const alike = (c: Connection) => connections.filter((other) => other.commodity === c.commodity).length > 1;
  const days = (c: Connection) =>
    costDays(
      period,
      latest.data?.find((l) => l.ean_code === c.ean_code),
    );
  return latest.isPending ? (
    <Skeleton shape="chart" />
  ) : latest.isError ? (
    <ErrorState compact onRetry={() => void latest.refetch()} retrying={latest.isFetching} />
  ) : (
    <>
      {connections.length > 1 && (
        <Sum
          connections={connections}
          rest={connections.map((connection) => ({
            connection,
            asked: hasDays(connection) ? { unit, days: days(connection) } : 'month',
          }))}
          period={period}
          name={periodName(span, period, intl.locale)}
        />
      )}
      {connections.map((c) => (
        <CostPanel
          key={c.ean_code}
          connection={c}
          shown={shown}
          period={period}
          asked={hasDays(c) ? { unit, days: days(c) } : 'month'}
          showEan={alike(c)}
          part={connections.length > 1}
          end={addDays(max, 1)}
        />
      ))}
    </>
  );
}

/** The days whose cost is asked for, none when nothing was measured in the period; or the last complete month. */
type Asked = { unit: Selection['unit']; days: { from: string; to: string } | undefined } | 'month';

function useCost(connection: Connection, asked: Asked) {
  const query = asked === 'month' ? {} : { unit: asked.unit, ...asked.days };
  return api.useGet(
    '/usage/{ean}/cost',
    { path: { ean: connection.ean_code }, query },
    { enabled: asked === 'month' || asked.days !== undefined },
  );
}

interface SumProps {
  /** Costs of the connections before these. */
  costs?: readonly (ConnectionCost | undefined)[];
  rest: readonly { connection: Connection; asked: Asked }[];
  connections: readonly Connection[];
  period: { from: string; to: string };
  name: string;
}

/** What all connections cost together; nothing while one of them is not known. It takes one connection at a time, as a hook cannot loop. */
function Sum({ costs = [], rest, connections, period, name }: SumProps) {
  const intl = useIntl();
  const [next, ...others] = rest as [SumProps['rest'][number], ...SumProps['rest']];
  const { data } = useCost(next.connection, next.asked);
  const all = [...costs, data];
  if (others.length > 0) return <Sum costs={all} rest={others} connections={connections} period={period} name={name} />;
  const sum = sumOf(all);
  if (!sum) return null;
  const kinds = [...new Set(connections.map((c) => commodityName(intl, c.commodity).toLowerCase()))];
  return (
    <section aria-label={intl.formatMessage({ id: 'usage.cost.sum', defaultMessage: 'Cost of everything together' })}>
      <Big
        caption={
          <FormattedMessage
            id="usage.cost.together"
            defaultMessage="{what} together, {days}"
            values={{ days: coveredDays(intl, sum, period, name), what: intl.formatList(kinds) }}
          />
        }
      >
        {formatMoney(sum.cents)}
      </Big>
    </section>
  );
}

interface CostPanelProps {
  connection: Connection;
  shown: Selection;
  period: { from: string; to: string };
  asked: Asked;
  showEan: boolean;
  /** The sum of several stands above it. */
  part: boolean;
  /** Day after the last one that can have data. */
  end: string;
}

/** One connection: what it costs, the chart, and the rows that explain the amount. */
function CostPanel({ connection, shown, period, asked, showEan, part, end }: CostPanelProps) {
  const intl = useIntl();
  const today = useToday();
  const { commodity, ean_code: ean } = connection;
  const { span, unit } = shown;
  const byDay = asked !== 'month';
  const cost = useCost(connection, asked);
  const series = api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit, ...period } }, { enabled: byDay });
  const name = commodityName(intl, commodity);
  const shownPeriod = byDay || !cost.data ? period : { from: cost.data.from, to: cost.data.to };
  const nameOfPeriod = periodName(byDay ? span : 'month', shownPeriod, intl.locale);
  const label = intl.formatMessage(
    { id: 'usage.cost.chart', defaultMessage: 'Cost of {what}, {period}' },
    { what: name.toLowerCase(), period: nameOfPeriod },
  );
  const nothing = byDay && asked.days === undefined;
  // meter readings may have completed what the meter did not send
  const measured = (series.data?.points ?? []).map((p) => ({ ...p, partial: false }));
  const amounts = amountsOf(measured, cost.data?.bars ?? []);
  const points = chartPoints(intl, measured, [], {
    span,
    unit,
    view: 'usage',
    from: today,
    registers: [],
  }).map((point, at) => {
    const amount = amounts[at];
    return {
      ...point,
      values: { cost: amount ?? null },
      missing: amount === null,
      upcoming: amount === undefined,
      unfinished:
        byDay &&
        amount !== null &&
        isUnfinished(unit, measured[at]?.day, asked.days?.to ?? '', period.to < end ? period.to : end),
    };
  });
  // without any amount the reasons say all
  const drawn = byDay && (cost.isFetching || cost.data?.total !== null || points.some((p) => p.values.cost !== null));
  const whole = cost.data?.bars.every((bar) => bar.amount !== null) ?? false;
  return (
    <Block aria-label={label}>
      <Amount data-part={part || undefined}>
        <Title>
          {name}
          {showEan && <small> EAN {ean}</small>}
        </Title>
        {cost.isPending && !nothing ? (
          <Skeleton shape="number" />
        ) : (
          cost.data &&
          cost.data.total !== null && (
            <Big
              caption={
                <Caption>
                  {coveredDays(intl, cost.data, shownPeriod, nameOfPeriod)}
                  {cost.data.total < 0 && (
                    <>
                      {': '}
                      <FormattedMessage id="usage.cost.credit" defaultMessage="you get this back" />
                    </>
                  )}
                </Caption>
              }
            >
              {formatMoney(centsOf(cost.data.total))}
            </Big>
          )
        )}
      </Amount>
      {nothing ? (
        <EmptyState
          title={
            <FormattedMessage
              id="usage.cost.none"
              defaultMessage="The cost of {period} is not known yet"
              values={{ period: nameOfPeriod }}
            />
          }
        >
          <FormattedMessage
            id="usage.cost.none_text"
            defaultMessage="We calculate it as soon as we have measurements of these days."
          />
        </EmptyState>
      ) : cost.isError ? (
        <ErrorState compact onRetry={() => void cost.refetch()} retrying={cost.isFetching} />
      ) : (
        cost.data && (
          <>
            {cost.data.total === null && (
              <CostUnknown unknown={cost.data.unknown} what={label} commodity={commodity} bars={drawn} />
            )}
            {drawn && (
              <PeriodChart
                label={label}
                unit="€"
                format={(euros) => formatMoney(centsOf(euros))}
                first={unitName(intl, unit)}
                series={[
                  {
                    key: 'cost',
                    label: intl.formatMessage({ id: 'usage.cost.series', defaultMessage: 'Cost' }),
                    kind: commodity === 'GAS' ? 'gas' : 'normal',
                  },
                ]}
                points={points}
                total={whole}
                gap={intl.formatMessage({ id: 'usage.cost.gap', defaultMessage: 'cost not known' })}
                loading={series.isFetching || cost.isFetching}
                error={
                  series.isError ? (
                    <ErrorState compact onRetry={() => void series.refetch()} retrying={series.isFetching} />
                  ) : undefined
                }
              />
            )}
            {cost.data.total !== null && <CostRows cost={cost.data} commodity={commodity} label={label} />}
          </>
        )
      )}
    </Block>
  );
}

/** Returns the name of the period, or the days of it that were counted. */
const coveredDays = (
  intl: IntlShape,
  counted: { from: string; to: string },
  period: { from: string; to: string },
  name: string,
): string => (counted.from <= period.from && counted.to >= period.to ? name : daysText(intl, counted.from, counted.to));

/** One of several is smaller than their sum. */
const Amount = styled.div`&[data-part] > div > p:first-child { font-size: 28px; }`;
const Caption = styled.span`color: var(--w-text);`;
