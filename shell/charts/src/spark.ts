/** Parts for tiles, without the code of the charts: a line without axes, and a comparison in words. */
export { Comparison, type ComparisonProps } from './comparison';
export { Sparkline, type SparklineProps } from './sparkline';
