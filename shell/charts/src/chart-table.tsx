import { type Column, DataTable } from '@wattle/ui/table';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import type { ChartPoint, ChartSeries, ValueFormat } from './types';
import { formatterOf, isGap, sum, valueIn } from './write';

export interface ChartTableProps extends ValueFormat {
  /** Accessible name of the table. */
  label: string;
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  /** Heading of the first column: `Dag`, `Uur`. */
  first: string;
  /** Replaces the text "geen gegevens". */
  gap?: string | undefined;
  /** Adds a last row with sums (default true). */
  total?: boolean | undefined;
}

/** The data of a chart as a table: every period in order, the repeated hour of a clock change twice. */
export default function ChartTable({ label, series, points, first, gap, total = true, ...writing }: ChartTableProps) {
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
        const value = p ? valueIn(p, s) : (sums.get(s.key) ?? null);
        if (value !== null) return write(value);
        // the gap text is shown once per row
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

/** Many series are wider than a phone: the table scrolls horizontally, also with the keyboard. */
const Scroll = styled.div`
  overflow-x: auto; border-radius: 8px;
  td, th { white-space: nowrap; }
  th[scope='row'] { white-space: normal; min-width: 112px; }
  @media print { overflow: visible; }
`;
const Unit = styled.span`display: block; font-weight: 400;`;
