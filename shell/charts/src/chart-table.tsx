import { type Column, DataTable } from '@wattle/ui/table';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import type { ChartPoint, ChartSeries, Writing } from './types';
import { isGap, measured, sum, writer } from './write';

export interface ChartTableProps extends Writing {
  /** What it lists; the caption for screen readers. */
  label: string;
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  /** Head of the first column: `Dag`, `Uur`. */
  first: string;
  /** Instead of "geen gegevens". */
  gap?: string | undefined;
  /** A last row with sums (default). */
  total?: boolean | undefined;
}

/** The same as the chart, in figures: every period in order, the repeated hour twice. */
export default function ChartTable({ label, series, points, first, gap, total = true, ...writing }: ChartTableProps) {
  const intl = useIntl();
  const write = writer(writing, points, series, true);
  const none = gap ?? intl.formatMessage({ id: 'charts.gap', defaultMessage: 'no data' });
  const later = intl.formatMessage({ id: 'charts.later', defaultMessage: 'not known yet' });
  const sums = new Map(series.map((s) => [s.key, sum(points.map((p) => measured(p, s)))]));
  const rows: (ChartPoint | null)[] = total && points.length > 1 ? [...points, null] : [...points];
  const columns: Column<ChartPoint | null>[] = [
    {
      id: 'period',
      title: first,
      head: true,
      cell: (p) => (p ? (p.name ?? p.label) : intl.formatMessage({ id: 'charts.total', defaultMessage: 'Total' })),
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
        const value = p ? measured(p, s) : (sums.get(s.key) ?? null);
        if (value !== null) return write(value);
        // once a row is enough
        if (place > 0 || !p) return '–';
        return p.upcoming ? later : isGap(p, series) ? none : '–';
      },
    })),
  ];
  return (
    <Scroll role="region" aria-label={label} tabIndex={0}>
      <DataTable
        dense
        label={label}
        columns={columns}
        rows={rows}
        rowKey={(p) => p?.start ?? ''}
        tone={(p) => (p ? undefined : 'strong')}
      />
    </Scroll>
  );
}

/** Many series are wider than a phone: the table scrolls by itself, by keys too. */
const Scroll = styled.div`
  overflow-x: auto; border-radius: 8px;
  td, th { white-space: nowrap; }
  th[scope='row'] { white-space: normal; min-width: 112px; }
  @media print { overflow: visible; }
`;
const Unit = styled.span`display: block; font-weight: 400;`;
