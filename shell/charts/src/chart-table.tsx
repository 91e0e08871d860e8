import { type Column, DataTable } from '@wattle/ui/table';
import { useIntl } from 'react-intl';
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
  const write = writer(writing, points, series);
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
    ...series.map((s) => ({
      id: s.key,
      title: s.label,
      align: 'end' as const,
      cell: (p: ChartPoint | null) => {
        const value = p ? measured(p, s) : (sums.get(s.key) ?? null);
        if (value !== null) return write(value);
        if (p?.upcoming) return later;
        return p && isGap(p, series) ? none : '–';
      },
    })),
  ];
  return (
    <DataTable
      dense
      label={label}
      columns={columns}
      rows={rows}
      rowKey={(p) => p?.start ?? ''}
      tone={(p) => (p ? undefined : 'strong')}
    />
  );
}
