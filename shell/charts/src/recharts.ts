/**
 * The complete recharts library, with props that give its charts the look of the portal. The host fetches it once for all remotes,
 * and does not fetch again what PeriodChart already uses.
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
