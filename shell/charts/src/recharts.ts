/**
 * All of recharts, and what makes a chart of it look like those of the portal. The host fetches it once for all remotes; what
 * PeriodChart draws with is not sent again.
 */
export * from 'recharts';
export {
  axisProps,
  ChartBox,
  type ChartBoxProps,
  chartColors,
  gridProps,
  legendProps,
  motionProps,
  tooltipProps,
} from './themed';
