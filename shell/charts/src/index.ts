export { BarsByMonth, type BarsByMonthProps } from './bars-by-month';
export type { ChartTableProps } from './chart-table';
export { Comparison, type ComparisonProps } from './comparison';
export {
  addDays,
  addMonths,
  dayName,
  monthLabel,
  type Period,
  type PeriodUnit,
  periodName,
  periodOf,
  shift,
  weekdayLabel,
  weekOf,
} from './period';
export { ChartTable, PeriodChart, type PeriodChartProps } from './period-chart';
export { PeriodPicker, type PeriodPickerProps } from './period-picker';
export { Sparkline, type SparklineProps } from './sparkline';
export type { ChartExpectation, ChartPoint, ChartRecord, ChartSeries, ChartTarget, SeriesKind, ValueFormat } from './types';
