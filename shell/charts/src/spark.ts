/** What a tile shows of a chart: a line without axes and a comparison in words, without the code of the charts. */
export { Comparison, type ComparisonProps } from './comparison';
export { Sparkline, type SparklineProps } from './sparkline';
