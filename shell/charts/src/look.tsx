import type { ReactNode } from 'react';
import type { ChartSeries } from './types';

interface Look {
  /** Color of the bars or the line. */
  fill: string;
  /** Outline of the bars, because a difference in hue alone is not enough. */
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

/** Returns the fill of an area: color and pattern in one. */
export const fillOf = (series: ChartSeries, id: string): string =>
  looks[series.kind].pattern ? `url(#${id}-${series.kind})` : looks[series.kind].fill;

export const lookOf = (series: ChartSeries): Look => looks[series.kind];
export const isLine = (series: ChartSeries): boolean => (series.type ?? (series.kind === 'compare' ? 'line' : 'bar')) !== 'bar';
export const isSteps = (series: ChartSeries): boolean => series.type === 'steps';

/**
 * Returns the series as they are drawn: an earlier period looks the same in every chart, whatever type it was given. It is level in
 * each period where the measured series are too (bars and steps), and otherwise runs from value to value.
 */
export function withComparison(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const level = series.some((s) => s.kind !== 'compare' && (!isLine(s) || isSteps(s)));
  return series.map((s) => (s.kind === 'compare' ? { ...s, type: level ? 'steps' : 'line' } : s));
}

/** Opacity of the area below steps: finished, and unfinished. */
export const stepsFill = { finished: 0.26, unfinished: 0.08 } as const;

/** Returns the dash pattern of a comparison line by its index among these lines: a difference in color alone is not enough. */
export const dashes = (series: ChartSeries, place = 0): string | undefined =>
  series.kind === 'compare' ? ['6 4', '2 3', '12 4 2 4'][place % 3] : undefined;

/** Returns the index of a line among the lines of the same type, which determines its dash pattern or marks. */
export const placeOf = (series: ChartSeries, all: readonly ChartSeries[]): number =>
  all.filter((s) => isLine(s) && (s.kind === 'compare') === (series.kind === 'compare')).indexOf(series);

/** SVG patterns of one drawing. Ids must be unique in the document, so each drawing has its own patterns. */
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
      <pattern id={`${id}-estimated`} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="2" y1="0" x2="2" y2="8" stroke="var(--w-surface)" strokeWidth="4" />
      </pattern>
      <pattern id={`${id}-feed-in`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <rect width="6" height="6" fill={looks['feed-in'].fill} />
        <line x1="0" y1="3" x2="6" y2="3" stroke="var(--w-surface)" strokeOpacity=".55" strokeWidth="1.5" />
      </pattern>
      <pattern id={`${id}-gas`} width="7" height="7" patternUnits="userSpaceOnUse">
        <rect width="7" height="7" fill={looks.gas.fill} />
        <circle cx="3.5" cy="3.5" r="1.1" fill="var(--w-surface)" fillOpacity=".6" />
      </pattern>
      <pattern id={`${id}-other`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <rect width="6" height="6" fill={looks.other.fill} />
        <line x1="0" y1="3" x2="6" y2="3" stroke="var(--w-surface)" strokeOpacity=".55" strokeWidth="1.5" />
      </pattern>
    </defs>
  );
}

/** Marks on a line, because a difference in color alone is not enough. */
export function Mark({ shape, x, y, fill }: { shape: number; x: number; y: number; fill: string }) {
  if (shape % 3 === 1) return <rect x={x - 3.5} y={y - 3.5} width="7" height="7" fill={fill} />;
  if (shape % 3 === 2) return <path d={`M${x} ${y - 5}l5 8.5h-10z`} fill={fill} />;
  return <circle cx={x} cy={y} r="3.5" fill={fill} />;
}

/** The mark of a comparison line: not filled, unlike those of measured values. */
export const OpenMark = ({ x, y, color }: { x: number; y: number; color: string }) => (
  <path d={`M${x} ${y - 4}l4 4l-4 4l-4-4z`} fill="var(--w-surface)" stroke={color} strokeWidth="1.5" data-mark="open" />
);

/** Things that a chart shows besides its series. */
export type Extra = 'gap' | 'estimated' | 'unfinished' | 'unfinished-line' | 'expected' | 'target';

/** A sample of a series or an extra (in the color `fill`), for legend and card. `shape` is the index of a line among the lines. */
export function Swatch({
  series,
  id,
  shape = 0,
  fill,
}: {
  series: ChartSeries | Extra;
  id: string;
  shape?: number;
  fill?: string | undefined;
}) {
  if (typeof series === 'string') return <ExtraSwatch what={series} id={id} fill={fill} />;
  const look = lookOf(series);
  if (isSteps(series))
    return (
      <svg width="20" height="14" aria-hidden="true" style={{ flex: 'none', background: 'var(--w-surface)', borderRadius: 3 }}>
        {series.kind !== 'compare' && <rect y="2" width="20" height="12" fill={look.fill} fillOpacity={stepsFill.finished} />}
        <line
          x2={20}
          y1={series.kind === 'compare' ? 7 : 2}
          y2={series.kind === 'compare' ? 7 : 2}
          stroke={look.fill}
          strokeWidth={series.kind === 'compare' ? 2 : 2.5}
        />
      </svg>
    );
  return (
    <svg width="20" height="14" aria-hidden="true" style={{ flex: 'none', background: 'var(--w-surface)', borderRadius: 3 }}>
      {isLine(series) ? (
        <>
          <line x1="0" x2="20" y1="7" y2="7" stroke={look.fill} strokeWidth="2" strokeDasharray={dashes(series, shape)} />
          {series.kind === 'compare' ? (
            <OpenMark x={10} y={7} color={look.fill} />
          ) : (
            <Mark shape={shape} x={10} y={7} fill={look.fill} />
          )}
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

function ExtraSwatch({ what, id, fill = 'var(--w-chart-1)' }: { what: Extra; id: string; fill?: string | undefined }) {
  return (
    <svg width="20" height="14" aria-hidden="true" style={{ flex: 'none', background: 'var(--w-surface)', borderRadius: 3 }}>
      {what === 'gap' && <rect x=".5" y=".5" width="19" height="13" rx="2.5" fill={`url(#${id}-gap)`} stroke="var(--w-line)" />}
      {what === 'estimated' &&
        [fill, `url(#${id}-estimated)`].map((paint) => (
          <rect key={paint} x=".75" y=".75" width="18.5" height="12.5" rx="2.5" fill={paint} stroke={fill} strokeWidth="1.5" />
        ))}
      {what === 'unfinished' && (
        <rect x="1" y="1" width="18" height="12" rx="2.5" fill="none" stroke={fill} strokeWidth="2" strokeDasharray="4 3" />
      )}
      {what === 'unfinished-line' && (
        <>
          <line x2="20" y1="7" y2="7" stroke={fill} strokeWidth="2" strokeDasharray="4 4" />
          <circle cx="10" cy="7" r="4" fill="var(--w-surface)" stroke={fill} strokeWidth="2" />
        </>
      )}
      {what === 'expected' && (
        <>
          <rect y="1" width="20" height="12" fill="var(--w-chart-5)" fillOpacity=".25" />
          <line x2="20" y1="7" y2="7" stroke="var(--w-chart-5)" strokeWidth="2" strokeDasharray="2 3" />
        </>
      )}
      {what === 'target' && <line x2="20" y1="7" y2="7" stroke="var(--w-text)" strokeWidth="2" strokeDasharray="8 3" />}
    </svg>
  );
}
