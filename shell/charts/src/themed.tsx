import { type ReactNode, useRef } from 'react';
import styled from 'styled-components';
import { motionDuration, wantsStill } from './motion';
import { useWidth } from './width';

/** Colors of series by the role that they have in the label (docs/design-of-screens.md); `all` in the order of use. */
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

/** Props of XAxis and YAxis: quiet labels of 14 px, no lines. */
export const axisProps = { axisLine: false, tickLine: false, tick: text, tickMargin: 4 } as const;
/** Props of CartesianGrid: horizontal lines only. */
export const gridProps = { vertical: false, stroke: 'var(--w-line)' } as const;
/** Props of Legend: names in quiet text, because colors of series are too light for it. */
export const legendProps = {
  wrapperStyle: { fontSize: 14 },
  formatter: (name: ReactNode) => <span style={{ color: 'var(--w-text-quiet)' }}>{name}</span>,
} as const;
/** Props of Tooltip: a card on the surface of the label. */
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
/** Returns props of Bar, Line, Area and Pie: short motion, and none when less of it is asked for. */
export const motionProps = () => ({ isAnimationActive: !wantsStill(), animationDuration: motionDuration });

export interface ChartBoxProps {
  /** What the chart shows, in words: the drawing is one image to screen readers. Give the numbers beside it, e.g. as a ChartTable. */
  label: string;
  /** In pixels (300); reserved before anything is drawn. */
  height?: number | undefined;
  /** Returns the chart, which takes the size as its props. */
  children(size: { width: number; height: number }): ReactNode;
}

/** A place for a chart of recharts: of fixed height, as wide as there is room, named, in the type of the label. */
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
