import { addDays, Comparison, PeriodChart, periodName, periodOf } from '@wattle/charts';
import { useToday } from '@wattle/sdk';
import { Accordion, Big, EmptyState, ErrorState, formatEnergy, formatEuros, formatMoney, Skeleton, Small } from '@wattle/ui';
import type { ReactNode } from 'react';
import { FormattedMessage, type IntlShape, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Connection, type Forecast } from './api';
import { energyUnit } from './connection.rules';
import { barsOf, costDays, daysBefore, estimatedPart, isUnfinished, type KnownCost, knownCost, sumOf } from './cost.rules';
import { CostRows } from './cost-rows';
import { CostEstimated, CostUnknown, daysText, PastGaps } from './cost-unknown';
import { Edges, Folded } from './folded';
import { centsOf } from './money';
import { chartPoints } from './points';
import { markOf } from './quantity';
import type { Selection } from './selection';
import { amountOf, gapsOf, isRunning, pairWithLastYear } from './series.rules';
import { commodityName } from './texts';
import { Block, Caption, clamp, Marked, Row, soFar, Title, unitName } from './usage-panel';
import { Lifted, lifted, Waiting, WaitingChart } from './waiting';

// for other files to fetch with this one
export { PastGaps } from './cost-unknown';
export { ManyPanels } from './many-panels';

export interface CostPanelsProps {
  connections: readonly Connection[];
  shown: Selection;
  /** Returns whether daily values of a connection may be shown. Without them, the cost of the last complete month is shown. */
  hasDays(connection: Connection): boolean;
  min: string;
  max: string;
}

/**
 * The cost of connections in a period: the total with a comparison, then each connection with its chart and the composition of its
 * cost.
 */
export default function CostPanels({ connections, shown, hasDays, min, max }: CostPanelsProps) {
  const intl = useIntl();
  const today = useToday();
  const { span, unit } = shown;
  const period = periodOf(span, clamp(shown.day, min, max), min, max);
  const running = isRunning(span, period, today, max) ? today : undefined;
  const latest = api.useGet('/usage/latest');
  // the current month has a forecast
  const isMonth = span === 'month' && today.startsWith(period.from.slice(0, 7));
  const forecast = api.useGet('/usage/forecast', {}, { enabled: isMonth, empty: [404] });
  const mark = (c: Connection) => markOf(c, connections);
  const asked = (c: Connection): Asked =>
    hasDays(c)
      ? {
          unit,
          days: costDays(
            period,
            latest.data?.find((l) => l.ean_code === c.ean_code),
          ),
        }
      : 'month';
  // the forecast applies only if it covers no other connections than these
  const expected =
    isMonth && forecast.data?.connections.every((f) => connections.some((c) => c.ean_code === f.ean_code))
      ? forecast.data.total
      : undefined;
  return latest.isPending || (isMonth && forecast.isPending) ? (
    <Waiting charts={Math.min(2, connections.length)} />
  ) : latest.isError ? (
    <ErrorState compact onRetry={() => void latest.refetch()} retrying={latest.isFetching} />
  ) : (
    <Costs rest={connections.map((connection) => ({ connection, asked: asked(connection) }))} shown={shown} period={period}>
      {(parts) => {
        const name = periodName(span, period, intl.locale);
        const folded = parts.length > 2;
        const panels = parts.map(({ connection, past, ...part }) => (
          <CostPanel
            key={connection.ean_code}
            connection={connection}
            shown={shown}
            period={period}
            running={running}
            asked={part.asked}
            min={min}
            mark={mark(connection)}
            alone={parts.length === 1}
            folded={folded}
            summed={parts.length > 1 && (part.isLoading || sumOf(parts.map((p) => p.cost)) !== undefined)}
            comparison={parts.length === 1 && part.cost && <Change span={span} now={part.cost} past={past} period={period} />}
            expected={parts.length === 1 ? expected : undefined}
            end={addDays(max, 1)}
          />
        ));
        return (
          <>
            {parts.length > 1 && (
              <Sum parts={parts} mark={mark} span={span} period={period} running={running} name={name} expected={expected} />
            )}
            {folded ? (
              <Edges>
                <Accordion>
                  {parts.map(({ connection: c, cost }, place) => (
                    <Folded
                      key={c.ean_code}
                      level={3}
                      defaultOpen={place === 0}
                      title={<Marked name={commodityName(intl, c.commodity)} mark={mark(c)} />}
                      summary={cost ? formatMoney(centsOf(cost.total)) : '–'}
                    >
                      {panels[place]}
                    </Folded>
                  ))}
                </Accordion>
              </Edges>
            ) : (
              panels
            )}
          </>
        );
      }}
    </Costs>
  );
}

/** The days to request the cost of (none if nothing was measured in the period), or the last complete month. */
type Asked = { unit: Selection['unit']; days: { from: string; to: string } | undefined } | 'month';

function useCost(connection: Connection, asked: Asked) {
  const query = asked === 'month' ? {} : { unit: asked.unit, ...asked.days };
  return api.useGet(
    '/usage/{ean}/cost',
    { path: { ean: connection.ean_code }, query },
    { enabled: asked === 'month' || asked.days !== undefined },
  );
}

/** The cost of a connection, its measurements, and the cost of the same days a year earlier. */
interface Part {
  connection: Connection;
  asked: Asked;
  isLoading: boolean;
  cost: KnownCost | undefined;
  used: number | null | undefined;
  /** undefined if unknown; null while it is loading. */
  past: KnownCost | undefined | null;
}

/** Reads a connection's usage in the period, as shown in kWh and m³ on this page. */
function useUsed({ ean_code: ean }: Connection, unit: Selection['unit'], period: { from: string; to: string }, enabled: boolean) {
  return api.useGet('/usage/{ean}/series', { path: { ean }, query: { unit, ...period } }, { enabled });
}

interface CostsProps {
  /** Costs of the connections before these. */
  before?: readonly Part[];
  rest: readonly { connection: Connection; asked: Asked }[];
  shown: Selection;
  period: { from: string; to: string };
  children(parts: readonly Part[]): ReactNode;
}

/**
 * Reads the costs of all connections, and renders them. It handles one connection at a time, because a hook cannot be called in a
 * loop.
 */
function Costs({ before = [], rest, shown, period, children }: CostsProps): ReactNode {
  const [next, ...others] = rest as [CostsProps['rest'][number], ...CostsProps['rest']];
  const { connection, asked } = next;
  const { span, unit } = shown;
  const { data, isLoading } = useCost(connection, asked);
  const series = useUsed(connection, unit, period, asked !== 'month');
  const days = data && asked !== 'month' && asked.days ? daysBefore(span, asked.days) : undefined;
  const path = { ean: connection.ean_code };
  const past = api.useGet('/usage/{ean}/cost', { path, query: { ...days } }, { enabled: days !== undefined });
  const isWhole = past.data?.from === days?.from && past.data?.to === days?.to; // a cost is limited to its supply period
  const parts = [
    ...before,
    {
      connection,
      asked,
      isLoading,
      cost: data && knownCost(data),
      used: series.data && amountOf(series.data.total, 'usage'),
      past: past.isLoading ? null : isWhole && past.data ? knownCost(past.data) : undefined,
    },
  ];
  return others.length > 0 ? (
    <Costs before={parts} rest={others} shown={shown} period={period}>
      {children}
    </Costs>
  ) : (
    children(parts)
  );
}

interface SumProps {
  parts: readonly Part[];
  mark(connection: Connection): string | undefined;
  span: Selection['span'];
  period: { from: string; to: string };
  running: Running;
  name: string;
  expected: Forecast['total'] | undefined;
}

/** The total cost of all connections, and the cost of each; nothing if one of them is unknown. */
function Sum({ parts, mark, span, period, running, name, expected }: SumProps) {
  const intl = useIntl();
  if (parts.some((p) => p.isLoading))
    return (
      <Lifted $of="sum">
        <Skeleton shape="number" />
        <Skeleton count={2} />
      </Lifted>
    );
  const sum = sumOf(parts.map((p) => p.cost));
  if (!sum) return null;
  const past = parts.some((p) => p.past === null) ? null : sumOf(parts.map((p) => p.past ?? undefined));
  return (
    <Together aria-label={intl.formatMessage({ id: 'usage.cost.sum', defaultMessage: 'Cost of everything together' })}>
      <Big
        caption={
          <Caption>
            <Estimated {...sum} />
            {coveredDays(intl, sum, period, name, running)}
            <Change
              span={span}
              now={{ ...sum, total: sum.cents / 100 }}
              past={past && { ...past, total: past.cents / 100 }}
              period={period}
            />
            <Expected expected={expected} />
          </Caption>
        }
      >
        {formatMoney(sum.cents)}
      </Big>
      <CostList>
        {parts.map(({ connection: c, asked, cost, used }) => (
          <li key={c.ean_code}>
            <span>
              <Marked name={commodityName(intl, c.commodity)} mark={mark(c)} />
              {used !== null && asked !== 'month' && (
                <Small as="span">
                  {used === undefined ? (
                    '\u00a0' // reserves its line
                  ) : cost?.estimated ? (
                    <Measured used={used} added={cost.added} of={c} />
                  ) : (
                    formatEnergy(used, energyUnit(c.commodity))
                  )}
                </Small>
              )}
            </span>
            <strong>{formatMoney(centsOf(cost?.total ?? 0))}</strong>
          </li>
        ))}
      </CostList>
    </Together>
  );
}

/**
 * The measured amount, if the cost covers more than that or stands alone; and the estimated amount, if it is visible in the rounded
 * numbers.
 */
function Measured({ used, added = 0, of }: { used: number; added: number | undefined; of: Connection }) {
  const unit = energyUnit(of.commodity);
  return (
    <FormattedMessage
      id="usage.cost.measured"
      defaultMessage="{amount} measured{more, select, yes {, {added} estimated} other {}}"
      values={{
        amount: formatEnergy(used, unit),
        more: formatEnergy(used + added, unit) === formatEnergy(used, unit) ? 'no' : 'yes',
        added: formatEnergy(added, unit),
      }}
    />
  );
}

interface ChangeProps {
  span: Selection['span'];
  now: KnownCost;
  past: Part['past'];
  period: { from: string; to: string };
}

/** That a cost, or a part of it, is estimated, before its days. */
const Estimated = ({ estimated }: Pick<KnownCost, 'estimated'>) => (
  <FormattedMessage
    id="usage.cost.estimated"
    defaultMessage="{estimated, select, all {estimated, } partly {partly estimated, } other {}}"
    values={{ estimated }}
  />
);

/** `8% less than 1 to 19 November 2025`; nothing if one of the costs is unknown. */
function Change({ span, now, past, period }: ChangeProps) {
  const intl = useIntl();
  const before = daysBefore(span, period);
  if (past === null) return <Row>&nbsp;</Row>; // reserves the line, so that nothing moves later
  if (!past || !before || now.total <= 0 || past.total <= 0) return null;
  const name = coveredDays(intl, past, before, periodName(span, before, intl.locale));
  return (
    <Row>
      <Comparison value={now.total} then={past.total} name={name} />
    </Row>
  );
}

/** The expected cost of the whole month, as on the dashboard. */
const Expected = ({ expected }: { expected: Forecast['total'] | undefined }) =>
  expected && (
    <small>
      <FormattedMessage
        id="usage.cost.expected"
        defaultMessage="Expected for the whole month: {amount}"
        values={{ amount: formatEuros(expected.expected) }}
      />
    </small>
  );

interface CostPanelProps {
  connection: Connection;
  shown: Selection;
  period: { from: string; to: string };
  running: Running;
  asked: Asked;
  /** First day that can have data. */
  min: string;
  mark: string | undefined;
  alone: boolean;
  /** Its name is in the heading that opens it. */
  folded: boolean;
  /** Its amount is shown above, with those of the other connections. */
  summed: boolean;
  comparison: ReactNode;
  expected: Forecast['total'] | undefined;
  /** The day after the last one that can have data. */
  end: string;
}

/** A connection: its cost, the chart, and the rows that explain the amount. */
function CostPanel(props: CostPanelProps) {
  const { connection, shown, period, running, asked, min, mark, alone, folded, summed, comparison, expected, end } = props;
  const intl = useIntl();
  const today = useToday();
  const { commodity, ean_code: ean } = connection;
  const { span, unit } = shown;
  const byDay = asked !== 'month';
  const cost = useCost(connection, asked);
  const series = useUsed(connection, unit, period, byDay);
  const before = byDay && asked.days ? daysBefore(span, period) : undefined;
  const past = api.useGet(
    '/usage/{ean}/cost',
    { path: { ean }, query: { unit, ...before } },
    { enabled: before !== undefined, empty: [404] },
  );
  const known = cost.data && knownCost(cost.data);
  const used = series.data && amountOf(series.data.total, 'usage');
  const name = commodityName(intl, commodity);
  const shownPeriod = byDay || !cost.data ? period : { from: cost.data.from, to: cost.data.to };
  const nameOfPeriod = periodName(byDay ? span : 'month', shownPeriod, intl.locale);
  const label = intl.formatMessage(
    { id: 'usage.cost.chart', defaultMessage: 'Cost of {what}, {period}' },
    { what: name.toLowerCase(), period: nameOfPeriod },
  );
  const nothing = byDay && asked.days === undefined;
  // meter readings may have completed measurements that the meter did not send
  const measured = (series.data?.points ?? []).map((p) => ({ ...p, partial: false }));
  const bars = cost.data ? barsOf(measured, cost.data) : [];
  const pasts = pairWithLastYear(measured, past.data?.bars ?? [], span, unit);
  const hasPast = pasts.some((bar) => bar && bar.amount !== null);
  const pastGaps = hasPast
    ? gapsOf(
        (past.data?.bars ?? []).map((bar) => ({ ...bar, missing: bar.amount === null })),
        unit,
        min,
      )
    : [];
  const part = estimatedPart(
    bars,
    measured.map((p) => p.consumption),
    cost.data?.estimate?.added,
  );
  const points = chartPoints(intl, measured, [], {
    span,
    unit,
    view: 'usage',
    from: today,
    registers: [],
  }).map((point, at) => {
    const { amount, estimated } = bars[at] ?? {};
    return {
      ...point,
      values: { cost: amount ?? null, past: pasts[at]?.amount ?? null },
      missing: amount === null,
      upcoming: amount === undefined,
      estimated: estimated && part,
      unfinished:
        byDay &&
        amount !== null &&
        isUnfinished(unit, measured[at]?.day, asked.days?.to ?? '', period.to < end ? period.to : end),
    };
  });
  // if there are no amounts at all, the reasons suffice
  const drawn =
    byDay && (cost.isFetching || series.isPending || cost.data?.total !== null || points.some((p) => p.values.cost !== null));
  return (
    <Block aria-label={label} $alone={alone && 'cost'}>
      <div>
        {!folded && (
          <Title>
            <Marked name={name} mark={mark} />
          </Title>
        )}
        {summed ? null : cost.isPending && !nothing ? (
          <Skeleton shape="number" />
        ) : (
          known && (
            <Big
              caption={
                <Caption>
                  <Estimated {...known} />
                  {coveredDays(intl, known, shownPeriod, nameOfPeriod, running)}
                  {known.total < 0 && (
                    <>
                      {': '}
                      <FormattedMessage id="usage.cost.credit" defaultMessage="you get this back" />
                    </>
                  )}
                  {comparison}
                  <Expected expected={expected} />
                  {used != null && (
                    <small>
                      <Measured used={used} added={known.added} of={connection} />
                    </small>
                  )}
                </Caption>
              }
            >
              {formatMoney(centsOf(known.total))}
            </Big>
          )
        )}
      </div>
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
        byDay ? (
          <WaitingChart />
        ) : (
          <Skeleton shape="chart" />
        )
      ) : (
        <>
          {cost.data.total === null && !known && (
            <CostUnknown unknown={cost.data.unknown} what={label} commodity={commodity} bars={drawn} />
          )}
          {cost.data.estimate && !drawn && (
            <Small>
              <CostEstimated days={cost.data.estimate.days} />
            </Small>
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
                ...(before && hasPast
                  ? [{ key: 'past', label: periodName(span, before, intl.locale), kind: 'compare' } as const]
                  : []),
              ]}
              points={points}
              note={
                <>
                  {cost.data.estimate && <CostEstimated days={cost.data.estimate.days} />} <PastGaps cost days={pastGaps} />
                </>
              }
              total={points.every((p) => p.upcoming || !p.missing)}
              gap={
                cost.data.estimate // hours have no estimates
                  ? intl.formatMessage({ id: 'usage.cost.gap_estimated', defaultMessage: 'not measured completely' })
                  : intl.formatMessage({ id: 'usage.cost.gap', defaultMessage: 'cost not known' })
              }
              loading={series.isFetching || cost.isFetching}
              error={
                series.isError ? (
                  <ErrorState compact onRetry={() => void series.refetch()} retrying={series.isFetching} />
                ) : undefined
              }
            />
          )}
          {known &&
            !(byDay && series.isPending) && ( // together with the chart, which would push the rows down
              <Edges>
                <CostRows
                  rows={cost.data.estimate?.rows ?? cost.data.rows}
                  total={known.total}
                  estimated={Boolean(known.estimated)}
                  commodity={commodity}
                  label={label}
                />
              </Edges>
            )}
        </>
      )}
    </Block>
  );
}

/** Today if the period is a month or a year that is still running. */
type Running = string | undefined;

/** Returns the name of the period, as so far if all of it up to yesterday was counted (9-usage-so-far), or the days that were. */
const coveredDays = (
  intl: IntlShape,
  counted: { from: string; to: string },
  period: { from: string; to: string },
  name: string,
  running?: Running,
): string =>
  counted.from > period.from || counted.to < (running ?? period.to)
    ? daysText(intl, counted.from, counted.to)
    : running && counted.to < period.to
      ? soFar(intl, name)
      : name;

/** Above the controls, with its parts side by side if there is space. On a phone what is used has a line, so that nothing moves later. */
const Together = styled.section`${lifted.sum} order: -1; display: grid; gap: 8px 48px; align-items: center; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr));`;
const CostList = styled.ul`
  list-style: none; display: grid;
  li { padding: 8px 0; display: flex; justify-content: space-between; align-items: baseline; gap: 16px; font-variant-numeric: tabular-nums; }
  span > span { margin-inline-start: 12px; }
  @media (max-width: 767px) { span > span { display: block; margin: 0; } }
  li + li { border-top: 1px solid var(--w-line); } strong { font-weight: 600; }
`;
