import { addDays, PeriodChart, periodName, periodOf } from '@wattle/charts';
import { useToday } from '@wattle/sdk';
import { Big, EmptyState, ErrorState, formatEnergy, formatMoney, Skeleton, Small } from '@wattle/ui';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Connection, type ConnectionCost } from './api';
import { energyUnit } from './connection.rules';
import { amountsOf, centsOf, costDays, estimateOf, isUnfinished, type KnownCost, sumOf } from './cost.rules';
import { CostRows } from './cost-rows';
import { CostUnknown, daysText } from './cost-unknown';
import { chartPoints } from './points';
import type { Selection } from './selection';
import { amountOf } from './series.rules';
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
  const today = useToday();
  const { span, unit } = shown;
  const period = periodOf(span, clamp(shown.day, min, max), min, max);
  const latest = api.useGet('/usage/latest');
  // the current month has an estimate where it was not measured completely
  const isMonth = span === 'month' && today.startsWith(period.from.slice(0, 7));
  const forecast = api.useGet('/usage/forecast', {}, { enabled: isMonth, empty: [404] });
  const estimate = (c: Connection) =>
    isMonth && hasDays(c) && forecast.data ? estimateOf(forecast.data, c.ean_code) : undefined;
  const alike = (c: Connection) => connections.filter((other) => other.commodity === c.commodity).length > 1;
  const days = (c: Connection) =>
    costDays(
      period,
      latest.data?.find((l) => l.ean_code === c.ean_code),
    );
  return latest.isPending || (isMonth && forecast.isPending) ? (
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
            estimate: estimate(connection),
          }))}
          unit={unit}
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
          estimate={estimate(c)}
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

/** The cost of one connection, and what it measured. */
interface Part {
  connection: Connection;
  cost: KnownCost | undefined;
  used: number | null | undefined;
}

/** What a connection used in the period, as in kWh and m³ on this page. */
function useUsed({ ean_code: ean }: Connection, unit: Selection['unit'], period: { from: string; to: string }, enabled: boolean) {
  return api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit, ...period } }, { enabled });
}

interface SumProps {
  /** Costs of the connections before these. */
  before?: readonly Part[];
  rest: readonly { connection: Connection; asked: Asked; estimate: KnownCost | undefined }[];
  connections: readonly Connection[];
  unit: Selection['unit'];
  period: { from: string; to: string };
  name: string;
}

/** What all connections cost together, and each of them; nothing while one is not known. It takes one at a time, as a hook cannot loop. */
function Sum({ before = [], rest, connections, unit, period, name }: SumProps) {
  const intl = useIntl();
  const [next, ...others] = rest as [SumProps['rest'][number], ...SumProps['rest']];
  const { connection, asked, estimate } = next;
  const { data, isLoading } = useCost(connection, asked);
  const series = useUsed(connection, unit, period, asked !== 'month');
  const parts = [
    ...before,
    { connection, cost: knownCost(data, estimate), used: series.data && amountOf(series.data.total, 'usage') },
  ];
  if (isLoading) return <Skeleton shape="card" />;
  if (others.length > 0)
    return <Sum before={parts} rest={others} connections={connections} unit={unit} period={period} name={name} />;
  const sum = sumOf(parts.map((p) => p.cost));
  if (!sum) return null;
  const kinds = [...new Set(connections.map((c) => commodityName(intl, c.commodity).toLowerCase()))];
  return (
    <section aria-label={intl.formatMessage({ id: 'usage.cost.sum', defaultMessage: 'Cost of everything together' })}>
      <Big
        caption={
          <FormattedMessage
            id="usage.cost.together"
            defaultMessage="{about, select, true {estimated, } other {}}{what} together, {days}"
            values={{
              about: String(sum.estimated),
              days: coveredDays(intl, sum, period, name),
              what: intl.formatList(kinds),
            }}
          />
        }
      >
        {formatMoney(sum.cents)}
      </Big>
      <Fuels>
        {parts.map(({ connection: c, cost, used }) => (
          <li key={c.ean_code}>
            <span>
              {commodityName(intl, c.commodity)}
              {used != null && <Small as="span">{formatEnergy(used, energyUnit(c.commodity))}</Small>}
            </span>
            <strong>{formatMoney(centsOf(cost?.total ?? 0))}</strong>
          </li>
        ))}
      </Fuels>
    </section>
  );
}

/** Returns a cost if it is known, or else its estimate. */
const knownCost = (cost: ConnectionCost | undefined, estimate: KnownCost | undefined): KnownCost | undefined => {
  if (!cost) return undefined;
  const { from, to, total } = cost;
  return total === null ? estimate : { from, to, total, estimated: false };
};

interface CostPanelProps {
  connection: Connection;
  shown: Selection;
  period: { from: string; to: string };
  asked: Asked;
  showEan: boolean;
  /** The sum of several stands above it. */
  part: boolean;
  estimate: KnownCost | undefined;
  /** Day after the last one that can have data. */
  end: string;
}

/** One connection: what it costs, the chart, and the rows that explain the amount. */
function CostPanel({ connection, shown, period, asked, showEan, part, estimate, end }: CostPanelProps) {
  const intl = useIntl();
  const today = useToday();
  const { commodity, ean_code: ean } = connection;
  const { span, unit } = shown;
  const byDay = asked !== 'month';
  const cost = useCost(connection, asked);
  const series = useUsed(connection, unit, period, byDay);
  const known = knownCost(cost.data, estimate);
  const used = series.data && amountOf(series.data.total, 'usage');
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
          known && (
            <Big
              caption={
                <Caption>
                  {known.estimated && (
                    <>
                      <FormattedMessage id="usage.cost.estimated" defaultMessage="estimated" />
                      {', '}
                    </>
                  )}
                  {coveredDays(intl, known, shownPeriod, nameOfPeriod)}
                  {known.total < 0 && (
                    <>
                      {': '}
                      <FormattedMessage id="usage.cost.credit" defaultMessage="you get this back" />
                    </>
                  )}
                  {used != null && (
                    <small>
                      <FormattedMessage
                        id="usage.cost.measured"
                        defaultMessage="{amount} measured"
                        values={{ amount: formatEnergy(used, energyUnit(commodity)) }}
                      />
                    </small>
                  )}
                </Caption>
              }
            >
              {formatMoney(centsOf(known.total))}
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
      ) : !cost.data ? (
        <Skeleton shape="chart" />
      ) : (
        <>
          {cost.data.total === null && (
            <CostUnknown
              unknown={cost.data.unknown}
              what={label}
              commodity={commodity}
              bars={drawn}
              estimated={known !== undefined}
            />
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

const Fuels = styled.ul`
  list-style: none; display: grid; gap: 8px; margin-top: 16px; padding-top: 12px; border-top: 1px solid var(--w-line); max-width: 480px;
  li { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; font-variant-numeric: tabular-nums; }
  span > span { margin-inline-start: 12px; }
  strong { font-weight: 600; }
`;
/** One of several is smaller than their sum. */
const Amount = styled.div`&[data-part] > div > p:first-child { font-size: 28px; }`;
const Caption = styled.span`color: var(--w-text); small { display: block; font-size: 14px; color: var(--w-text-quiet); }`;
