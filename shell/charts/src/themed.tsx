import { type ReactNode, useRef } from 'react';
import styled from 'styled-components';
import { isMotionReduced, motionDuration } from './motion';
import { useWidth } from './width';

/** Colors of series by their role in the label (docs/design-of-screens.md); `all` lists them in order of use. */
export const chartColors = {
  normal: 'var(--w-chart-1)',
  low: 'var(--w-chart-2)',
  feedIn: 'var(--w-chart-3)',
  gas: 'var(--w-chart-4)',
  compare: 'var(--w-chart-5)',
  other: 'var(--w-chart-6)',
  all: ['var(--w-chart-1)', 'var(--w-chart-4)', 'var(--w-chart-3)', 'var(--w-chart-6)', 'var(--w-chart-2)', 'var(--w-chart-5)'],
} as const;

const text = { fill: 'var(--w-text-quiet)', fontSize: 14 };

/** Props for XAxis and YAxis: muted 14 px labels, no lines. */
export const axisProps = { axisLine: false, tickLine: false, tick: text, tickMargin: 4 } as const;
/** Props for CartesianGrid: horizontal lines only. */
export const gridProps = { vertical: false, stroke: 'var(--w-line)' } as const;
/** Props for Legend: names in muted text, because series colors are too light for text. */
export const legendProps = {
  wrapperStyle: { fontSize: 14 },
  formatter: (name: ReactNode) => <span style={{ color: 'var(--w-text-quiet)' }}>{name}</span>,
} as const;
/** Props for Tooltip: a card with the label's surface color. */
export const tooltipProps = {
  cursor: { fill: 'var(--w-text)', fillOpacity: 0.07 },
  contentStyle: {
    background: 'var(--w-surface)',
    border: '1px solid var(--w-line)',
    borderRadius: 'var(--w-radius-control)',
    padding: '12px 16px',
    fontSize: 14,
  },
  labelStyle: { color: 'var(--w-text)', fontWeight: 600, marginBottom: 4 },
  itemStyle: { color: 'var(--w-text-quiet)', padding: 0 },
} as const;
/** Returns props for Bar, Line, Area and Pie: a short animation, or none if reduced motion is preferred. */
export const motionProps = () => ({ isAnimationActive: !isMotionReduced(), animationDuration: motionDuration });

export interface ChartBoxProps {
  /**
   * What the chart shows, in words: to screen readers the drawing is a single image. Also show the numbers, e.g. in a ChartTable.
   */
  label: string;
  /** Height in pixels (default 300); reserved before anything is drawn. */
  height?: number | undefined;
  /** Returns the chart; pass the size to it as props. */
  children(size: { width: number; height: number }): ReactNode;
}

/** A box for a recharts chart: with a fixed height, full width, an accessible name, and the label's font. */
export function ChartBox({ label, height = 300, children }: ChartBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  return (
    <Box ref={box} role="img" aria-label={label} style={{ height }}>
      {width !== undefined && children({ width, height })}
    </Box>
  );
}

const Box = styled.div`
  position: relative; width: 100%; overflow: hidden; color: var(--w-text);
  text { font-family: inherit; font-variant-numeric: tabular-nums; }
  .recharts-surface:focus-visible { outline: 3px solid var(--w-focus); outline-offset: -3px; }
`;
