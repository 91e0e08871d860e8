/** Parts for tiles, without the charts' code: a line without axes, and a comparison in words. */
export { Comparison, type ComparisonProps } from './comparison';
export { Sparkline, type SparklineProps } from './sparkline';
