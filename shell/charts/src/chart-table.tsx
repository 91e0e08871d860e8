import { type Column, DataTable } from '@wattle/ui/table';
import { memo, startTransition, useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { writeExpected } from './card';
import type { ChartPoint, ChartSeries, ValueFormat } from './types';
import { formatterOf, isGap, nameOf, sum, valueIn } from './write';

export interface ChartTableProps extends ValueFormat {
  /** Accessible name of the table. */
  label: string;
  /** The columns with values. */
  series: readonly ChartSeries[];
  /** The rows: a point for every period, in chronological order. */
  points: readonly ChartPoint[];
  /** Heading of the first column: `Dag`, `Uur`. */
  first: string;
  /** Replaces the text "geen gegevens" (no data). */
  gap?: string | undefined;
  /** Adds a row with totals at the end (default true). */
  total?: boolean | undefined;
  /** Heading of the forecast column (default "Verwacht"). The column is shown if any point has a forecast. */
  expected?: string | undefined;
}

/** Number of rows that are rendered initially. The rest of a longer table follows, so that the page stays responsive. */
const initialRows = 400;

/** The data of a chart as a table: every period in order, with the repeated hour of a clock change twice. */
function ChartTable({ label, series, points, first, gap, total = true, expected, ...writing }: ChartTableProps) {
  const intl = useIntl();
  const write = formatterOf(writing, points, series, true);
  const none = gap ?? intl.formatMessage({ id: 'charts.gap', defaultMessage: 'no data' });
  const later = intl.formatMessage({ id: 'charts.later', defaultMessage: 'not known yet' });
  const sums = new Map(series.map((s) => [s.key, sum(points.map((p) => valueIn(p, s)))]));
  const rows: (ChartPoint | null)[] = total && points.length > 1 ? [...points, null] : [...points];
  const columns: Column<ChartPoint | null>[] = [
    {
      id: 'period',
      title: first,
      head: true,
      cell: (p) => (p ? nameOf(intl, p) : intl.formatMessage({ id: 'charts.total', defaultMessage: 'Total' })),
    },
    ...series.map((s, place) => ({
      id: s.key,
      title: writing.format ? (
        s.label
      ) : (
        <>
          {s.label} <Unit>{writing.unit}</Unit>
        </>
      ),
      align: 'end' as const,
      cell: (p: ChartPoint | null) => {
        const value = p ? valueIn(p, s) : (sums.get(s.key) ?? null);
        if (value !== null) return write(value);
        // show the gap text once per row
        if (place > 0 || !p) return '–';
        return p.upcoming ? later : isGap(p, series) ? none : '–';
      },
    })),
  ];
  if (points.some((p) => p.expected))
    columns.push({
      id: 'expected',
      title: expected ?? intl.formatMessage({ id: 'charts.expected', defaultMessage: 'Expected' }),
      align: 'end',
      cell: (p) => (p?.expected ? writeExpected(p.expected, write) : '–'),
    });
  const shown = useGrowing(rows.length);
  return (
    <Scroll role="region" aria-label={label} tabIndex={0} data-long={rows.length > initialRows || undefined}>
      <DataTable
        dense
        label={label}
        columns={columns}
        rows={shown < rows.length ? rows.slice(0, shown) : rows}
        rowKey={(p) => p?.start ?? ''}
        tone={(p) => (p ? undefined : 'strong')}
      />
    </Scroll>
  );
}

// the rows of a long table are not rendered again when something next to it changes
export default memo(ChartTable);

/** Returns how many of `count` rows to render: first `initialRows`, then twice as many each time. */
function useGrowing(count: number): number {
  const [shown, setShown] = useState(initialRows);
  useEffect(() => {
    if (shown >= count) return;
    const next = setTimeout(() => startTransition(() => setShown(shown * 2)), 50);
    return () => clearTimeout(next);
  }, [shown, count]);
  return shown;
}

/** Many series are wider than a phone: the table can be scrolled horizontally, also with the keyboard. */
const Scroll = styled.div`
  overflow-x: auto; border-radius: var(--w-radius-control);
  &[data-long] { max-height: 640px; overflow-y: auto; }
  td, th { white-space: nowrap; }
  th[scope='row'] { white-space: normal; min-width: 112px; }
  @media print { overflow: visible; &[data-long] { max-height: none; } }
`;
const Unit = styled.span`display: block; font-weight: 400;`;
