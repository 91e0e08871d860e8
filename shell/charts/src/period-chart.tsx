import { Button, EmptyState, Skeleton, VisuallyHidden } from '@wattle/ui';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { lazily } from './lazily';
import { Legend } from './legend';
import { isLong, rangeHeight } from './long';
import { type Extra, isLine, isSteps, withComparison } from './look';
import { useNear } from './near';
import { isFeedInBelow } from './stack';
import { summaryText } from './summary';
import type { ChartPoint, ChartRecord, ChartSeries, ChartTarget, ValueFormat } from './types';
import { formatterOf, isGap } from './write';

const plot = () => import(/* webpackChunkName: "plot" */ './plot');
const Plot = lazily(plot);
export const ChartTable = lazily(() => import(/* webpackChunkName: "chart-table" */ './chart-table'));

export interface PeriodChartProps extends ValueFormat {
  /** Accessible name of the chart: `Verbruik in november 2026`. */
  label: string;
  /** The series to show, each with a name and a kind. */
  series: readonly ChartSeries[];
  /** A point for every period, in chronological order, including periods without data. */
  points: readonly ChartPoint[];
  /** Heading of the first column of the table: `Dag`, `Uur`. */
  first: string;
  /** Marks the highest value with a dot and a text; by default nothing is marked. */
  record?: ChartRecord | undefined;
  /** A horizontal line at a target or agreed amount; by default there is none. */
  target?: ChartTarget | undefined;
  /** Name of the forecast in legend, card and table (default "Verwacht"). */
  expected?: string | undefined;
  /** Height of the drawing in pixels (default 300); reserved while it loads. */
  height?: number | undefined;
  /** Shows a skeleton of the same height as the drawing; by default false. */
  loading?: boolean | undefined;
  /** Replaces the drawing, e.g. an ErrorState. */
  error?: ReactNode;
  /** Replaces the drawing when no point has data; by default a message that there is no data in this period. */
  empty?: ReactNode;
  /** Replaces the text "geen gegevens" (no data). */
  gap?: string | undefined;
  /** Text below the drawing, next to the table button or below it, e.g. when the data was last updated. */
  note?: ReactNode;
  /** Shows the button "Toon als tabel" (show as table), which opens the table (default true). */
  table?: boolean | undefined;
  /** Adds a row with totals at the end of the table (default true). */
  total?: boolean | undefined;
}

/**
 * A chart of amounts per period, with legend, drawing and table. Its height is fixed before the data has loaded. The code of the
 * drawing is fetched when the chart comes near the viewport.
 */
export function PeriodChart(props: PeriodChartProps) {
  const {
    label,
    series: asked,
    points: given,
    first,
    record,
    target,
    expected,
    height = 300,
    loading,
    error,
    empty,
    note,
    table = true,
    total,
    ...writing
  } = props;
  const intl = useIntl();
  const id = useId();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [asTable, setAsTable] = useState(false);
  const room = useRef<HTMLDivElement>(null);
  const near = useNear(room);
  const series = useMemo(() => withComparison(asked), [asked]);
  useEffect(() => {
    if (near) plot().catch(() => undefined); // in parallel with the data; the drawing itself shows a failure
  }, [near]);
  // buttons respond immediately, the drawing follows as soon as possible
  const notDrawn = useDeferredValue(hidden);
  const hasTable = useLingering(asTable);
  const visible = useMemo(() => series.filter((s) => !notDrawn.includes(s.key)), [series, notDrawn]);
  const gap = writing.gap ?? intl.formatMessage({ id: 'charts.gap', defaultMessage: 'no data' });
  // A point is a gap if no series has a value, including hidden series.
  const points = useMemo(() => given.map((point) => ({ ...point, missing: isGap(point, series) })), [given, series]);
  const nothing = points.every((point) => point.upcoming || point.missing);
  const waiting = <Skeleton shape="chart" label={label} />;
  const { unit, detail, format } = writing;
  const texts = useMemo(
    () => ({
      write: formatterOf({ unit, detail, format }, points, series),
      gap,
      later: intl.formatMessage({ id: 'charts.later', defaultMessage: 'not known yet' }),
      total: intl.formatMessage({ id: 'charts.total', defaultMessage: 'Total' }),
      expected: expected ?? intl.formatMessage({ id: 'charts.expected', defaultMessage: 'Expected' }),
    }),
    [unit, detail, format, points, series, gap, expected, intl],
  );
  const summary = useMemo(() => summaryText(intl, points, visible, texts), [intl, points, visible, texts]);
  const extras: [Extra, string][] = [];
  const measures = !nothing && visible.some((s) => s.kind !== 'compare');
  if (measures && points.some((point) => point.estimated))
    extras.push(['estimated', intl.formatMessage({ id: 'charts.estimated', defaultMessage: 'estimated' })]);
  if (measures && points.some((point) => point.unfinished))
    extras.push([
      series.every((s) => isLine(s) && !isSteps(s)) ? 'unfinished-line' : 'unfinished',
      intl.formatMessage({ id: 'charts.unfinished', defaultMessage: 'so far' }),
    ]);
  if (!nothing && points.some((point) => point.expected)) extras.push(['expected', texts.expected]);
  if (!nothing && target) extras.push(['target', target.label]);
  if (!nothing && points.some((point) => point.missing)) extras.push(['gap', gap]);
  const toggle = (key: string) => setHidden(hidden.includes(key) ? hidden.filter((k) => k !== key) : [...hidden, key]);

  const drawing = () => {
    if (error) return <Middle>{error}</Middle>;
    if (loading && points.length === 0) return waiting;
    if (nothing)
      return (
        <Middle>
          {empty ?? (
            <EmptyState title={intl.formatMessage({ id: 'charts.empty', defaultMessage: 'There is no data for this period' })}>
              {intl.formatMessage({ id: 'charts.empty_text', defaultMessage: 'Choose another period, or come back later.' })}
            </EmptyState>
          )}
        </Middle>
      );
    if (!near) return waiting;
    return (
      <Suspense fallback={waiting}>
        {summary && <VisuallyHidden id={`${id}-summary`}>{summary}</VisuallyHidden>}
        <Plot
          label={label}
          unit={unit}
          series={visible}
          points={points}
          feedInBelow={isFeedInBelow(series)}
          record={record}
          target={target}
          height={height}
          texts={texts}
          summary={summary && `${id}-summary`}
        />
      </Suspense>
    );
  };

  return (
    <Frame aria-busy={loading || undefined}>
      <Legend series={series} hidden={hidden} onToggle={toggle} extras={extras} />
      <Room
        ref={room}
        style={{ minHeight: height + (isLong(points) && !nothing ? rangeHeight : 0) }}
        data-stale={loading || undefined}
      >
        {drawing()}
      </Room>
      {(note || table) && (
        <Under>
          <span>{note}</span>
          {table && !nothing && !error && (
            <Button
              small
              variant="quiet"
              icon="table"
              aria-expanded={asTable}
              aria-controls={id}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable
                ? intl.formatMessage({ id: 'charts.table_hide', defaultMessage: 'Hide table' })
                : intl.formatMessage({ id: 'charts.table_show', defaultMessage: 'Show as table' })}
            </Button>
          )}
        </Under>
      )}
      {table && (
        <div id={id} hidden={!asTable}>
          {hasTable && !nothing && (
            <Suspense fallback={<Skeleton shape="row" count={3} />}>
              <ChartTable
                label={label}
                series={series}
                points={points}
                first={first}
                total={total}
                expected={expected}
                {...writing}
              />
            </Suspense>
          )}
        </div>
      )}
    </Frame>
  );
}

/** In milliseconds. */
const closeDelay = 500;

/** Returns `open`, but stays true for a moment after closing: removing a long table takes a while, so it is hidden first. */
function useLingering(open: boolean): boolean {
  const [lingers, setLingers] = useState(open);
  useEffect(() => {
    const timer = setTimeout(() => setLingers(open), open ? 0 : closeDelay);
    return () => clearTimeout(timer);
  }, [open]);
  return open || lingers;
}

const Frame = styled.div`
  display: flex; flex-direction: column; gap: 12px; min-width: 0;
  @media print { break-inside: avoid; }
`;
const Room = styled.div`position: relative; display: flex; flex-direction: column; > * { flex: none; } &[data-stale] { opacity: .55; transition: opacity 0s 150ms; }`;
const Middle = styled.div`flex: 1 0 auto; display: flex; flex-direction: column; justify-content: center; padding: 16px; border-radius: var(--w-radius-control); background: var(--w-tint);`;
/** The table button is in the same corner below every drawing, level with its edge; a note without room next to it is below it. */
const Under = styled.div`
  display: flex; flex-flow: row-reverse wrap; align-items: center; gap: 0 16px; min-height: 44px; margin-top: -8px; font-size: 14px; color: var(--w-text-quiet);
  > :first-child { flex: 1 1 min(240px, 100%); &:empty { display: none; } } > :last-child:not(:first-child) { order: -1; margin: 0 -12px 0 auto; }
  @media print { button { display: none; } }
`;
