import type { ReactNode } from 'react';
import type { ChartSeries } from './types';

interface Look {
  /** Color of the bars or the line. */
  fill: string;
  /** Outline of the bars, because series must not differ by hue only. */
  outline?: string;
  /** Drawn over the bars. */
  pattern?: 'stripes' | 'dots';
}

const looks: Record<ChartSeries['kind'], Look> = {
  normal: { fill: 'var(--w-chart-1)' },
  low: { fill: 'var(--w-chart-2)', outline: 'var(--w-chart-1)' },
  'feed-in': { fill: 'var(--w-chart-3)', pattern: 'stripes' },
  'feed-in-low': { fill: 'color-mix(in oklch, var(--w-chart-3) 45%, var(--w-surface))', outline: 'var(--w-chart-3)' },
  gas: { fill: 'var(--w-chart-4)', pattern: 'dots' },
  other: { fill: 'var(--w-chart-6)', pattern: 'stripes' },
  compare: { fill: 'var(--w-chart-5)' },
};

export const lookOf = (series: ChartSeries): Look => looks[series.kind];
export const isLine = (series: ChartSeries): boolean => series.kind === 'compare' || series.look === 'line';

/** SVG patterns of one drawing. Ids are unique in the document, so each drawing has its own patterns. */
export function Patterns({ id }: { id: string }): ReactNode {
  return (
    <defs>
      <pattern id={`${id}-stripes`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <line x1="0" y1="3" x2="6" y2="3" stroke="var(--w-surface)" strokeOpacity=".55" strokeWidth="1.5" />
      </pattern>
      <pattern id={`${id}-dots`} width="7" height="7" patternUnits="userSpaceOnUse">
        <circle cx="3.5" cy="3.5" r="1.1" fill="var(--w-surface)" fillOpacity=".6" />
      </pattern>
      <pattern id={`${id}-gap`} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="8" stroke="var(--w-control-line)" strokeOpacity=".5" strokeWidth="1.5" />
      </pattern>
    </defs>
  );
}

/** Markers of lines, because two lines must not differ by color only. */
export function Mark({ shape, x, y, fill }: { shape: number; x: number; y: number; fill: string }) {
  if (shape % 3 === 1) return <rect x={x - 3.5} y={y - 3.5} width="7" height="7" fill={fill} />;
  if (shape % 3 === 2) return <path d={`M${x} ${y - 5}l5 8.5h-10z`} fill={fill} />;
  return <circle cx={x} cy={y} r="3.5" fill={fill} />;
}

/** A sample of a series for legend and card. `null`: a gap. */
export function Swatch({ series, id, shape = 0 }: { series: ChartSeries | null; id: string; shape?: number }) {
  const look = series && lookOf(series);
  return (
    <svg width="20" height="14" aria-hidden="true" style={{ flex: 'none', background: 'var(--w-surface)', borderRadius: 3 }}>
      {!look || !series ? (
        <rect x=".5" y=".5" width="19" height="13" rx="2.5" fill={`url(#${id}-gap)`} stroke="var(--w-line)" />
      ) : isLine(series) ? (
        <>
          <line
            x1="0"
            x2="20"
            y1="7"
            y2="7"
            stroke={look.fill}
            strokeWidth="2"
            strokeDasharray={series.kind === 'compare' ? '5 3' : undefined}
          />
          {series.kind !== 'compare' && <Mark shape={shape} x={10} y={7} fill={look.fill} />}
        </>
      ) : (
        <>
          <rect x=".75" y=".75" width="18.5" height="12.5" rx="2.5" fill={look.fill} stroke={look.outline} strokeWidth="1.5" />
          {look.pattern && <rect width="20" height="14" rx="3" fill={`url(#${id}-${look.pattern})`} />}
        </>
      )}
    </svg>
  );
}
