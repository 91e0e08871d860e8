import { formatNumber } from '@wattle/ui';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import styled from 'styled-components';
import { accessibleName, Card, type ChartTexts } from './card';
import { isLine, lookOf, Mark, Patterns } from './look';
import { decimalsOf, shownLabels, ticks } from './scale';
import { extent, stack } from './stack';
import type { ChartPoint, ChartRecord, ChartSeries } from './types';
import { isFeedIn, valueIn } from './write';

export interface PlotProps extends ChartTexts {
  label: string;
  unit: string;
  series: readonly ChartSeries[];
  /** Gaps have `missing`. */
  points: readonly ChartPoint[];
  /** Draws feed-in below zero. */
  feedInBelow: boolean;
  record?: ChartRecord | undefined;
  height: number;
}

const letter = 7.9; // width of a digit at 14 px, in pixels
const margin = { top: 32, bottom: 28, right: 8 };

/** The drawing: one tab stop; arrow keys move from period to period, and each period has its values as its name. */
export default function Plot({ label, unit, series, points, feedInBelow, record, height, ...wording }: PlotProps) {
  const intl = useIntl();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [active, setActive] = useState<number | null>(null);
  const [stop, setStop] = useState(0);
  const shown = active !== null ? points[active] : undefined;
  const open = active !== null;
  useEffect(() => {
    if (!open) return;
    const key = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation(); // so that a surrounding sheet stays open
      setActive(null);
    };
    document.addEventListener('keydown', key, true);
    return () => document.removeEventListener('keydown', key, true);
  }, [open]);

  const marks = ticks(...extent(points, series, feedInBelow));
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const mirrored = !points.some((p) => series.some((s) => (valueIn(p, s) ?? 0) < 0));
  const places = decimalsOf(marks);
  const names = marks.map((mark) => (mark === 0 ? '0' : formatNumber(mirrored ? Math.abs(mark) : mark, places)));
  const left = Math.max(...names.map((name) => name.length)) * letter + 12;
  const column = Math.max(0, width - left - margin.right) / Math.max(points.length, 1);
  const bar = Math.max(1, Math.min(32, column * 0.7));
  const x = (index: number) => left + column * (index + 0.5);
  const y = (value: number) => margin.top + ((high - value) / (high - low)) * (height - margin.top - margin.bottom);
  const labels = shownLabels(
    points.map((p) => p.label),
    letter,
    column,
    width <= 480,
  );
  const gaps = runs(points.map((point) => point.missing === true));
  const lines = series.filter(isLine);
  const recordAt = points.findIndex((point) => point.start === record?.at);

  const focus = (index: number) => {
    const to = Math.min(points.length - 1, Math.max(0, index));
    setStop(to);
    frame.current?.querySelector<SVGElement>(`[data-point="${to}"]`)?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    const from = active ?? stop;
    const to = {
      ArrowRight: from + 1,
      ArrowLeft: from - 1,
      Home: 0,
      End: points.length - 1,
      PageDown: from + 7,
      PageUp: from - 7,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    focus(to);
  };
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const inside = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    const index = Math.floor(inside / column);
    setActive(index >= 0 && index < points.length ? index : null);
  };

  return (
    <Frame ref={frame} style={{ height }}>
      {/** biome-ignore lint/a11y/useSemanticElements: a group within a drawing */}
      <svg
        role="group"
        aria-label={label}
        aria-roledescription={intl.formatMessage({ id: 'charts.chart', defaultMessage: 'chart' })}
        width={width}
        height={height}
        onKeyDown={keys}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={(event) => {
          if (event.pointerType !== 'touch') setActive(null); // a tap fires pointerleave at once; its card closes when focus is lost
        }}
      >
        <Patterns id={id} />
        {/** biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes focus */}
        <g aria-hidden="true">
          <text x="0" y="14">
            {unit}
          </text>
          {marks.map((mark, index) => (
            <g key={mark}>
              <line x1={left} x2={width} y1={y(mark)} y2={y(mark)} data-grid={mark === 0 ? 'zero' : 'line'} />
              <text x={left - 8} y={y(mark) + 5} textAnchor="end">
                {names[index]}
              </text>
            </g>
          ))}
          {gaps.map(([from, to]) => (
            <rect
              key={from}
              data-gap
              x={x(from) - column / 2 + 1}
              y={margin.top}
              width={Math.max(1, column * (to - from + 1) - 2)}
              height={height - margin.top - margin.bottom}
              fill={`url(#${id}-gap)`}
            />
          ))}
          {points.map((p, index) => (
            <g key={p.start}>
              {labels.has(index) && (
                <text x={x(index)} y={height - 6} textAnchor="middle">
                  {p.label}
                </text>
              )}
              {stack(p, series, feedInBelow).map((piece) => (
                <Bar
                  key={piece.series.key}
                  id={id}
                  series={piece.series}
                  d={shape(x(index), bar, y(piece.from), y(piece.to), piece.last)}
                />
              ))}
            </g>
          ))}
          {lines.map((s, shapeOf) => {
            const at = points.map((p) => {
              const value = valueIn(p, s);
              return value === null ? null : y(feedInBelow && isFeedIn(s) ? -value : value);
            });
            return (
              <g key={s.key} data-series={s.key} stroke={lookOf(s).fill}>
                <path d={path(at, x)} fill="none" strokeWidth="2" strokeDasharray={s.kind === 'compare' ? '5 4' : undefined} />
                {s.kind !== 'compare' &&
                  column > 14 &&
                  at.map(
                    (top, index) =>
                      top !== null && (
                        <Mark key={points[index]?.start} shape={shapeOf} x={x(index)} y={top} fill={lookOf(s).fill} />
                      ),
                  )}
              </g>
            );
          })}
          {gaps
            .filter(([from, to]) => column * (to - from + 1) > wording.gap.length * letter + 16)
            .map(([from, to]) => (
              <text
                key={from}
                x={(x(from) + x(to)) / 2}
                y={(height + margin.top - margin.bottom) / 2}
                textAnchor="middle"
                data-halo
              >
                {wording.gap}
              </text>
            ))}
          {record && recordAt >= 0 && (
            <Record
              x={x(recordAt)}
              y={y(top(points[recordAt] as ChartPoint, series, feedInBelow))}
              width={width}
              text={record.text}
            />
          )}
        </g>
        {points.map((p, index) => (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: arrow keys move focus between periods, which are images with a name
          <rect
            key={p.start}
            data-point={index}
            data-active={active === index || undefined}
            role="img"
            aria-label={accessibleName(p, series, wording)}
            tabIndex={index === Math.min(stop, points.length - 1) ? 0 : -1}
            x={x(index) - column / 2}
            y={margin.top - 8}
            width={column}
            height={height - margin.top - margin.bottom + 16}
            onFocus={() => {
              setStop(index);
              setActive(index);
            }}
            onBlur={() => setActive(null)}
          />
        ))}
      </svg>
      {shown && active !== null && <Card point={shown} series={series} id={id} at={x(active)} within={width} {...wording} />}
    </Frame>
  );
}

function Bar({ id, series, d }: { id: string; series: ChartSeries; d: string }) {
  const look = lookOf(series);
  return (
    <g data-series={series.key}>
      <path d={d} fill={look.fill} stroke={look.outline} strokeWidth={look.outline && 1.5} data-outlined={look.outline && ''} />
      {look.pattern && <path d={d} fill={`url(#${id}-${look.pattern})`} />}
    </g>
  );
}

function Record({ x, y, width, text }: { x: number; y: number; width: number; text: ChartRecord['text'] }) {
  const anchor = x < 120 ? 'start' : x > width - 120 ? 'end' : 'middle';
  const beside = anchor === 'start' ? -4 : anchor === 'end' ? 4 : 0;
  return (
    <g data-record>
      <circle cx={x} cy={y} r="5" fill="var(--w-surface)" stroke="var(--w-text)" strokeWidth="2.5" />
      <text x={x + beside} y={Math.max(14, y - 12)} textAnchor={anchor} data-halo data-strong>
        {text}
      </text>
    </g>
  );
}

/** Returns the value at which the dot of the record is drawn: the end of the bar, or the highest line. */
const top = (point: ChartPoint, series: readonly ChartSeries[], feedInBelow: boolean) =>
  Math.max(
    ...stack(point, series, feedInBelow).map((piece) => piece.to),
    ...series.filter((s) => isLine(s) && s.kind !== 'compare').map((s) => valueIn(point, s) ?? 0),
    0,
  );

/** Returns the SVG path of a bar with its two outer corners rounded. */
function shape(middle: number, width: number, from: number, to: number, rounded: boolean): string {
  const [l, r] = [middle - width / 2, middle + width / 2];
  const radius = rounded ? Math.min(3, width / 2, Math.abs(to - from)) : 0;
  const back = to < from ? radius : -radius;
  return `M${l} ${from}V${to + back}Q${l} ${to} ${l + radius} ${to}H${r - radius}Q${r} ${to} ${r} ${to + back}V${from}Z`;
}

/** Returns the SVG path of a line: a gap interrupts it, a single value between two gaps is a dot. */
function path(tops: readonly (number | null)[], x: (index: number) => number): string {
  return tops
    .map((at, index) => {
      if (at === null) return '';
      const before = tops[index - 1] ?? null;
      const alone = before === null && (tops[index + 1] ?? null) === null;
      return `${before === null ? 'M' : 'L'}${x(index).toFixed(1)} ${at.toFixed(1)}${alone ? 'h.01' : ''}`;
    })
    .join('');
}

/** Returns first and last index of each run of `true`. */
function runs(flags: readonly boolean[]): [number, number][] {
  const found: [number, number][] = [];
  flags.forEach((flag, index) => {
    const last = found.at(-1);
    if (flag && last?.[1] === index - 1) last[1] = index;
    else if (flag) found.push([index, index]);
  });
  return found;
}

function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth || 640);
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [frame]);
  return width;
}

const Frame = styled.div`
  position: relative; width: 100%;
  svg { display: block; max-width: none; overflow: visible; touch-action: pan-y; }
  text { font-size: 14px; fill: var(--w-text-quiet); font-variant-numeric: tabular-nums; }
  [data-halo] { paint-order: stroke; stroke: var(--w-surface); stroke-width: 5px; stroke-linejoin: round; }
  [data-strong] { fill: var(--w-text); font-weight: 600; }
  [data-grid] { stroke: var(--w-line); stroke-width: 1; shape-rendering: crispEdges; }
  [data-grid='zero'] { stroke: var(--w-control-line); }
  [data-outlined] { paint-order: stroke; }
  rect[data-point] { fill: transparent; outline-offset: -1px; }
  rect[data-point][data-active] { fill: color-mix(in oklch, var(--w-text) 7%, transparent); }
  rect[data-point]:focus:not(:focus-visible) { outline: none; }
  @media (prefers-contrast: more) { [data-grid] { stroke: var(--w-control-line); } text { fill: var(--w-text); } }
  @media (forced-colors: active) { svg { forced-color-adjust: none; background: var(--w-surface); } }
  @media print { break-inside: avoid; }
`;
