import styled from 'styled-components';

export interface SparklineProps {
  /** The values in chronological order; null is a gap without a measured value. */
  values: readonly (number | null)[];
  /** Accessible name, the picture's only text. */
  label: string;
  /** A second, dashed line for comparison, e.g. last year. */
  against?: readonly (number | null)[] | undefined;
  /** Height in pixels; the width is that of the container. */
  height?: number | undefined;
}

const width = 300;

/** A small line chart without axes. Show the numbers next to it. */
export function Sparkline({ values, label, against = [], height = 64 }: SparklineProps) {
  const all = [...values, ...against].filter((value) => value !== null);
  const top = Math.max(...all, 0);
  const bottom = Math.min(...all, 0);
  const y = (value: number) => 4 + (1 - (value - bottom) / (top - bottom || 1)) * (height - 8);
  const last = values.findLastIndex((value) => value !== null);
  const end = values[last];
  return (
    <Picture role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" height={height}>
      <line x1="0" x2={width} y1={y(0)} y2={y(0)} data-zero />
      <path d={path(against, y)} data-against />
      <path d={path(values, y)} />
      {end !== null && end !== undefined && <path d={`M${x(last, values.length)} ${y(end)}h0`} data-end />}
    </Picture>
  );
}

const x = (index: number, count: number) => (count > 1 ? 4 + (index / (count - 1)) * (width - 8) : width / 2);

/** Returns the SVG path. A gap interrupts the line; a value between two gaps is a dot. */
function path(values: readonly (number | null)[], y: (value: number) => number): string {
  let down = false;
  return values
    .map((value, index) => {
      if (value === null) {
        down = false;
        return '';
      }
      const alone = !down && (values[index + 1] ?? null) === null;
      const point = `${down ? 'L' : 'M'}${x(index, values.length).toFixed(1)} ${y(value).toFixed(1)}${alone ? 'h0' : ''}`;
      down = true;
      return point;
    })
    .join('');
}

const Picture = styled.svg`
  display: block; width: 100%; overflow: visible;
  path, line { fill: none; stroke: var(--w-primary-ink); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
  [data-against] { stroke: var(--w-text-quiet); stroke-dasharray: 4 4; }
  [data-zero] { stroke: var(--w-line); stroke-width: 1; }
  [data-end] { stroke-width: 8; }
`;
